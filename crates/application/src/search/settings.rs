//! The worldbuilder's choice of the fusion strategy. Every search reads it here, and nowhere else.

use inklings_domain::search::ranking::{self, FusionStrategy, STRATEGIES};

use crate::{error::AppError, services::Searcher};

/// Account setting: the name of the strategy, as a JSON string.
const KEY: &str = "search.strategy";

impl Searcher<'_> {
    /// Name of the strategy of searches that name none: the worldbuilder's choice, or the default if nothing was
    /// chosen or this release does not know what was chosen.
    pub async fn chosen_strategy(&self) -> Result<&'static str, AppError> {
        let text = self.session.account.settings.setting(KEY).await?;
        let name: Option<String> = text.and_then(|text| serde_json::from_str(&text).ok());
        let known = STRATEGIES.iter().find(|known| name.as_deref() == Some(**known));
        Ok(known.copied().unwrap_or_else(standard))
    }

    /// Chooses the strategy of searches that name none.
    ///
    /// # Errors
    /// [`AppError::Input`] for an unknown strategy; nothing is stored then.
    pub async fn choose_strategy(&self, name: &str) -> Result<(), AppError> {
        let value = serde_json::Value::from(named(name)?.name()).to_string();
        Ok(self.session.account.settings.set_setting(KEY, &value).await?)
    }

    /// The strategy of a search: the one that it names, or the chosen one. A search does not fail because the choice
    /// cannot be read.
    pub(crate) async fn strategy(&self, name: Option<&str>) -> Result<Box<dyn FusionStrategy>, AppError> {
        if let Some(name) = name {
            return named(name);
        }
        let chosen = self.chosen_strategy().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the chosen search strategy cannot be read; the standard one is used");
            standard()
        });
        named(chosen)
    }
}

fn standard() -> &'static str {
    STRATEGIES.first().copied().unwrap_or_default()
}

fn named(name: &str) -> Result<Box<dyn FusionStrategy>, AppError> {
    ranking::strategy(name).ok_or_else(|| AppError::Input {
        field: "strategy",
        message: format!("unknown search strategy; choose one of: {}", STRATEGIES.join(", ")),
    })
}
