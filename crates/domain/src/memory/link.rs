//! Links between entries. A link is a part of the entry that holds it, so it is versioned, undone, locked, exported and
//! scrubbed with it.

use crate::{calendar::story_point::StoryPoint, ids::MemoryId, scope::words, text::TextError};

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
    /// A subject that knows of it. Without such a link, everybody does.
    KnownBy,
}

words!(LinkRole, "role", { From => "from", To => "to", About => "about", KnownBy => "known_by" });

/// A link of an entry to another entry of the same database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// What the target is to the entry.
    pub role: LinkRole,
    /// The entry that it leads to. It may be forgotten or destroyed; such a link is not shown.
    pub target: MemoryId,
    /// When a knower learned of it; `None`: always knew, and for every other role.
    pub since: Option<StoryPoint>,
}

impl Link {
    /// A link without a time.
    pub const fn new(role: LinkRole, target: MemoryId) -> Self {
        Self { role, target, since: None }
    }

    /// A subject that knows of the entry, since a time or always.
    pub const fn known_by(target: MemoryId, since: Option<StoryPoint>) -> Self {
        Self { role: LinkRole::KnownBy, target, since }
    }
}

/// The stored form of links: sorted, each role and target once. Of two times of one knower the later one stays, because it
/// tells less.
///
/// # Errors
/// [`TextError::TooLong`] with field `links` for more than [`MAX_LINKS`].
pub fn sorted(mut links: Vec<Link>) -> Result<Vec<Link>, TextError> {
    links.sort_unstable_by(|a, b| (a.role, a.target).cmp(&(b.role, b.target)).then(b.since.cmp(&a.since)));
    links.dedup_by_key(|link| (link.role, link.target));
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
