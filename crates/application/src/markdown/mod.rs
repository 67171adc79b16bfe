//! Markdown as the programs of worldbuilders write it: front matter, wiki links, fences, blocks and tags. Import and linked
//! vaults read it by the same rules.

pub mod blocks;
pub mod fence;
pub mod front;
pub mod links;
pub mod tags;
pub mod wiki;

/// Maximum UTF-8 bytes of a name, an alias, a tag and the target of a link.
pub const MAX_NAME_BYTES: usize = 4096;
/// Maximum number of aliases, of tags, and of links of one text.
pub const MAX_NAMES: usize = 1000;
