//! Port for content from which a memory could be derived. Such a memory is not stored.

use std::{fmt, sync::Arc};

use inklings_domain::{
    memory::{filter::ScopeFilter, guard::says_the_same},
    orientation::one_line,
    search::query,
    words,
};

use crate::{
    search::page_store::PageSearch,
    store_error::StoreError,
    vault::{filter::PageFilter, store::PageStore},
};

/// Maximum characters of a passage.
const PASSAGE_CHARS: usize = 300;
/// Pages that are compared with a text.
const COMPARED: usize = 8;
/// Words of a text that are looked up.
const MOST_WORDS: usize = 60;

/// What says a text already. It is shown to whoever wrote the text; it is in no log and no error message.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Passage {
    /// What it stands in: a page, a fact.
    pub place: String,
    /// The words.
    pub text: String,
}

impl fmt::Debug for Passage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Passage({} characters)", self.text.chars().count())
    }
}

impl Passage {
    /// The part of a known text that says a new one already; the beginning if it is the whole that does.
    pub fn of(place: impl Into<String>, known: &str, new: &str) -> Self {
        let sentence = known.split_inclusive(['.', '!', '?', '\n']).find(|part| says_the_same(new, part));
        let text = one_line(sentence.unwrap_or(known).trim(), PASSAGE_CHARS).0;
        Self { place: place.into(), text }
    }

    /// The passage for people and models.
    pub fn shown(&self) -> String {
        if self.place.is_empty() {
            format!("\"{}\"", self.text)
        } else {
            format!("{}: \"{}\"", self.place, self.text)
        }
    }
}

/// A body of text besides memories, facts and messages, which the use cases search themselves.
#[async_trait::async_trait]
pub trait DerivableSource: Send + Sync {
    /// What of the source says this text already, as far as a filter shows it.
    async fn derivable(&self, text: &str, filter: &ScopeFilter) -> Result<Option<Passage>, StoreError>;
}

/// The pages of linked vaults.
pub struct DerivablePages {
    /// Finds pages by their words.
    pub search: Arc<dyn PageSearch>,
    /// Reads pages.
    pub pages: Arc<dyn PageStore>,
}

#[async_trait::async_trait]
impl DerivableSource for DerivablePages {
    async fn derivable(&self, text: &str, filter: &ScopeFilter) -> Result<Option<Passage>, StoreError> {
        let filter = PageFilter::within(filter);
        if !filter.shows() {
            return Ok(None);
        }
        // Without operators: the text may contain quotes and dashes.
        let mut words = words::words(text);
        words.truncate(MOST_WORDS);
        let query = query::parse(&words.join(" ")).query;
        let hits = self.search.search_text(&query, &filter, COMPARED).await?;
        let ids: Vec<_> = hits.iter().map(|hit| hit.id).collect();
        if ids.is_empty() {
            return Ok(None);
        }
        for stored in self.pages.pages(&filter, &ids).await? {
            let read = stored.text();
            let found =
                read.blocks.iter().find(|block| says_the_same(text, &read.content[block.range.clone()]));
            if let Some(block) = found {
                let place = if block.heading.is_empty() {
                    format!("page '{}'", read.title)
                } else {
                    format!("page '{}' > {}", read.title, block.heading)
                };
                return Ok(Some(Passage::of(place, &read.content[block.range.clone()], text)));
            }
        }
        Ok(None)
    }
}
