//! Matches an import file of another program to the earlier import that it continues. Books are recognised by their
//! contents, because file names (`lorebook.json`) and entry numbers repeat.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::text::{fold, mark};

/// The properties of an imported entry that distinguish books.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceEntry {
    /// Id in the imported data.
    pub id: String,
    /// Title in the imported data; empty if none.
    pub title: String,
    /// Its text; for a stored entry, also the earlier versions.
    pub texts: Vec<String>,
}

/// How certain it is that a file continues an earlier import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// Ids and titles agree, but most texts differ: a person has to decide.
    Doubtful,
    /// Most entries are the same.
    Same,
}

/// An earlier import that a file may continue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Key of the earlier import.
    pub key: String,
    /// Number of its entries.
    pub entries: usize,
    /// How certain it is.
    pub likeness: Likeness,
    /// Entries of the file whose text is unchanged.
    pub alike: usize,
    /// Entries of the file that continue an earlier entry with another text.
    pub changed: usize,
}

/// The entry of an earlier import that an entry of a file continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Continued {
    /// Its id in the store.
    pub stored_id: String,
    /// True if it had the text of the file at some time.
    pub same_text: bool,
}

/// An entry of an earlier import.
#[derive(Debug)]
struct ImportedEntry {
    stored_id: String,
    title: Option<u64>,
    texts: HashSet<u64>,
    /// Of the latest versions.
    sketches: Vec<Vec<u64>>,
}

/// The entries of an earlier import.
#[derive(Debug, Default)]
struct Book {
    entries: Vec<ImportedEntry>,
    by_stored_id: HashMap<String, usize>,
    by_id: HashMap<String, Vec<usize>>,
    by_text: HashMap<u64, Vec<usize>>,
}

/// Hashes of a file's entry.
struct Arriving {
    title: Option<u64>,
    text: u64,
    sketch: Vec<u64>,
}

/// Evidence that an entry continues an earlier one, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Evidence {
    Text,
    /// The same text under another title. Cards of one author share such texts: instructions, a greeting, a scenario.
    TextAlone,
    UniqueId,
    SimilarText,
    Title,
}

fn text_mark(text: &str) -> u64 {
    mark(text.split_whitespace().flat_map(|word| word.bytes().chain([b' '])))
}

fn title_mark(title: &str) -> Option<u64> {
    let title = fold(title);
    (!title.is_empty()).then(|| mark(title.bytes()))
}

/// Number of words in a sketch. Enough for an estimate, and little beside a long text.
const SKETCH: usize = 64;
/// Versions of an entry whose words are compared.
const VERSIONS: usize = 8;

/// Entries of one text or number that are compared with an entry. Files with thousands of equal texts stay cheap.
const LOOKED_AT: usize = 500;

/// A sample of the words of a text: the smallest hashes. Equal texts have equal sketches.
fn sketch(text: &str) -> Vec<u64> {
    let mut marks: Vec<u64> = text.split_whitespace().map(|word| mark(fold(word).bytes())).collect();
    marks.sort_unstable();
    marks.dedup();
    marks.truncate(SKETCH);
    marks
}

/// True if two texts share at least this percentage of their words, estimated from their sketches.
fn is_similar(one: &[u64], other: &[u64], percent: usize) -> bool {
    let mut all: Vec<u64> = one.iter().chain(other).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(SKETCH);
    let shared = all.iter().filter(|mark| one.contains(mark) && other.contains(mark)).count();
    shared > 0 && shared * 100 >= all.len() * percent
}

impl Book {
    fn added(&mut self, stored_id: &str, entry: &SourceEntry) -> usize {
        let at = self.entries.len();
        self.by_stored_id.insert(stored_id.to_owned(), at);
        self.by_id.entry(entry.id.clone()).or_default().push(at);
        self.entries.push(ImportedEntry {
            stored_id: stored_id.to_owned(),
            title: title_mark(&entry.title),
            texts: HashSet::new(),
            sketches: entry.texts.iter().take(VERSIONS).map(|text| sketch(text)).collect(),
        });
        at
    }

