//! Searches that the worldbuilder saved: their names, their order and how many there may be.

use crate::{
    ids::SavedSearchId,
    text::{self, TextError},
};

/// Maximum number of saved searches of a workspace.
pub const MAX_SAVED: usize = 200;
/// Maximum length of what a search looks for, in bytes.
pub const MAX_VIEW_BYTES: usize = 64 * 1024;

/// Why a saved search is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSavedSearch {
    /// The name breaks a text rule.
    #[error(transparent)]
    Name(#[from] TextError),
    /// Another one has the name, in whatever case.
    #[error("another saved search has this name")]
    NameTaken,
    /// What it looks for is too long.
    #[error("the search is too long to be saved: {actual} bytes, at most {MAX_VIEW_BYTES}")]
    TooLong {
        /// Actual length.
        actual: usize,
    },
    /// The workspace has too many.
    #[error("there are {MAX_SAVED} saved searches already; remove one first")]
    Full,
}

/// A search under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSearch {
    pub id: SavedSearchId,
    name: String,
    view: String,
}

impl SavedSearch {
    /// Checks a search. `view` is what it looks for, a JSON object.
    ///
    /// # Errors
    /// [`InvalidSavedSearch`] with the broken rule.
    pub fn new(id: SavedSearchId, name: &str, view: String) -> Result<Self, InvalidSavedSearch> {
        if view.len() > MAX_VIEW_BYTES {
            return Err(InvalidSavedSearch::TooLong { actual: view.len() });
        }
        Ok(Self { id, name: text::label("name", name)?, view })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it looks for, a JSON object.
    pub fn view(&self) -> &str {
        &self.view
    }

    fn has_name(&self, name: &str) -> bool {
        text::fold(&self.name) == text::fold(name)
    }
}

/// The saved searches of a workspace in the worldbuilder's order, each under a name of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SavedSearches(Vec<SavedSearch>);

impl SavedSearches {
    /// The searches as they are stored.
    pub const fn stored(searches: Vec<SavedSearch>) -> Self {
        Self(searches)
    }

    /// All of them in their order.
    pub fn all(&self) -> &[SavedSearch] {
        &self.0
    }

    /// The search with this name, in whatever case, or with this id.
    pub fn find(&self, name_or_id: &str) -> Option<&SavedSearch> {
        self.0.iter().find(|search| search.has_name(name_or_id) || search.id.to_string() == name_or_id)
    }

    /// Adds a search at a place counted from 0, or at the end.
    ///
    /// # Errors
    /// [`InvalidSavedSearch::NameTaken`] or [`InvalidSavedSearch::Full`].
    pub fn add(&mut self, search: SavedSearch, place: Option<usize>) -> Result<(), InvalidSavedSearch> {
        if self.0.len() >= MAX_SAVED {
            return Err(InvalidSavedSearch::Full);
        }
        if self.0.iter().any(|other| other.has_name(&search.name)) {
            return Err(InvalidSavedSearch::NameTaken);
        }
        let end = self.0.len();
        self.0.insert(place.unwrap_or(end).min(end), search);
        Ok(())
    }

    /// Gives a search another name. False if there is no such search.
    ///
    /// # Errors
    /// [`InvalidSavedSearch`] if the name breaks a text rule or another search has it.
    pub fn rename(&mut self, id: SavedSearchId, name: &str) -> Result<bool, InvalidSavedSearch> {
        let name = text::label("name", name)?;
        if self.0.iter().any(|other| other.id != id && other.has_name(&name)) {
            return Err(InvalidSavedSearch::NameTaken);
        }
        let Some(search) = self.0.iter_mut().find(|search| search.id == id) else { return Ok(false) };
        search.name = name;
        Ok(true)
    }

    /// Moves a search to a place counted from 0, or to the end if there are fewer. False if there is no such search.
    pub fn move_to(&mut self, id: SavedSearchId, place: usize) -> bool {
        let Some(at) = self.0.iter().position(|search| search.id == id) else { return false };
        let search = self.0.remove(at);
        self.0.insert(place.min(self.0.len()), search);
        true
    }

