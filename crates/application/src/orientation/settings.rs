//! What the worldbuilder has set about orientation.

use inklings_domain::orientation::{Budget, Layer, PerLayer};
use serde_json::{Value, json};

use crate::{error::AppError, session::Session};

const KEY: &str = "orientation";
/// The largest part that a layer may have.
const MOST_PARTS: u64 = 100;

/// What the worldbuilder has set about orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrientationSettings {
    /// Tokens of the document; 0: a third of what the model reads.
    pub budget: u64,
    /// Parts of what named entries leave, per layer; 0 to 100 each, at least one above 0.
    pub shares: PerLayer<u64>,
    /// True: a cheap call of the language model drops what does not matter.
    pub refine: bool,
}

impl Default for OrientationSettings {
    fn default() -> Self {
        Self { budget: 0, shares: Budget::standard_shares(), refine: false }
    }
}

impl OrientationSettings {
    fn checked(self) -> Result<Self, AppError> {
        let bad = |field, message: &str| Err(AppError::Input { field, message: message.to_owned() });
        if self.budget != 0 && !(200..=200_000).contains(&self.budget) {
            return bad(
                "budget",
                "an orientation has 200 to 200,000 tokens, or 0 for a third of what the model reads",
            );
        }
        let parts = || Layer::ALL.iter().skip(1).map(|layer| *self.shares.get(*layer));
        if parts().any(|part| part > MOST_PARTS) || parts().sum::<u64>() == 0 {
            return bad("shares", "the parts are numbers from 0 to 100, at least one of them above 0");
        }
        Ok(self)
    }

    fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let standard = Self::default();
        let shares = value.get("shares");
        let part =
            |layer: Layer| shares.and_then(|shares| shares.get(layer.as_str())).and_then(Value::as_u64);
        Self {
            budget: value.get("budget").and_then(Value::as_u64).unwrap_or(standard.budget),
            shares: PerLayer::from_fn(|layer| part(layer).unwrap_or(*standard.shares.get(layer))),
            refine: value.get("refine").and_then(Value::as_bool).unwrap_or(standard.refine),
        }
        .checked()
        .ok()
    }
}

impl Session {
    /// What is set; the standard where nothing is, or where it makes no sense.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn orientation_settings(&self) -> Result<OrientationSettings, AppError> {
        let text = self.workspace.settings.setting(KEY).await?;
        Ok(text.as_deref().and_then(OrientationSettings::read).unwrap_or_default())
    }

    /// Sets all of it.
    ///
    /// # Errors
    /// [`AppError::Input`] naming the field that makes no sense; nothing is set then.
    pub async fn set_orientation_settings(&self, settings: OrientationSettings) -> Result<(), AppError> {
        let settings = settings.checked()?;
        let shares: serde_json::Map<String, Value> = Layer::ALL
            .iter()
            .map(|layer| (layer.as_str().to_owned(), json!(settings.shares.get(*layer))))
            .collect();
        let value = json!({ "budget": settings.budget, "shares": shares, "refine": settings.refine });
        Ok(self.workspace.settings.set_setting(KEY, &value.to_string()).await?)
    }
}
