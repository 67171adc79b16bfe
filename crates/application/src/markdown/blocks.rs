//! Splits a Markdown text into blocks: headings, paragraphs, items of lists, quotes, tables and code.

use std::ops::Range;

use inklings_domain::{
    digest::hex,
    vault::{BlockKind, PageBlock},
};
use sha2::{Digest, Sha256};

use super::fence::Fences;

/// Between two headings of [`PageBlock::heading`].
const BELOW: &str = " > ";
/// Bytes of a digest that tell blocks apart.
const HASH_BYTES: usize = 16;

/// Digest of the text of a block.
pub fn block_hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..HASH_BYTES])
}

/// The blocks of a text, in order. They do not overlap; only blank lines are between them.
pub fn blocks(text: &str) -> Vec<PageBlock> {
    let mut reader = Reader { text, blocks: Vec::new(), open: None, headings: Vec::new() };
    let (mut fences, mut start) = (Fences::default(), 0);
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let goes_on = fences.is_open();
        if fences.is_code(line) {
            reader.line(BlockKind::Code, range, goes_on);
            if !fences.is_open() {
                reader.close();
            }
            continue;
        }
        let plain = line.trim();
        if plain.is_empty() {
            reader.close();
        } else if let Some((level, heading)) = heading(plain) {
            reader.heading(level, heading, range);
        } else if is_item(plain) {
            reader.line(BlockKind::ListItem, range, false);
        } else if plain.starts_with('>') {
            reader.line(BlockKind::Quote, range, true);
        } else if plain.starts_with('|') {
            reader.line(BlockKind::Table, range, true);
        } else {
            // A line without a mark of its own goes on with the item or quote before it.
            let kind =
                reader.open_kind().filter(|kind| matches!(kind, BlockKind::ListItem | BlockKind::Quote));
            reader.line(kind.unwrap_or(BlockKind::Paragraph), range, true);
        }
    }
    reader.close();
    reader.blocks
}

struct Reader<'t> {
    text: &'t str,
    blocks: Vec<PageBlock>,
    open: Option<(BlockKind, Range<usize>)>,
    /// The headings above, with their levels.
    headings: Vec<(usize, &'t str)>,
}

impl<'t> Reader<'t> {
    fn open_kind(&self) -> Option<BlockKind> {
        self.open.as_ref().map(|(kind, _)| *kind)
    }

    /// Adds a line to the open block if it goes on with one of its kind, else to a new one.
    fn line(&mut self, kind: BlockKind, range: Range<usize>, goes_on: bool) {
        match &mut self.open {
            Some((open, block)) if *open == kind && goes_on => block.end = range.end,
            _ => {
                self.close();
                self.open = Some((kind, range));
            }
        }
    }

    fn heading(&mut self, level: usize, heading: &'t str, range: Range<usize>) {
        self.close();
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, heading));
        self.open = Some((BlockKind::Heading, range));
        self.close();
    }

    fn close(&mut self) {
        let Some((kind, range)) = self.open.take() else { return };
        let whole = &self.text[range.clone()];
        let start = range.start + (whole.len() - whole.trim_start().len());
        let text = whole.trim();
        let heading = self.headings.iter().map(|(_, heading)| *heading).collect::<Vec<_>>().join(BELOW);
        let range = start..start + text.len();
        self.blocks.push(PageBlock { kind, heading, range, hash: block_hash(text) });
    }
}

/// Level and text of a heading `## Text`.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let is_heading = (1..=6).contains(&level) && (text.is_empty() || text.starts_with([' ', '\t']));
    is_heading.then(|| (level, text.trim().trim_end_matches('#').trim_end()))
}

/// True for `- item`, `* item`, `+ item`, `1. item` and `1) item`.
fn is_item(line: &str) -> bool {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = if (1..=9).contains(&digits) {
        line[digits..].strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '*', '+'])
    };
    rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_kind_of_block_is_found_with_its_headings() {
        let text = "Salt city.\nIt is old.\n\n# History #\nFounded late.\n- one\n  more\n- two\n1. three\n\n## Wars\n> a\nb\n\
                    \n| a | b |\n|---|---|\n```rust\n# no\n\nfn x\n```\nAfter.\n# Trade\n#tag\n";
        let found: Vec<(BlockKind, &str, &str)> = blocks(text)
            .iter()
            .map(|block| (block.kind, block.heading.clone().leak() as &str, &text[block.range.clone()]))
            .collect();
        assert_eq!(
            found,
            [
                (BlockKind::Paragraph, "", "Salt city.\nIt is old."),
                (BlockKind::Heading, "History", "# History #"),
                (BlockKind::Paragraph, "History", "Founded late."),
                (BlockKind::ListItem, "History", "- one\n  more"),
                (BlockKind::ListItem, "History", "- two"),
                (BlockKind::ListItem, "History", "1. three"),
                (BlockKind::Heading, "History > Wars", "## Wars"),
                (BlockKind::Quote, "History > Wars", "> a\nb"),
                (BlockKind::Table, "History > Wars", "| a | b |\n|---|---|"),
                (BlockKind::Code, "History > Wars", "```rust\n# no\n\nfn x\n```"),
                (BlockKind::Paragraph, "History > Wars", "After."),
                (BlockKind::Heading, "Trade", "# Trade"),
                (BlockKind::Paragraph, "Trade", "#tag"),
            ]
        );
    }

    proptest! {
        #[test]
        fn blocks_cover_every_text_without_overlap(text in "(#{1,7} |- |\n|\r\n|```|~~~|> |\\| |1\\. |\\PC){0,60}") {
            let mut end = 0;
            for block in blocks(&text) {
                prop_assert!(text[end..block.range.start].trim().is_empty());
                prop_assert!(!text[block.range.clone()].trim().is_empty());
                end = block.range.end;
            }
            prop_assert!(text[end..].trim().is_empty());
        }
    }
}
