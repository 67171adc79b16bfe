//! Pages of linked vaults among the documents of a search.

use std::ops::Range;

use inklings_domain::{
    ids::PageId,
    search::ranking::Contribution,
    vault::{BlockKind, PageBlock},
};
use inklings_ports::vault::store::StoredPage;

use crate::markdown::blocks::blocks;

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

/// The most bytes of an excerpt.
const MAX_EXCERPT_BYTES: usize = 1_200;

/// The part of a page that answers a search best, as agents are shown it. Without its path.
#[derive(Debug, Clone, PartialEq)]
pub struct PageExcerpt {
    pub id: PageId,
    pub title: String,
    /// The headings above the text, outermost first, joined by ` > `; empty before the first heading.
    pub heading: String,
    pub text: String,
    /// True if the page has more text.
    pub has_more: bool,
    /// As [`FoundPage::score`].
    pub score: f64,
    /// As [`FoundPage::contributions`].
    pub contributions: Vec<Contribution>,
}

impl FoundPage {
    /// The block with most of the query's words, else the one in which the nearest passage begins, with those that follow it
    /// under the same heading.
    pub fn excerpt(self) -> PageExcerpt {
        let content = &self.page.content;
        let blocks = blocks(content);
        let words = |block: &PageBlock| {
            let within = |span: &&Range<usize>| block.range.contains(&span.start);
            self.spans.iter().filter(within).count()
        };
        let is_text = |block: &PageBlock| block.kind != BlockKind::Heading;
        let passage = self.passage.as_ref().map_or(0, |range| range.start);
        let best = (0..blocks.len())
            .filter(|at| is_text(&blocks[*at]) && words(&blocks[*at]) > 0)
            .min_by_key(|at| std::cmp::Reverse(words(&blocks[*at])))
            .or_else(|| (0..blocks.len()).find(|at| is_text(&blocks[*at]) && blocks[*at].range.end > passage))
            .or_else(|| blocks.len().checked_sub(1));
        let mut range = 0..0;
        if let Some(best) = best {
            range = blocks[best].range.clone();
            // In a long block, what stands around the first of the words.
            let word = self.spans.iter().map(|span| span.start).find(|at| range.contains(at));
            if let Some(word) = word.filter(|at| at - range.start > MAX_EXCERPT_BYTES / 2) {
                range.start = content.floor_char_boundary(word - MAX_EXCERPT_BYTES / 4);
            }
            let below = blocks[best + 1..].iter().take_while(|block| block.heading == blocks[best].heading);
            for block in below.take_while(|block| block.range.end - range.start <= MAX_EXCERPT_BYTES) {
                range.end = block.range.end;
            }
            range.end = content.floor_char_boundary(range.end.min(range.start + MAX_EXCERPT_BYTES));
        }
        PageExcerpt {
            id: self.page.row.id,
            heading: best.map(|best| blocks[best].heading.clone()).unwrap_or_default(),
            text: content[range.clone()].to_owned(),
            has_more: range.len() < content.trim().len(),
            title: self.page.row.title,
            score: self.score,
            contributions: self.contributions,
        }
    }

    /// The headings above what the hit shows, outermost first, joined by ` > `; empty before the first heading.
    pub fn heading(&self) -> String {
        let shown = self.spans.first().or(self.passage.as_ref()).map_or(0, |range| range.start);
        let blocks = blocks(&self.page.content);
        let block = blocks.into_iter().take_while(|block| block.range.start <= shown).last();
        block.map(|block| block.heading).unwrap_or_default()
    }
}