    fn note(&mut self, stored_id: &str, entry: &SourceEntry) {
        // The same entry can stand in several places, for example in two channels.
        let known = self.by_stored_id.get(stored_id).filter(|_| !stored_id.is_empty()).copied();
        let at = known.unwrap_or_else(|| self.added(stored_id, entry));
        for text in entry.texts.iter().map(|text| text_mark(text)) {
            if self.entries[at].texts.insert(text) {
                self.by_text.entry(text).or_default().push(at);
            }
        }
    }

    /// The earlier entry that each entry continues, with the evidence. Each earlier entry is continued once.
    fn aligned(&self, entries: &[SourceEntry]) -> Vec<Option<(usize, Evidence)>> {
        let arriving: Vec<Arriving> = entries
            .iter()
            .map(|entry| {
                let text = entry.texts.first().map_or("", String::as_str);
                Arriving { title: title_mark(&entry.title), text: text_mark(text), sketch: sketch(text) }
            })
            .collect();
        let mut found: Vec<Option<(usize, Evidence)>> = vec![None; entries.len()];
        let mut claimed = vec![false; self.entries.len()];
        let none = Vec::new();
        let by_id = |entry: &SourceEntry| self.by_id.get(&entry.id).unwrap_or(&none);
        // Entries without a text are not alike for it.
        let by_text =
            |now: &Arriving| self.by_text.get(&now.text).filter(|_| !now.sketch.is_empty()).unwrap_or(&none);
        // Where the search in the list of a text starts: everything before is claimed.
        let mut starts: HashMap<u64, usize> = HashMap::new();
        // An entry that was moved in its file has another number, so its text counts for more than its number.
        for pass in 0..6 {
            for (n, (entry, now)) in entries.iter().zip(&arriving).enumerate() {
                if found[n].is_some() {
                    continue;
                }
                let (candidates, evidence) = match pass {
                    0 => (by_id(entry), Evidence::Text),
                    1 => (by_id(entry), Evidence::UniqueId),
                    2 | 5 => (by_text(now), Evidence::Text),
                    3 => (by_id(entry), Evidence::SimilarText),
                    _ => (by_id(entry), Evidence::Title),
                };
                let is_by_text = matches!(pass, 2 | 5);
                let mut from_first = 0;
                let start = if is_by_text { starts.entry(now.text).or_default() } else { &mut from_first };
                while candidates.get(*start).is_some_and(|at| claimed[*at]) {
                    *start += 1;
                }
                let fits = |at: &&usize| {
                    let known = &self.entries[**at];
                    let likeness = if now.title.is_some() { 50 } else { 75 };
                    let same_title = now.title.is_some() && now.title == known.title;
                    !claimed[**at]
                        && match pass {
                            0 => known.texts.contains(&now.text),
                            1 => is_unique(&entry.id),
                            2 => now.title == known.title,
                            3 => {
                                now.title == known.title
                                    && known
                                        .sketches
                                        .iter()
                                        .any(|known| is_similar(&now.sketch, known, likeness))
                            }
                            4 => same_title,
                            _ => true,
                        }
                };
                if let Some(at) = candidates.iter().skip(*start).take(LOOKED_AT).find(fits) {
                    claimed[*at] = true;
                    let same_title = now.title == self.entries[*at].title;
                    let is_alone = evidence == Evidence::Text && !same_title;
                    found[n] = Some((*at, if is_alone { Evidence::TextAlone } else { evidence }));
                }
            }
        }
        found
    }

