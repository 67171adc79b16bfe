//! Pages of linked vaults among the documents of a search.

use std::ops::Range;

use inklings_domain::search::ranking::Contribution;

use crate::{markdown::blocks::blocks, vault::store::StoredPage};

/// A page that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPage {
    /// The page with its text.
    pub page: StoredPage,
    /// Sum of the contributions.
    pub score: f64,
    /// Score contribution of each list.
    pub contributions: Vec<Contribution>,
    /// Byte ranges of the query's words in its content.
    pub spans: Vec<Range<usize>>,
    /// The passage nearest in meaning, if vector search found the page and its text has several: its bytes in the content.
    pub passage: Option<Range<usize>>,
}

impl FoundPage {
    /// The headings above what the hit shows, outermost first, joined by ` > `; empty before the first heading.
    pub fn heading(&self) -> String {
        let shown = self.spans.first().or(self.passage.as_ref()).map_or(0, |range| range.start);
        let blocks = blocks(&self.page.content);
        let block = blocks.into_iter().take_while(|block| block.range.start <= shown).last();
        block.map(|block| block.heading).unwrap_or_default()
    }
}
