//! Which earlier import a file of another program goes on from. Files are recognised by what they hold: their names repeat
//! (`lorebook.json`), and so do the numbers of their entries.

use std::collections::{BTreeMap, HashSet};

use crate::text::{fold, mark};

/// An entry of a file, or one that an earlier file brought, as far as it tells files apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceEntry {
    /// Its id there.
    pub id: String,
    /// What it is called there; empty if it has no title.
    pub title: String,
    /// Its text, and of one that is here the earlier ones too.
    pub texts: Vec<String>,
}

/// What an earlier file brought.
#[derive(Debug, Default)]
struct Known {
    entries: usize,
    titles: HashSet<(String, u64)>,
    texts: HashSet<u64>,
    /// Ids that no other file has.
    ids: HashSet<String>,
}

fn text_mark(text: &str) -> u64 {
    mark(text.split_whitespace().flat_map(|word| word.bytes().chain([b' '])))
}

fn title_mark(title: &str) -> Option<u64> {
    let title = fold(title);
    (!title.is_empty()).then(|| mark(title.bytes()))
}

/// The earlier files of a format by their keys.
#[derive(Debug, Default)]
pub struct KnownSources(BTreeMap<String, Known>);

impl KnownSources {
    /// Notes an entry that the file `source` brought.
    pub fn note(&mut self, source: &str, entry: &SourceEntry) {
        let known = self.0.entry(source.to_owned()).or_default();
        known.entries += 1;
        known.texts.extend(entry.texts.iter().map(|text| text_mark(text)));
        known.ids.extend(Some(&entry.id).filter(|id| is_unique(id)).cloned());
        known.titles.extend(title_mark(&entry.title).map(|title| (entry.id.clone(), title)));
    }

    /// The key of the earlier file that a file goes on from, or a new one made of its name.
    ///
    /// The same file has more than half of the texts, or ids that are unique anywhere, of whichever of the two is smaller.
    /// Under its old name it may have changed more: half of the entries that keep their id and their title, or their text, is
    /// enough.
    pub fn key_of(&self, name: &str, entries: &[SourceEntry]) -> String {
        let own = |key: &str| key == name || is_numbered(key, name);
        let mut best: Option<((usize, bool), &str)> = None;
        for (key, known) in &self.0 {
            let smaller = entries.len().min(known.entries);
            let same_text = |entry: &SourceEntry| {
                known.ids.contains(&entry.id)
                    || entry.texts.iter().any(|text| known.texts.contains(&text_mark(text)))
            };
            let same_title = |entry: &SourceEntry| {
                title_mark(&entry.title)
                    .is_some_and(|title| known.titles.contains(&(entry.id.clone(), title)))
            };
            let texts = entries.iter().filter(|entry| same_text(entry)).count();
            let either = entries.iter().filter(|entry| same_text(entry) || same_title(entry)).count();
            let same = texts * 2 > smaller || (own(key) && either > 0 && either * 2 >= smaller);
            let rank = (either, key == name);
            if same && best.is_none_or(|(most, _)| rank > most) {
                best = Some((rank, key));
            }
        }
        best.map_or_else(|| self.free_key(name), |(_, key)| key.to_owned())
    }

    fn free_key(&self, name: &str) -> String {
        let numbered = (2_u64..).map(|number| format!("{name} ({number})"));
        let mut keys = std::iter::once(name.to_owned()).chain(numbered);
        keys.find(|key| !self.0.contains_key(key)).unwrap_or_default()
    }
}

/// True for an id with a UUID in it; other ids are numbers and names, which repeat.
fn is_unique(id: &str) -> bool {
    id.split(':').any(|part| uuid::Uuid::try_parse(part).is_ok())
}

/// True for `name (2)` and the like.
fn is_numbered(key: &str, name: &str) -> bool {
    let number = key.strip_prefix(name).and_then(|rest| rest.strip_prefix(" (")?.strip_suffix(')'));
    number.is_some_and(|number| number.parse::<u64>().is_ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(id: usize, title: &str, text: &str) -> SourceEntry {
        SourceEntry { id: id.to_string(), title: title.to_owned(), texts: vec![text.to_owned()] }
    }

    fn book(of: &str, entries: usize) -> Vec<SourceEntry> {
        (0..entries).map(|n| entry(n, &format!("{of} {n}"), &format!("What is told of {of} {n}."))).collect()
    }

    fn known(files: &[(&str, &[SourceEntry])]) -> KnownSources {
        let mut known = KnownSources::default();
        for (key, entries) in files {
            entries.iter().for_each(|entry| known.note(key, entry));
        }
        known
    }

    #[test]
    fn a_name_alone_makes_no_file_the_same() {
        let (first, second) = (book("Ama", 107), book("Sel", 107));
        let mut all = vec![("lorebook", first.as_slice())];
        assert_eq!(known(&all).key_of("lorebook", &second), "lorebook (2)");
        all.push(("lorebook (2)", &second));
        assert_eq!(known(&all).key_of("lorebook", &second), "lorebook (2)");
        assert_eq!(known(&all).key_of("lorebook", &first), "lorebook");
        assert_eq!(known(&all).key_of("lorebook", &book("Wen", 1)), "lorebook (3)");
    }

    #[test]
    fn one_edited_entry_of_the_same_title_is_the_same_file_and_one_that_is_shared_is_not() {
        let one = [entry(0, "Sel", "The river runs north.")];
        let edited = [entry(0, "Sel", "The river runs south.")];
        assert_eq!(known(&[("book", &one)]).key_of("book", &edited), "book");
        assert_eq!(known(&[("book", &one)]).key_of("other", &edited), "other");
        let mut sharing = book("Wen", 9);
        sharing.push(entry(0, "Sel", "The river runs north."));
        let first = book("Ama", 9).into_iter().chain(one).collect::<Vec<_>>();
        assert_eq!(known(&[("book", &first)]).key_of("book", &sharing), "book (2)");
    }

    proptest! {
        #[test]
        fn a_file_is_known_under_any_name_while_more_than_half_of_it_stays(
            size in 1..40usize, changed in 0..20usize, added in 0..40usize, name in "[a-z]{1,8}",
        ) {
            let first = book("Ama", size);
            let others = book("Sel", size);
            let mut now = first.clone();
            for entry in now.iter_mut().take(changed.min((size - 1) / 2)) {
                entry.texts = vec![format!("Written anew: {}", entry.title)];
                entry.title = String::new();
            }
            now.extend((0..added).map(|n| entry(size + n, "", &format!("New {n}."))));
            let files = known(&[("first", first.as_slice()), ("others", &others)]);
            prop_assert_eq!(files.key_of(&name, &now), "first");
        }
    }
}
