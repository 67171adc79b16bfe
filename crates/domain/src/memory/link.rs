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

/// True if links let somebody know of an entry who did not know of it through the links that it had.
pub fn widens_knowledge(before: &[Link], after: &[Link]) -> bool {
    let knowers = |links: &[Link]| -> Vec<Link> {
        links.iter().filter(|link| link.role == LinkRole::KnownBy).copied().collect()
    };
    let (before, after) = (knowers(before), knowers(after));
    let did_know = |new: &Link| {
        // A later time tells less, and which of a date and a chapter is later is not known here.
        let same = |old: &&Link| old.target == new.target && (old.since.is_none() || old.since == new.since);
        before.iter().any(|old| same(&old))
    };
    !before.is_empty() && (after.is_empty() || !after.iter().all(did_know))
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

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::calendar::moment::Moment;

    fn knows(n: u128, day: Option<i64>) -> Link {
        let since = day.map(|day| StoryPoint::Moment(Moment::on_day(day).expect("in range")));
        Link::known_by(MemoryId::from_uuid(Uuid::from_u128(n)), since)
    }

    #[test]
    fn knowledge_is_widened_by_new_knowers_by_earlier_times_and_by_none() {
        let about = Link { role: LinkRole::About, ..knows(9, None) };
        for (before, after, widens) in [
            (vec![], vec![], false),
            (vec![about], vec![], false),
            (vec![], vec![knows(1, None)], false),
            (vec![knows(1, None)], vec![], true),
            (vec![knows(1, None)], vec![about], true),
            (vec![knows(1, None)], vec![knows(1, None), about], false),
            (vec![knows(1, None), knows(2, None)], vec![knows(2, None)], false),
            (vec![knows(1, None)], vec![knows(1, None), knows(2, Some(7))], true),
            (vec![knows(1, None)], vec![knows(1, Some(7))], false),
            (vec![knows(1, Some(7))], vec![knows(1, Some(7))], false),
            (vec![knows(1, Some(7))], vec![knows(1, None)], true),
            (vec![knows(1, Some(7))], vec![knows(1, Some(3))], true),
        ] {
            assert_eq!(widens_knowledge(&before, &after), widens, "{before:?} {after:?}");
        }
    }
}
