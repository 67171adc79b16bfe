//! Links between entries. A link is a part of the entry that holds it, so it is versioned, undone, locked, exported and
//! scrubbed with it.

use crate::{ids::MemoryId, scope::words, text::TextError};

/// Maximum number of links of one entry.
pub const MAX_LINKS: usize = 64;

/// What the target of a link is to the entry that holds the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkRole {
    /// The subject that a relation starts at.
    From,
    /// The subject that a relation leads to.
    To,
    /// A subject that the text is about.
    About,
}

words!(LinkRole, "role", { From => "from", To => "to", About => "about" });

/// A link of an entry to another entry of the same database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// What the target is to the entry.
    pub role: LinkRole,
    /// The entry that it leads to. It may be forgotten or destroyed; such a link is not shown.
    pub target: MemoryId,
}

/// The stored form of links: sorted, each once.
///
/// # Errors
/// [`TextError::TooLong`] with field `links` for more than [`MAX_LINKS`].
pub fn sorted(mut links: Vec<Link>) -> Result<Vec<Link>, TextError> {
    links.sort_unstable();
    links.dedup();
    if links.len() > MAX_LINKS {
        return Err(TextError::TooLong {
            field: "links",
            actual: links.len(),
            limit: MAX_LINKS,
            unit: "links",
        });
    }
    Ok(links)
}