    /// Compares a file with the book; `is_named` if the file has its name. `None` if they have too little in common.
    fn compared(&self, key: &str, entries: &[SourceEntry], is_named: bool) -> Option<Match> {
        let aligned = self.aligned(entries);
        let of = |wanted: &[Evidence]| {
            aligned.iter().flatten().filter(|(_, evidence)| wanted.contains(evidence)).count()
        };
        let certain = of(&[Evidence::Text, Evidence::UniqueId, Evidence::SimilarText]);
        let renamed = of(&[Evidence::TextAlone]);
        let all = certain + renamed + of(&[Evidence::Title]);
        let smaller = entries.len().min(self.entries.len());
        // Under other titles, nearly all texts have to be the same.
        let is_renamed = renamed > 0 && (certain + renamed) * 10 >= smaller * 9;
        let is_same = certain * 2 > smaller || is_renamed || (is_named && certain > 0 && all * 2 > smaller);
        let is_doubtful = all > 0 && all * 2 >= smaller;
        let likeness = match (is_same, is_doubtful) {
            (true, _) => Likeness::Same,
            (false, true) => Likeness::Doubtful,
            (false, false) => return None,
        };
        let alike = of(&[Evidence::Text, Evidence::TextAlone]);
        let (key, entries) = (key.to_owned(), self.entries.len());
        Some(Match { key, entries, likeness, alike, changed: all - alike })
    }
}

/// The earlier imports of a format by key.
#[derive(Debug, Default)]
pub struct KnownSources {
    books: BTreeMap<String, Book>,
    stored_ids: HashSet<String>,
}

impl KnownSources {
    /// Records an entry of the import `source`, with its id in the store.
    pub fn note(&mut self, source: &str, stored_id: &str, entry: &SourceEntry) {
        self.stored_ids.insert(stored_id.to_owned());
        self.books.entry(source.to_owned()).or_default().note(stored_id, entry);
    }

    /// The earlier imports that a file with this name may continue, the likeliest first.
    pub fn matches(&self, name: &str, entries: &[SourceEntry]) -> Vec<Match> {
        let is_named = |key: &str| key == name || is_numbered(key, name);
        let mut matches: Vec<Match> =
            self.books.iter().filter_map(|(key, book)| book.compared(key, entries, is_named(key))).collect();
        let rank = |found: &Match| (found.likeness, found.alike + found.changed, found.key == name);
        matches.sort_by(|a, b| rank(b).cmp(&rank(a)).then_with(|| a.key.cmp(&b.key)));
        matches
    }

    /// The comparison of a file with one earlier import, also if they have little in common. `None` if there is no such
    /// import.
    pub fn compared(&self, key: &str, entries: &[SourceEntry]) -> Option<Match> {
        let book = self.books.get(key)?;
        let nothing = Match {
            key: key.to_owned(),
            entries: book.entries.len(),
            likeness: Likeness::Doubtful,
            alike: 0,
            changed: 0,
        };
        Some(book.compared(key, entries, true).unwrap_or(nothing))
    }

    /// The entry of the import `key` that each entry of a file continues. An entry whose number alone agrees continues
    /// none, so that no text is replaced by an unrelated one.
    pub fn continued(&self, key: &str, entries: &[SourceEntry]) -> Vec<Option<Continued>> {
        let Some(book) = self.books.get(key) else { return vec![None; entries.len()] };
        let continued = |found: Option<(usize, Evidence)>| {
            let known = &book.entries[found?.0];
            (!known.stored_id.is_empty()).then(|| Continued {
                stored_id: known.stored_id.clone(),
                same_text: found
                    .is_some_and(|(_, evidence)| matches!(evidence, Evidence::Text | Evidence::TextAlone)),
            })
        };
        book.aligned(entries).into_iter().map(continued).collect()
    }

    /// True if an entry has this id in the store.
    pub fn holds(&self, stored_id: &str) -> bool {
        self.stored_ids.contains(stored_id)
    }

    /// A key for a new import, made of the file's name.
    pub fn free_key(&self, name: &str) -> String {
        let numbered = (2_u64..).map(|number| format!("{name} ({number})"));
        let mut keys = std::iter::once(name.to_owned()).chain(numbered);
        keys.find(|key| !self.books.contains_key(key)).unwrap_or_default()
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
        let text =
            |n| format!("{of}{n} told {of}{n} what {of}{n} was in {of}{n} and {of}{n}x {of}{n}y {of}{n}z");
        (0..entries).map(|n| entry(n, &format!("{of} {n}"), &text(n))).collect()
    }

