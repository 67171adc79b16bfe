//! Identity of an import: which earlier import a file continues, and the ids of its entries.

use std::collections::HashSet;

use inklings_domain::transfer::import_source::{KnownSources, Likeness, Match, SourceEntry};

use crate::{
    error::CommandError,
    transfer::view::{ImportBook, ImportBookKind, ImportRequest, KnownBook},
    wire::count,
};

/// Maximum earlier imports that a plan offers.
const OFFERED: usize = 10;

/// What the worldbuilder said about the identity of a file.
#[derive(Debug, Clone, Default)]
pub struct BookChoice {
    /// Key of the earlier import that the file continues.
    same: Option<String>,
    /// True if the file continues none.
    is_new: bool,
}

impl BookChoice {
    /// The choice in a request.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid`, field `book`, if it says both.
    pub fn of(request: &ImportRequest) -> Result<Self, CommandError> {
        let (same, is_new) = (request.same_book.clone(), request.new_book);
        if is_new && same.is_some() {
            return Err(refused("A book cannot be the same as an earlier one and another one."));
        }
        Ok(Self { same, is_new })
    }
}

fn refused(message: impl Into<String>) -> CommandError {
    CommandError::invalid("book", message)
}

/// The identity of a file and of its entries.
pub struct Identity {
    /// What the plan tells of it.
    pub book: ImportBook,
    /// The stored id of each entry.
    pub ids: Vec<String>,
}

/// Format of a file, and how its entries are identified.
pub struct Naming<'n> {
    /// Stable name of the format.
    pub format: &'n str,
    /// Name of the file without its ending.
    pub name: &'n str,
    /// True if an entry keeps the id of the file as it is while no other book has it.
    pub plain_ids: bool,
}

fn offered(found: &Match) -> KnownBook {
    KnownBook {
        id: found.key.clone(),
        entries: count(found.entries),
        alike: count(found.alike),
        changed: count(found.changed),
    }
}

/// Identifies a file by its contents or by the choice. A doubtful file counts as another book, because that changes no
/// existing entry.
///
/// # Errors
/// [`CommandError`] of code `invalid`, field `book`, for a choice of an import that does not exist.
pub fn identify(
    naming: &Naming<'_>,
    entries: &[SourceEntry],
    known: &KnownSources,
    choice: &BookChoice,
) -> Result<Identity, CommandError> {
    let matches = known.matches(naming.name, entries);
    let likeliest = matches.first().map(|found| found.likeness);
    let (kind, chosen) = match (&choice.same, choice.is_new, likeliest) {
        (Some(key), _, _) => {
            let found = known.compared(key, entries);
            let message =
                "There is no such earlier import of this format. The preview lists those that may be meant.";
            (ImportBookKind::Same, Some(found.ok_or_else(|| refused(message))?))
        }
        (None, true, _) | (None, false, None) => (ImportBookKind::New, None),
        (None, false, Some(Likeness::Same)) => (ImportBookKind::Same, matches.first().cloned()),
        (None, false, Some(Likeness::Doubtful)) => (ImportBookKind::Doubtful, None),
    };
    let key = chosen.as_ref().map_or_else(|| known.free_key(naming.name), |found| found.key.clone());
    let continued = match &chosen {
        Some(found) => known.continued(&found.key, entries),
        None => vec![None; entries.len()],
    };
    let mut used: HashSet<String> = continued.iter().flatten().map(|found| found.stored_id.clone()).collect();
    let ids = entries
        .iter()
        .zip(continued)
        .map(|(entry, continued)| match continued {
            Some(found) => found.stored_id,
            None => fresh_id(naming, &key, &entry.id, known, &mut used),
        })
        .collect();
    let (alike, changed) = chosen.as_ref().map_or((0, 0), |found| (found.alike, found.changed));
    let book = ImportBook {
        id: key,
        kind,
        chosen: choice.is_new || choice.same.is_some(),
        alike: count(alike),
        changed: count(changed),
        added: count(entries.len() - alike - changed),
        known: matches.iter().take(OFFERED).map(offered).collect(),
    };
    Ok(Identity { book, ids })
}

/// An id that no other entry has.
fn fresh_id(
    naming: &Naming<'_>,
    key: &str,
    own_id: &str,
    known: &KnownSources,
    used: &mut HashSet<String>,
) -> String {
    let is_free = |id: &str, used: &HashSet<String>| !known.holds(id) && !used.contains(id);
    let mut id = own_id.to_owned();
    if !naming.plain_ids || !is_free(&id, used) {
        id = format!("{}:{key}:{own_id}", naming.format);
        let base = id.clone();
        let mut twin = 2_u64;
        while !is_free(&id, used) {
            id = format!("{base}#{twin}");
            twin += 1;
        }
    }
    used.insert(id.clone());
    id
}

/// Refuses a file that may be an earlier book, until a person decides.
///
/// # Errors
/// [`CommandError`] of code `invalid`, field `book`.
pub fn decided(book: Option<&ImportBook>) -> Result<(), CommandError> {
    let Some(book) = book.filter(|book| book.kind == ImportBookKind::Doubtful) else { return Ok(()) };
    let known = book.known.first().map_or("", |known| known.id.as_str());
    Err(refused(format!(
        "This may be the book “{known}” with other texts, or another book with the same titles. Say which: the same \
         book, or a new one."
    )))
}
