//! Matches an import file of another program to the earlier import that it continues. Files are recognised by their
//! content, because file names (`lorebook.json`) and entry numbers repeat.

use std::collections::{BTreeMap, HashSet};

use crate::text::{fold, mark};

/// The properties of an imported entry that distinguish files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceEntry {
    /// Id in the imported data.
    pub id: String,
    /// Title in the imported data; empty if none.
    pub title: String,
    /// Its text; for a stored entry, also the earlier versions.
    pub texts: Vec<String>,
}

/// The entries of an earlier file.
#[derive(Debug, Default)]
struct Known {
    entries: usize,
    titles: HashSet<(String, u64)>,
    texts: HashSet<u64>,
    /// Globally unique ids.
    ids: HashSet<String>,
}

fn text_mark(text: &str) -> u64 {
    mark(text.split_whitespace().flat_map(|word| word.bytes().chain([b' '])))
}

fn title_mark(title: &str) -> Option<u64> {
    let title = fold(title);
    (!title.is_empty()).then(|| mark(title.bytes()))
}

/// The earlier files of a format by key.
#[derive(Debug, Default)]
pub struct KnownSources(BTreeMap<String, Known>);

impl KnownSources {
    /// Records an entry imported from the file `source`.
    pub fn note(&mut self, source: &str, entry: &SourceEntry) {
        let known = self.0.entry(source.to_owned()).or_default();
        known.entries += 1;
        known.texts.extend(entry.texts.iter().map(|text| text_mark(text)));
        known.ids.extend(Some(&entry.id).filter(|id| is_unique(id)).cloned());
        known.titles.extend(title_mark(&entry.title).map(|title| (entry.id.clone(), title)));
    }

    /// The key of the earlier file that a file continues, or a new key derived from its name.
    ///
    /// A file continues an earlier one if they share more than half of the entries of the smaller file, by text or by
    /// globally unique id. With the same name, it is enough if half of the entries keep their id and their title or
    /// text.
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

/// True for an id that contains a UUID; other ids are numbers and names, which repeat.
fn is_unique(id: &str) -> bool {
    id.split(':').any(|part| uuid::Uuid::try_parse(part).is_ok())
}

/// True for keys of the form `name (2)`.
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
