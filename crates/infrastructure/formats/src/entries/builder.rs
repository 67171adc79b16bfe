//! Builds a collection within the size limits.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{
    Collection, DamagedFile, Format, FormatError, LeftBehind, Relation, Remark, Spot, ThirdPartyEntry,
    limits::{MAX_ENTRIES, MAX_EXTRA_BYTES, MAX_NAME_BYTES, MAX_NAMES, MAX_TEXT_BYTES, TOO_MANY},
};
use crate::text::Tally;

/// A collection under construction.
#[derive(Debug)]
pub struct Builder {
    format: Format,
    /// Name of the book.
    pub name: Option<String>,
    entries: Vec<ThirdPartyEntry>,
    ids: HashSet<String>,
    /// Problems tolerated so far.
    pub tally: Tally,
    /// Parts of the file that are not imported.
    pub left_behind: Vec<LeftBehind>,
    damaged: Vec<DamagedFile>,
    /// The error of the first damaged file.
    first_damage: Option<FormatError>,
}

impl Builder {
    /// An empty builder with the problems tolerated so far.
    pub fn new(format: Format, tally: Tally) -> Self {
        Self {
            format,
            name: None,
            entries: Vec::new(),
            ids: HashSet::new(),
            tally,
            left_behind: Vec::new(),
            damaged: Vec::new(),
            first_damage: None,
        }
    }

    /// Records a file of a folder that cannot be read, so that the others can.
    ///
    /// # Errors
    /// The error itself if it is about the whole folder.
    pub fn damaged(&mut self, error: FormatError, path: &str) -> Result<(), FormatError> {
        if error.is_of_whole() {
            return Err(error);
        }
        self.damaged.push(error.clone().into_damaged(path));
        self.first_damage.get_or_insert(error);
        Ok(())
    }

    /// Index of the next entry.
    pub const fn next(&self) -> usize {
        self.entries.len() + 1
    }

    /// Adds an entry. Makes a duplicate id unique by its position, so that the same file always gives the
    /// same ids.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`] if there are too many entries or this one is too large.
    pub fn push(&mut self, mut entry: ThirdPartyEntry) -> Result<(), FormatError> {
        let number = self.next();
        let large = |field, bound| Err(FormatError::large(Spot::field(number, field), bound));
        if number > MAX_ENTRIES {
            return Err(FormatError::large(Spot::default(), TOO_MANY));
        }
        if entry.content.len() > MAX_TEXT_BYTES {
            return large("content", "the text is longer than 1 MiB");
        }
        let lists = [entry.aliases.len(), entry.tags.len(), entry.about.len(), entry.known_by.len()];
        if lists.into_iter().any(|length| length > MAX_NAMES) {
            return large("names", "more than 1000 names or tags");
        }
        let relation = entry.relation.iter().flat_map(|Relation { relation, from, to }| [relation, from, to]);
        let lists = entry.aliases.iter().chain(&entry.tags).chain(&entry.about);
        let knowers =
            entry.known_by.iter().flat_map(|knower| std::iter::once(&knower.name).chain(&knower.since));
        let lists = lists.chain(knowers);
        let names = lists.chain(&entry.name).chain(&entry.external_id).chain(&entry.subject).chain(relation);
        if names.map(String::len).max().is_some_and(|length| length > MAX_NAME_BYTES) {
            return large("names", "a name, tag or id is longer than 4 KiB");
        }
        if weight(&entry.extra) > MAX_EXTRA_BYTES {
            return Err(FormatError::large(Spot::entry(number), "its other fields take more than 512 KiB"));
        }
        if let Some(id) = entry.external_id.as_mut().filter(|id| !self.ids.insert((*id).clone())) {
            self.tally.add("an id given twice", 1);
            let mut twin = number;
            while !self.ids.insert(format!("{id}#{twin}")) {
                twin += 1;
            }
            *id = format!("{id}#{twin}");
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Finishes the collection.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`] if the data outside of entries is too large. The error of the first damaged file if no
    /// other can be read.
    pub fn finish(mut self, extra: Map<String, Value>) -> Result<Collection, FormatError> {
        if let (Some(error), true) = (self.first_damage.take(), self.entries.is_empty()) {
            return Err(error);
        }
        let extra = Value::Object(extra);
        if weight(&extra) > MAX_EXTRA_BYTES {
            return Err(FormatError::large(Spot::default(), "its other fields take more than 512 KiB"));
        }
        let remarks = std::mem::take(&mut self.tally)
            .into_counts()
            .map(|(reason, count)| Remark { reason, count })
            .collect();
        let Self { format, name, entries, left_behind, damaged, .. } = self;
        Ok(Collection { format, name, entries, extra, remarks, left_behind, damaged })
    }
}

/// Size of a value as JSON, in bytes.
pub fn weight(value: &Value) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Values have string keys only and the counter accepts everything, so this cannot fail; a failure would
    // count as too large.
    serde_json::to_writer(&mut count, value).map_or(usize::MAX, |()| count.0)
}
