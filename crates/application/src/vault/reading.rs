//! A page as agents read it: whole or by heading, in parts of a size that a model can take, and without its path.

use std::ops::Range;

use inklings_domain::{
    ids::PageId,
    text::fold,
    vault::{BlockKind, FileStat, PageBlock},
};
use inklings_ports::vault::filter::PageFilter;

use super::no_page;
use crate::{error::AppError, markdown::blocks::blocks, services::Vaults};

/// The most bytes of a page that one read gives.
pub const MAX_READ_BYTES: usize = 32 * 1024;
/// The most headings that one read lists.
const MAX_HEADINGS: usize = 200;

/// What of a page is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct PagePart<'p> {
    /// Only what is below this heading: its own text, or with the headings above it joined by ` > `.
    pub heading: Option<&'p str>,
    /// Where to go on, in bytes of the part.
    pub from: usize,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageReading {
    pub id: PageId,
    pub title: String,
    /// Its kind, from the front matter.
    pub kind: Option<String>,
    /// Its state of work, from the front matter.
    pub lifecycle: Option<String>,
    /// Its other names.
    pub aliases: Vec<String>,
    pub tags: Vec<String>,
    /// All its headings, each behind those above it.
    pub headings: Vec<String>,
    /// The heading that the text is below, if one was asked for.
    pub heading: Option<String>,
    pub text: String,
    /// Where the rest begins; `None` if there is none.
    pub next: Option<usize>,
    /// Size and time of its file.
    pub stat: FileStat,
}

impl Vaults<'_> {
    /// A part of a page as an agent reads it.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a page that there is not or that the filter does not let through;
    /// [`AppError::Input`] for a heading that it does not have.
    pub async fn read(
        &self,
        filter: &PageFilter,
        id: PageId,
        part: PagePart<'_>,
    ) -> Result<PageReading, AppError> {
        let stored = self.store().pages(filter, &[id]).await?.into_iter().next();
        let stored = stored.ok_or_else(|| no_page(id.to_string()))?;
        let (row, content) = (stored.row, stored.content);
        let blocks = blocks(&content);
        let (heading, range) = match part.heading {
            None => (None, 0..content.len()),
            Some(wanted) => {
                let (heading, range) = below(&blocks, wanted).ok_or_else(|| AppError::Input {
                    field: "heading",
                    message: "the page has no such heading; without a heading, its headings are listed"
                        .to_owned(),
                })?;
                (Some(heading), range)
            }
        };
        let of_part = &content[range];
        let start = of_part.floor_char_boundary(part.from.min(of_part.len()));
        let end = of_part.floor_char_boundary(start.saturating_add(MAX_READ_BYTES).min(of_part.len()));
        let is_heading = |block: &&PageBlock| block.kind == BlockKind::Heading;
        let headings = blocks.iter().filter(is_heading).map(|block| block.heading.clone());
        Ok(PageReading {
            id,
            title: row.title,
            kind: row.kind,
            lifecycle: row.lifecycle,
            aliases: row.aliases,
            tags: row.tags,
            headings: headings.take(MAX_HEADINGS).collect(),
            heading,
            text: of_part[start..end].to_owned(),
            next: (end < of_part.len()).then_some(end),
            stat: row.stat,
        })
    }
}

/// The heading with this text, and the bytes from it to the next one that is not below it.
fn below(blocks: &[PageBlock], wanted: &str) -> Option<(String, Range<usize>)> {
    let wanted = fold(wanted.trim().trim_start_matches('#').trim_start());
    let is_it = |block: &PageBlock| {
        let own = fold(&block.heading);
        block.kind == BlockKind::Heading
            && (own == wanted || own.rsplit(" > ").next().is_some_and(|last| last == wanted))
    };
    let at = blocks.iter().position(is_it)?;
    let heading = blocks[at].heading.clone();
    let inner = format!("{heading} > ");
    let mut part = blocks[at].range.clone();
    for block in &blocks[at + 1..] {
        let goes_on = block.heading.starts_with(&inner)
            || (block.heading == heading && block.kind != BlockKind::Heading);
        if !goes_on {
            break;
        }
        part.end = block.range.end;
    }
    Some((heading, part))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_heading_is_read_with_what_is_below_it() {
        let text = "Intro\n\n# History\nOld.\n\n## War\nSalt.\n\n# Trade\nFish.\n";
        let part = |heading: &str| below(&blocks(text), heading).map(|(_, range)| &text[range]);
        assert_eq!(part("history"), Some("# History\nOld.\n\n## War\nSalt."));
        assert_eq!(part("# History"), part("History"));
        assert_eq!(part("History > War"), Some("## War\nSalt."));
        assert_eq!(part("war"), part("History > War"));
        assert_eq!((part("Trade"), part("Fish")), (Some("# Trade\nFish."), None));
    }

    proptest! {
        #[test]
        fn a_part_of_any_text_begins_with_its_heading(text in "(# |## |a|b| |\n|é){0,40}") {
            let blocks = blocks(&text);
            for block in blocks.iter().filter(|block| block.kind == BlockKind::Heading) {
                if let Some((_, range)) = below(&blocks, &block.heading) {
                    prop_assert!(text[range].starts_with('#'));
                }
            }
        }
    }
}