    fn known_sources(files: &[(&str, &[SourceEntry])]) -> KnownSources {
        let mut known = KnownSources::default();
        for (key, entries) in files {
            entries.iter().for_each(|entry| known.note(key, &format!("{key}:{}", entry.id), entry));
        }
        known
    }

    /// The likeliest earlier import with its likeness.
    fn best(known: &KnownSources, name: &str, entries: &[SourceEntry]) -> Option<(String, Likeness)> {
        known.matches(name, entries).first().map(|found| (found.key.clone(), found.likeness))
    }

    fn same(key: &str) -> (String, Likeness) {
        (key.to_owned(), Likeness::Same)
    }

    #[test]
    fn files_of_the_same_name_are_distinguished_by_content() {
        let (first, second) = (book("Ama", 107), book("Sel", 107));
        let mut all = vec![("lorebook", first.as_slice())];
        assert_eq!(best(&known_sources(&all), "lorebook", &second), None);
        assert_eq!(known_sources(&all).free_key("lorebook"), "lorebook (2)");
        all.push(("lorebook (2)", &second));
        assert_eq!(best(&known_sources(&all), "lorebook", &second), Some(same("lorebook (2)")));
        assert_eq!(best(&known_sources(&all), "lorebook", &first), Some(same("lorebook")));
        assert_eq!(best(&known_sources(&all), "lorebook", &book("Wen", 1)), None);
        assert_eq!(known_sources(&all).free_key("lorebook"), "lorebook (3)");
    }

    #[test]
    fn an_edited_entry_is_the_same_file_and_another_text_of_the_same_title_is_doubtful() {
        let one = [entry(0, "Sel", "The river runs north.")];
        let edited = [entry(0, "Sel", "The river runs south.")];
        let other = [entry(0, "Sel", "A pilot who hates fish.")];
        let all = known_sources(&[("book", &one)]);
        assert_eq!(best(&all, "other", &edited), Some(same("book")));
        assert_eq!(best(&all, "book", &other), Some(("book".to_owned(), Likeness::Doubtful)));
        let mut sharing = book("Wen", 9);
        sharing.push(entry(0, "Sel", "The river runs north."));
        let first = book("Ama", 9).into_iter().chain(one).collect::<Vec<_>>();
        assert_eq!(best(&known_sources(&[("book", &first)]), "book", &sharing), None);
    }

    #[test]
    fn an_entry_is_never_replaced_because_its_number_agrees() {
        let first = book("Ama", 5);
        // The same book with an entry inserted in front: every number is another one.
        let mut shifted = vec![entry(0, "New", "A new text.")];
        shifted.extend(first.iter().enumerate().map(|(n, old)| entry(n + 1, &old.title, &old.texts[0])));
        let all = known_sources(&[("book", &first)]);
        let continued = all.continued("book", &shifted);
        assert_eq!(continued[0], None);
        for (n, found) in continued.iter().skip(1).enumerate() {
            let found = found.as_ref().expect("known by its text");
            assert_eq!((found.stored_id.as_str(), found.same_text), (format!("book:{n}").as_str(), true));
        }
        let one = [entry(0, "Ama 3", &first[3].texts[0])];
        assert_eq!(
            all.continued("book", &one)[0].as_ref().map(|found| found.stored_id.as_str()),
            Some("book:3")
        );
    }

