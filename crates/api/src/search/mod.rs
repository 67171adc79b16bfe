//! Views of search and their conversion, and the settings of search.

pub mod convert;
pub mod view;

use inklings_domain::search::ranking::STRATEGIES;

use crate::{commands::SettingsCommands, error::CommandError, search::view::SearchSettings};

impl SettingsCommands<'_> {
    /// The settings of search.
    ///
    /// # Errors
    /// [`CommandError`] if the account's database cannot be read.
    pub async fn search_settings(&self) -> Result<SearchSettings, CommandError> {
        let strategy = self.app.session()?.search().chosen_strategy().await?;
        let strategies = STRATEGIES.iter().map(|name| (*name).to_owned()).collect();
        Ok(SearchSettings { strategy: strategy.to_owned(), strategies })
    }

    /// Chooses the fusion strategy of searches that name none.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an unknown strategy.
    pub async fn set_search_strategy(&self, strategy: &str) -> Result<SearchSettings, CommandError> {
        self.app.session()?.search().choose_strategy(strategy).await?;
        self.search_settings().await
    }
}
