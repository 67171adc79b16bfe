//! The searches that the worldbuilder saved. Each change answers with all of them in their order.

use inklings_application::error::AppError;
use inklings_domain::search::saved::{self, SavedSearches};

use crate::{
    commands::SearchCommands,
    error::CommandError,
    search::view::{SavedSearch, SavedView},
    stored, wire,
};

impl SearchCommands<'_> {
    /// The saved searches in the worldbuilder's order.
    pub async fn list_saved_searches(&self) -> Result<Vec<SavedSearch>, CommandError> {
        Ok(views(&self.app.session()?.search().saved().await?))
    }

    /// The saved search with this name, in whatever case, or with this id.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn saved_search(&self, name_or_id: &str) -> Result<SavedSearch, CommandError> {
        let all = self.app.session()?.search().saved().await?;
        let gone =
            || AppError::NotFound { what: "saved search", name: name_or_id.chars().take(64).collect() };
        Ok(view(all.find(name_or_id).ok_or_else(gone)?))
    }

    /// Saves a search at a place counted from 0, or at the end.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid`, also for a name that another one has.
    pub async fn save_search(
        &self,
        name: &str,
        view: &SavedView,
        place: Option<u32>,
    ) -> Result<Vec<SavedSearch>, CommandError> {
        let text = stored::json(view)?;
        let place = place.map(|place| place as usize);
        Ok(views(&self.app.session()?.search().save(name, text, place).await?))
    }

    /// Gives a saved search another name.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` or `not_found`.
    pub async fn rename_saved_search(&self, id: &str, name: &str) -> Result<Vec<SavedSearch>, CommandError> {
        let id = wire::id("id", id)?;
        Ok(views(&self.app.session()?.search().rename_saved(id, name).await?))
    }

    /// Moves a saved search to a place counted from 0.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn move_saved_search(&self, id: &str, place: u32) -> Result<Vec<SavedSearch>, CommandError> {
        let id = wire::id("id", id)?;
        Ok(views(&self.app.session()?.search().move_saved(id, place as usize).await?))
    }

    /// Removes a saved search.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn remove_saved_search(&self, id: &str) -> Result<Vec<SavedSearch>, CommandError> {
        let id = wire::id("id", id)?;
        Ok(views(&self.app.session()?.search().remove_saved(id).await?))
    }
}

fn views(searches: &SavedSearches) -> Vec<SavedSearch> {
    searches.all().iter().map(view).collect()
}

fn view(search: &saved::SavedSearch) -> SavedSearch {
    SavedSearch {
        id: search.id.to_string(),
        name: search.name().to_owned(),
        view: stored::parsed("saved search", search.view()).unwrap_or_default(),
    }
}
