//! The searches that the worldbuilder saved.

use inklings_domain::{
    ids::SavedSearchId,
    search::saved::{SavedSearch, SavedSearches},
};
use inklings_ports::store_error::StoreError;

use crate::{error::AppError, services::Searcher};

/// Number of times that a change is made on what another process stored meanwhile.
const ATTEMPTS: usize = 5;

impl Searcher<'_> {
    /// The saved searches in the worldbuilder's order.
    pub async fn saved(&self) -> Result<SavedSearches, AppError> {
        Ok(self.session.workspace.saved_searches.saved_searches().await?)
    }

    /// Saves a search at a place counted from 0, or at the end. `view` is what it looks for, a JSON object.
    ///
    /// # Errors
    /// [`AppError::SavedSearch`] with the broken rule.
    pub async fn save(
        &self,
        name: &str,
        view: String,
        place: Option<usize>,
    ) -> Result<SavedSearches, AppError> {
        let search = SavedSearch::new(self.session.ids.saved_search_id(), name, view)?;
        self.change(|saved| Ok(saved.add(search.clone(), place)?)).await
    }

    /// Gives a saved search another name.
    ///
    /// # Errors
    /// [`AppError::SavedSearch`] with the broken rule; [`AppError::NotFound`].
    pub async fn rename_saved(&self, id: SavedSearchId, name: &str) -> Result<SavedSearches, AppError> {
        self.change(|saved| found(id, saved.rename(id, name)?)).await
    }

    /// Moves a saved search to a place counted from 0.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn move_saved(&self, id: SavedSearchId, place: usize) -> Result<SavedSearches, AppError> {
        self.change(|saved| found(id, saved.move_to(id, place))).await
    }

    /// Removes a saved search.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn remove_saved(&self, id: SavedSearchId) -> Result<SavedSearches, AppError> {
        self.change(|saved| found(id, saved.remove(id))).await
    }

    async fn change(
        &self,
        change: impl Fn(&mut SavedSearches) -> Result<(), AppError> + Send,
    ) -> Result<SavedSearches, AppError> {
        let store = self.session.workspace.saved_searches.as_ref();
        for _ in 0..ATTEMPTS {
            let read = store.saved_searches().await?;
            let mut changed = read.clone();
            change(&mut changed)?;
            if store.replace_saved_searches(&read, &changed).await? {
                return Ok(changed);
            }
        }
        Err(StoreError::Busy.into())
    }
}

fn found(id: SavedSearchId, was_found: bool) -> Result<(), AppError> {
    if was_found { Ok(()) } else { Err(AppError::NotFound { what: "saved search", name: id.to_string() }) }
}