    /// Removes a search. False if there is no such search.
    pub fn remove(&mut self, id: SavedSearchId) -> bool {
        let before = self.0.len();
        self.0.retain(|search| search.id != id);
        self.0.len() < before
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn id(n: u8) -> SavedSearchId {
        SavedSearchId::from_uuid(Uuid::from_u128(u128::from(n) + 1))
    }

    fn search(n: u8, name: &str) -> SavedSearch {
        SavedSearch::new(id(n), name, "{}".to_owned()).expect("it is valid")
    }

    #[derive(Debug, Clone)]
    enum Step {
        Add(u8, String, Option<usize>),
        Rename(u8, String),
        Move(u8, usize),
        Remove(u8),
    }

    fn step() -> impl Strategy<Value = Step> {
        let name = || "[a-cA-C ]{0,3}";
        prop_oneof![
            (any::<u8>(), name(), proptest::option::of(0_usize..300))
                .prop_map(|(n, name, place)| Step::Add(n, name, place)),
            (0_u8..6, name()).prop_map(|(n, name)| Step::Rename(n, name)),
            (0_u8..6, 0_usize..300).prop_map(|(n, place)| Step::Move(n, place)),
            (0_u8..6).prop_map(Step::Remove),
        ]
    }

    proptest! {
        #[test]
        fn whatever_is_done_each_search_has_a_name_of_its_own_and_a_refusal_changes_nothing(
            steps in proptest::collection::vec(step(), 0..60),
        ) {
            let mut searches = SavedSearches::default();
            for step in steps {
                let before = searches.clone();
                let done = match step {
                    Step::Add(n, name, place) => SavedSearch::new(id(n), &name, "{}".to_owned())
                        .and_then(|search| {
                            if before.all().iter().any(|other| other.id == search.id) {
                                return Ok(false);
                            }
                            searches.add(search, place).map(|()| true)
                        }),
                    Step::Rename(n, name) => searches.rename(id(n), &name),
                    Step::Move(n, place) => Ok(searches.move_to(id(n), place)),
                    Step::Remove(n) => Ok(searches.remove(id(n))),
                };
                if done != Ok(true) {
                    prop_assert_eq!(&before, &searches);
                }
                let mut names: Vec<String> =
                    searches.all().iter().map(|search| text::fold(search.name())).collect();
                let all = names.len();
                names.sort_unstable();
                names.dedup();
                prop_assert_eq!(names.len(), all);
                prop_assert!(names.iter().all(|name| !name.trim().is_empty()));
            }
        }
    }

    #[test]
    fn a_removed_search_comes_back_to_its_place_and_a_move_keeps_the_others_in_order() {
        let mut searches = SavedSearches::default();
        for (n, name) in [(0, "Salt"), (1, "Oaths"), (2, "Gates")] {
            searches.add(search(n, name), None).expect("there is room");
        }
        let names = |searches: &SavedSearches| {
            searches.all().iter().map(|it| it.name().to_owned()).collect::<Vec<_>>()
        };
        assert!(searches.remove(id(1)));
        searches.add(search(1, "Oaths"), Some(1)).expect("there is room");
        assert_eq!(names(&searches), ["Salt", "Oaths", "Gates"]);
        assert!(searches.move_to(id(2), 0));
        assert_eq!(names(&searches), ["Gates", "Salt", "Oaths"]);
        assert!(searches.move_to(id(2), 900));
        assert_eq!(names(&searches), ["Salt", "Oaths", "Gates"]);
    }

    #[test]
    fn a_name_is_taken_in_whatever_case_and_the_number_of_searches_is_bounded() {
        let mut searches = SavedSearches::default();
        searches.add(search(0, "Salt"), None).expect("there is room");
        assert_eq!(searches.add(search(1, "sALT"), None), Err(InvalidSavedSearch::NameTaken));
        assert_eq!(searches.rename(id(0), "SALT"), Ok(true));
        for n in 1..MAX_SAVED {
            let n = u8::try_from(n).expect("fewer than 256");
            searches.add(search(n, &format!("Search {n}")), None).expect("there is room");
        }
        assert_eq!(searches.add(search(250, "One more"), None), Err(InvalidSavedSearch::Full));
        let long = SavedSearch::new(id(0), "Long", "x".repeat(MAX_VIEW_BYTES + 1));
        assert_eq!(long, Err(InvalidSavedSearch::TooLong { actual: MAX_VIEW_BYTES + 1 }));
    }
}
