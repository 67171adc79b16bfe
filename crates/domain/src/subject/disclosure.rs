//! Whether more become known through an entry: by its own knowers, and by a membership that passes the knowledge of a group on.

use crate::{
    calendar::span::Span,
    ids::MemoryId,
    lens::{Membership, is_member_of},
    memory::{
        MemoryEntry,
        link::{Link, LinkRole, widens_knowledge},
    },
    provenance::Curator,
};

/// What of an entry decides who knows of it and of other entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disclosure {
    pub links: Vec<Link>,
    /// What it states of two subjects.
    pub relation: Option<String>,
    /// When it holds.
    pub span: Span,
    /// Whose text it is. A relation of an agent widens nobody's knowledge.
    pub curator: Curator,
    /// False if it was forgotten.
    pub is_active: bool,
}

/// What more know than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoreKnow {
    /// The entry itself.
    Entry,
    OfGroup(MemoryId),
}

impl Disclosure {
    /// That of an entry.
    pub fn of(entry: &MemoryEntry) -> Self {
        Self {
            links: entry.links.clone(),
            relation: entry.relation.clone(),
            span: entry.span,
            curator: entry.curator,
            is_active: entry.is_active(),
        }
    }

    /// The membership that it states. Its ends may be no subjects yet.
    pub fn membership(&self) -> Option<Membership> {
        let counts = self.is_active && self.curator != Curator::Agent;
        self.relation.as_deref().filter(|relation| counts && is_member_of(relation))?;
        let end = |role| self.links.iter().find(|link| link.role == role).map(|link| link.target);
        Some(Membership { member: end(LinkRole::From)?, group: end(LinkRole::To)?, span: self.span })
    }

    /// What more know after an entry is written. `before` is what it was, if anybody could know of it then.
    pub fn more_know(&self, before: Option<&Self>) -> Option<MoreKnow> {
        if before.is_some_and(|before| widens_knowledge(&before.links, &self.links)) {
            return Some(MoreKnow::Entry);
        }
        let membership = self.membership()?;
        let was = before.and_then(Self::membership);
        let is_wider = was.is_none_or(|was| !was.covers(&membership));
        is_wider.then_some(MoreKnow::OfGroup(membership.group))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::calendar::moment::Moment;

    fn id(n: u128) -> MemoryId {
        MemoryId::from_uuid(Uuid::from_u128(n))
    }

    fn span(from: Option<i64>, until: Option<i64>) -> Span {
        let day = |day| Moment::on_day(day).expect("in range");
        Span::new(from.map(day), until.map(day)).expect("in order")
    }

    fn member(from: u128, to: u128) -> Disclosure {
        Disclosure {
            links: vec![Link::new(LinkRole::From, id(from)), Link::new(LinkRole::To, id(to))],
            relation: Some("Member  of".to_owned()),
            span: Span::ALWAYS,
            curator: Curator::Import,
            is_active: true,
        }
    }

    #[test]
    fn an_active_membership_lets_its_member_know_more_unless_the_same_one_was_there() {
        let here = member(1, 2);
        let during = |from, until| Disclosure { span: span(from, until), ..member(1, 2) };
        let of_agent = || Disclosure { curator: Curator::Agent, ..member(1, 2) };
        let gone = || Disclosure { is_active: false, ..member(1, 2) };
        let other = || Disclosure { relation: Some("enemy of".to_owned()), ..member(1, 2) };
        let more = |group| Some(MoreKnow::OfGroup(id(group)));
        for (before, after, known) in [
            (None, here.clone(), more(2)),
            (None, other(), None),
            (None, of_agent(), None),
            (None, gone(), None),
            (Some(here.clone()), here.clone(), None),
            (Some(here.clone()), member(3, 2), more(2)),
            (Some(here.clone()), member(1, 4), more(4)),
            (Some(here.clone()), member(2, 1), more(1)),
            (Some(other()), here.clone(), more(2)),
            (Some(here.clone()), other(), None),
            (Some(of_agent()), here.clone(), more(2)),
            (Some(gone()), here.clone(), more(2)),
            (Some(here.clone()), during(Some(3), Some(5)), None),
            (Some(during(Some(3), Some(5))), here.clone(), more(2)),
            (Some(during(Some(3), Some(5))), during(Some(3), Some(6)), more(2)),
            (Some(during(Some(3), Some(5))), during(Some(2), Some(5)), more(2)),
            (Some(during(Some(3), Some(5))), during(Some(4), Some(5)), None),
        ] {
            assert_eq!(after.more_know(before.as_ref()), known, "{before:?} {after:?}");
        }
    }

    #[test]
    fn an_entry_known_by_more_is_reported_before_its_membership() {
        let secret = Disclosure {
            links: [member(1, 2).links, vec![Link::known_by(id(7), None)]].concat(),
            ..member(1, 2)
        };
        assert_eq!(member(1, 2).more_know(Some(&secret)), Some(MoreKnow::Entry));
        assert_eq!(secret.more_know(Some(&member(1, 2))), None);
    }
}