    #[test]
    fn files_that_share_texts_under_other_titles_are_not_identified() {
        // Two cards of one author: only what describes the character differs.
        let card = |name: &str, about: &str| {
            let shared = ["dry", "At the ford.", "Well?", "Write tersely, in the present tense."];
            let mut entries = vec![SourceEntry {
                id: "card:description".to_owned(),
                title: name.to_owned(),
                texts: vec![about.to_owned()],
            }];
            entries.extend(shared.iter().enumerate().map(|(n, text)| SourceEntry {
                id: format!("card:{n}"),
                title: format!("{name}: part {n}"),
                texts: vec![(*text).to_owned()],
            }));
            entries
        };
        let first = card("Ysolde", "She runs the ferry and trusts nobody.");
        let all = known_sources(&[("card", &first)]);
        let other = card("Kaito", "A broker with one glass eye.");
        assert_eq!(best(&all, "card", &other), Some(("card".to_owned(), Likeness::Doubtful)));
        let mut renamed = card("Ysolde the Bold", "She runs the ferry and trusts nobody.");
        assert_eq!(best(&all, "other", &renamed), Some(same("card")));
        renamed[0].texts = vec!["Told anew.".to_owned()];
        assert_eq!(best(&all, "card", &renamed), Some(("card".to_owned(), Likeness::Doubtful)));
        let mut edited = first.clone();
        edited[0].texts = vec!["Told anew.".to_owned()];
        assert_eq!(best(&all, "other", &edited), Some(same("card")));
    }

    #[test]
    fn texts_of_one_pattern_about_two_things_are_not_alike() {
        let entries_of = |of: &str| -> Vec<SourceEntry> {
            (0..9)
                .map(|n| entry(n, &format!("{of} {n}"), &format!("What is told of {of} in chapter {n}.")))
                .collect()
        };
        assert_eq!(best(&known_sources(&[("book", &entries_of("Ama"))]), "book", &entries_of("Sel")), None);
    }

    #[test]
    fn changed_entries_are_counted() {
        let first = book("Ama", 6);
        let mut now = first.clone();
        now[2].texts = vec!["Written anew.".to_owned()];
        now.push(entry(9, "New", "A new text."));
        let all = known_sources(&[("book", &first)]);
        let found = &all.matches("renamed", &now)[0];
        assert_eq!((found.likeness, found.alike, found.changed, found.entries), (Likeness::Same, 5, 1, 6));
        assert!(all.compared("none", &now).is_none());
        assert_eq!(
            all.compared("book", &book("Sel", 3)).map(|found| (found.alike, found.changed)),
            Some((0, 0))
        );
    }

    proptest! {
        #[test]
        fn a_file_is_recognised_under_any_name_while_more_than_half_is_unchanged(
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
            let files = known_sources(&[("first", first.as_slice()), ("others", &others)]);
            prop_assert_eq!(best(&files, &name, &now), Some(same("first")));
        }

        /// Whatever two books hold, an entry is continued at most once, and only for its text, its title or its
        /// globally unique id.
        #[test]
        fn no_entry_is_continued_without_a_reason(
            first in proptest::collection::vec((0..9usize, "[AB]?", "[a-c] [a-c]"), 1..12),
            second in proptest::collection::vec((0..9usize, "[AB]?", "[a-c] [a-c]"), 1..12),
        ) {
            let made = |rows: Vec<(usize, String, String)>| {
                rows.into_iter().map(|(id, title, text)| entry(id, &title, &text)).collect::<Vec<_>>()
            };
            let (first, second) = (made(first), made(second));
            let mut all = KnownSources::default();
            for (n, entry) in first.iter().enumerate() {
                all.note("book", &n.to_string(), entry);
            }
            let continued = all.continued("book", &second);
            let mut seen = HashSet::new();
            for (entry, found) in second.iter().zip(&continued) {
                let Some(found) = found else { continue };
                prop_assert!(seen.insert(found.stored_id.clone()));
                let known = &first[found.stored_id.parse::<usize>().expect("a number")];
                prop_assert_eq!(found.same_text, known.texts == entry.texts);
                let shares_words = is_similar(&sketch(&known.texts[0]), &sketch(&entry.texts[0]), 75);
                let same_id = known.id == entry.id;
                let same_title = !entry.title.is_empty() && known.title == entry.title;
                prop_assert!(found.same_text || (same_id && (same_title || shares_words)));
            }
        }
    }
}
