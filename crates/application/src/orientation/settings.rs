//! The worldbuilder's orientation settings.

use inklings_domain::orientation::{Budget, Layer, PerLayer};
use serde_json::{Value, json};

use crate::{error::AppError, services::Orientations};

const KEY: &str = "orientation";
/// Default share of the context window for the document: one part in this many.
const PART_OF_CONTEXT: u64 = 3;
/// Maximum percentage of named entries. The rest is for the other layers.
const MOST_NAMED: u64 = 90;
/// Maximum share of one layer.
const MOST_PARTS: u64 = 100;

/// The worldbuilder's orientation settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrientationSettings {
    /// Token budget of the document; 0: a third of the context window.
    pub budget: u64,
    /// Percentage of the budget that named entries may take, 0 to 90; VOICE and SOUL are shown even beyond it.
    pub named: u64,
    /// Relative shares of the layers in what named entries leave of the budget; 0 to 100 each, at least one
    /// above 0.
    pub shares: PerLayer<u64>,
    /// True: a cheap call of the language model drops irrelevant items.
    pub refine: bool,
}

impl Default for OrientationSettings {
    fn default() -> Self {
        Self { budget: 0, named: Budget::NAMED, shares: Budget::standard_shares(), refine: false }
    }
}

impl OrientationSettings {
    /// Tokens of the document for a model with this context window.
    pub(super) fn tokens(&self, context: u32) -> u64 {
        if self.budget == 0 { u64::from(context) / PART_OF_CONTEXT } else { self.budget }
    }

    fn checked(self) -> Result<Self, AppError> {
        let bad = |field, message: &str| Err(AppError::Input { field, message: message.to_owned() });
        if self.budget != 0 && !(200..=200_000).contains(&self.budget) {
            return bad(
                "budget",
                "an orientation has 200 to 200,000 tokens, or 0 for a third of what the model reads",
            );
        }
        if self.named > MOST_NAMED {
            return bad("named", "named entries have 0 to 90 percent of the budget");
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
            named: value.get("named").and_then(Value::as_u64).unwrap_or(standard.named),
            shares: PerLayer::from_fn(|layer| part(layer).unwrap_or(*standard.shares.get(layer))),
            refine: value.get("refine").and_then(Value::as_bool).unwrap_or(standard.refine),
        }
        .checked()
        .ok()
    }
}

impl Orientations<'_> {
    /// Current settings; the defaults if unset or invalid.
    pub async fn settings(&self) -> Result<OrientationSettings, AppError> {
        let text = self.session.workspace.settings.setting(KEY).await?;
        Ok(text.as_deref().and_then(OrientationSettings::read).unwrap_or_default())
    }

    /// Stores all settings.
    ///
    /// # Errors
    /// [`AppError::Input`] names the invalid field; nothing is stored then.
    pub async fn set_settings(&self, settings: OrientationSettings) -> Result<(), AppError> {
        let settings = settings.checked()?;
        let shares: serde_json::Map<String, Value> = Layer::ALL
            .iter()
            .map(|layer| (layer.as_str().to_owned(), json!(settings.shares.get(*layer))))
            .collect();
        let value = json!({
            "budget": settings.budget, "named": settings.named, "shares": shares, "refine": settings.refine,
        });
        Ok(self.session.workspace.settings.set_setting(KEY, &value.to_string()).await?)
    }
}
