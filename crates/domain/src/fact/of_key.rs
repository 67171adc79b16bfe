//! The facts of one key. Each has a time in the story of its own, and no two hold at one time.

use chrono::{DateTime, Utc};

use super::{Assertion, Claim, Fact, FactChange, FactSource, FactValue, InvalidFact};
use crate::{
    calendar::span::Span,
    hidden,
    ids::{ClaimId, ConversationId, FactId},
    provenance::Actor,
};

/// All facts of one key, also the removed ones, which hold at no time.
#[derive(Debug, Clone, Copy)]
pub struct FactsOfKey<'f>(pub &'f [Fact]);

impl<'f> FactsOfKey<'f> {
    fn standing(self) -> impl Iterator<Item = &'f Fact> {
        self.0.iter().filter(|fact| fact.removed_at.is_none())
    }

    /// True if no other fact of the key than this one holds at a part of the span.
    fn is_free(self, span: Span, of: FactId) -> bool {
        !self.standing().any(|fact| fact.id != of && fact.span.overlaps(span))
    }

    /// Checks the next state of one of the facts, or of a new one.
    ///
    /// # Errors
    /// [`InvalidFact::Overlap`] if another fact of the key holds at a part of its time.
    pub fn check(self, next: &Fact) -> Result<(), InvalidFact> {
        if next.removed_at.is_some() || self.is_free(next.span, next.id) {
            Ok(())
        } else {
            Err(InvalidFact::Overlap)
        }
    }

    /// The fact with this span. One that holds comes before those that were removed, of which it is the last.
    fn with_span(self, span: Span) -> Option<&'f Fact> {
        let same = self.0.iter().filter(|fact| fact.span == span);
        same.max_by_key(|fact| (fact.removed_at.is_none(), fact.updated_at))
    }

    /// The one fact of the key; the last of the removed ones if none holds.
    ///
    /// # Errors
    /// [`InvalidFact::Ambiguous`] if several hold.
    pub fn one(self) -> Result<Option<&'f Fact>, InvalidFact> {
        let mut standing = self.standing();
        match (standing.next(), standing.next()) {
            (Some(_), Some(_)) => Err(InvalidFact::Ambiguous),
            (None, _) => Ok(self.0.iter().max_by_key(|fact| fact.updated_at)),
            (one, None) => Ok(one),
        }
    }

    /// The first fact of the author that a value of an agent contradicts. `None` if there is none at that time.
    ///
    /// # Errors
    /// [`InvalidFact::NoChange`] if the author's facts of that time have this value.
    fn contradicted(self, span: Span, value: &str) -> Result<Option<&'f Fact>, InvalidFact> {
        // What the author removed stays removed, as long as nothing took its place.
        let is_word = |fact: &&Fact| {
            fact.is_authors()
                && fact.span.overlaps(span)
                && (fact.removed_at.is_none() || self.is_free(fact.span, fact.id))
        };
        let mut words = self.0.iter().filter(is_word).peekable();
        if words.peek().is_none() {
            return Ok(None);
        }
        let other = words.find(|fact| fact.removed_at.is_some() || fact.value != value);
        other.map(Some).ok_or(InvalidFact::NoChange)
    }

    /// The result of setting a value. With a span, it is that of the fact with this span, or of a new one. Without a span,
    /// it is that of the one fact of the key, or of a new one that holds always. An agent that contradicts the author makes
    /// a claim.
    ///
    /// # Errors
    /// [`InvalidFact::NoChange`] if the fact has this value; [`InvalidFact::Overlap`] if another fact of the key holds at a
    /// part of the time; [`InvalidFact::Ambiguous`] without a span if several hold; [`InvalidFact::Text`] for hidden
    /// characters written by an agent.
    pub fn asserting(
        self,
        assertion: Assertion,
        ids: (FactId, ClaimId),
        actor: Actor,
        now: DateTime<Utc>,
    ) -> Result<FactChange, InvalidFact> {
        hidden::refuse_of(actor.kind(), "value", &assertion.value)?;
        let source = FactSource::of(actor.kind());
        let Assertion { key, value, span, conversation } = assertion;
        let span = match span {
            Some(span) => span,
            None if self.standing().next().is_none() => Span::ALWAYS,
            None => self.one()?.map_or(Span::ALWAYS, |one| one.span),
        };
        if source == FactSource::Agent
            && let Some(contradicted) = self.contradicted(span, &value)?
        {
            let fact = contradicted.id;
            return Ok(FactChange::Claim(Claim { id: ids.1, fact, value, conversation, at: now }));
        }
        let next = match self.with_span(span) {
            None => Fact {
                id: ids.0,
                key,
                value,
                span,
                known_by: Vec::new(),
                source,
                conversation,
                created_at: now,
                updated_at: now,
                version: 1,
                removed_at: None,
            },
            // The author may confirm an agent's value, which makes the author its source.
            Some(current)
                if current.removed_at.is_none() && current.value == value && source == current.source =>
            {
                return Err(InvalidFact::NoChange);
            }
            Some(current) => Fact { value, source, conversation, removed_at: None, ..current.next(now) },
        };
        self.check(&next)?;
        Ok(FactChange::Set(next))
    }

    /// The next version of a fact whose current value is from a conversation that is purged: its newest value from elsewhere.
    /// It is removed if that is a removal, or if there is none. A value that was destroyed before does not count. `history`
    /// has the earlier values.
    ///
    /// # Errors
    /// [`InvalidFact::Overlap`] if another fact of the key holds at a part of the time of that value.
    pub fn without_conversation(
        self,
        fact: &Fact,
        history: &[FactValue],
        conversation: ConversationId,
        now: DateTime<Utc>,
    ) -> Result<Fact, InvalidFact> {
        // A removal belongs to no conversation; a destroyed value has the one that it was from.
        let counts = |value: &&FactValue| {
            value.conversation != Some(conversation)
                && (value.conversation.is_none() || !value.value.is_empty())
        };
        let before = history.iter().filter(counts).max_by_key(|value| value.version);
        let next = fact.with_earlier(before, now);
        self.check(&next).map(|()| next)
    }

    /// A fact of the key at another time in the story. Whoever sets the time becomes the source.
    ///
    /// # Errors
    /// [`InvalidFact::NotYours`] if an agent would change a fact of the author; [`InvalidFact::Removed`];
    /// [`InvalidFact::NoChange`]; [`InvalidFact::Overlap`].
    pub fn with_time_of(
        self,
        fact: &Fact,
        span: Span,
        actor: Actor,
        now: DateTime<Utc>,
    ) -> Result<Fact, InvalidFact> {
        let source = FactSource::of(actor.kind());
        if source == FactSource::Agent && fact.is_authors() {
            return Err(InvalidFact::NotYours);
        }
        if fact.removed_at.is_some() {
            return Err(InvalidFact::Removed);
        }
        if fact.span == span {
            return Err(InvalidFact::NoChange);
        }
        let next = Fact { span, source, ..fact.next(now) };
        self.check(&next)?;
        Ok(next)
    }

    /// A fact of the key after the author accepted a claim, at the time of the fact. The author becomes the source.
    ///
    /// # Errors
    /// [`InvalidFact::NotYours`] if the actor is an agent; [`InvalidFact::Overlap`] if the fact was removed and another
    /// took its place.
    pub fn accepting(
        self,
        fact: &Fact,
        claim: &Claim,
        actor: Actor,
        now: DateTime<Utc>,
    ) -> Result<Fact, InvalidFact> {
        if FactSource::of(actor.kind()) != FactSource::User {
            return Err(InvalidFact::NotYours);
        }
        let next = Fact {
            value: claim.value.clone(),
            source: FactSource::User,
            conversation: claim.conversation,
            removed_at: None,
            ..fact.next(now)
        };
        self.check(&next)?;
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::{
        calendar::{moment::Moment, story_point::StoryPoint},
        ids::MemoryId,
        memory::link::{Link, MAX_LINKS},
        provenance::{ActorKind, Interface},
    };

    fn now() -> DateTime<Utc> {
        Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time")
    }

    fn actor(actor_kind: ActorKind) -> Actor {
        Actor::new(actor_kind, Interface::Cli, None).expect("the command line admits every hand")
    }

    fn days(from: Option<i64>, until: Option<i64>) -> Span {
        let day = |day| Moment::on_day(day).expect("in range");
        Span::new(from.map(day), until.map(day)).expect("not inverted")
    }

    fn set(
        facts: &[Fact],
        value: &str,
        span: Option<Span>,
        actor_kind: ActorKind,
    ) -> Result<FactChange, InvalidFact> {
        let new = facts.len() as u128 + 1;
        let ids = (FactId::from_uuid(Uuid::from_u128(new)), ClaimId::from_uuid(Uuid::from_u128(100)));
        let assertion = Assertion::new("Ambry", "ruler", value, None)?.holding(span);
        FactsOfKey(facts).asserting(assertion, ids, actor(actor_kind), now())
    }

    fn put(facts: &mut Vec<Fact>, next: Fact) {
        match facts.iter_mut().find(|fact| fact.id == next.id) {
            Some(fact) => *fact = next,
            None => facts.push(next),
        }
    }

    fn stated(facts: &mut Vec<Fact>, value: &str, span: Option<Span>, actor_kind: ActorKind) -> Fact {
        match set(facts, value, span, actor_kind).expect("set") {
            FactChange::Set(fact) => {
                put(facts, fact.clone());
                fact
            }
            FactChange::Claim(_) => panic!("a claim"),
        }
    }

    use ActorKind::{Agent, Author};

    #[test]
    fn an_agent_never_overwrites_the_authors_value() {
        let mut facts = Vec::new();
        let purple = stated(&mut facts, "purple", None, Author);
        let claim = set(&facts, "cyan", None, Agent).expect("kept beside it");
        assert!(matches!(&claim, FactChange::Claim(claim) if claim.value == "cyan"));
        assert_eq!(purple.removed(actor(Agent), now()), Err(InvalidFact::NotYours));
        put(&mut facts, purple.removed(actor(Author), now()).expect("the author may"));
        assert!(matches!(set(&facts, "cyan", None, Agent), Ok(FactChange::Claim(_))));
        assert!(matches!(set(&facts, "cyan", Some(days(Some(3), None)), Agent), Ok(FactChange::Claim(_))));
    }

    #[test]
    fn values_replace_one_another_and_the_same_value_is_no_change() {
        let mut facts = Vec::new();
        let first = stated(&mut facts, "purple", None, Agent);
        assert_eq!(set(&facts, "purple", None, Agent), Err(InvalidFact::NoChange));
        let second = stated(&mut facts, "cyan", None, Agent);
        assert_eq!((second.version, second.id), (2, first.id));
        let own = stated(&mut facts, "cyan", None, Author);
        assert_eq!((own.source, own.version), (FactSource::User, 3));
        assert_eq!(set(&facts, "cyan", None, Agent), Err(InvalidFact::NoChange));
    }

    #[test]
    fn a_key_has_a_value_for_each_time_and_says_which_is_meant() {
        let (early, late) = (days(None, Some(812)), days(Some(813), None));
        let mut facts = Vec::new();
        let aldous = stated(&mut facts, "Aldous", Some(early), Author);
        assert_eq!(stated(&mut facts, "Aldous II", None, Author).span, early, "the one fact keeps its time");
        let bera = stated(&mut facts, "Bera", Some(late), Author);
        assert_ne!(aldous.id, bera.id);
        assert_eq!(set(&facts, "Cord", None, Author), Err(InvalidFact::Ambiguous));
        assert_eq!(set(&facts, "Cord", Some(days(Some(812), Some(812))), Author), Err(InvalidFact::Overlap));
        assert_eq!(set(&facts, "Cord", Some(Span::ALWAYS), Author), Err(InvalidFact::Overlap));
        assert_eq!(stated(&mut facts, "Cord", Some(late), Author).id, bera.id);
        let claim = set(&facts, "Dunne", Some(days(Some(900), None)), Agent).expect("kept beside it");
        assert!(matches!(claim, FactChange::Claim(claim) if claim.fact == bera.id));
        assert_eq!(set(&facts, "Cord", Some(days(Some(900), None)), Agent), Err(InvalidFact::NoChange));
    }

    #[test]
    fn a_time_is_changed_by_whom_the_fact_belongs_to_and_only_to_a_free_one() {
        let mut facts = Vec::new();
        let aldous = stated(&mut facts, "Aldous", Some(days(None, Some(812))), Agent);
        let bera = stated(&mut facts, "Bera", Some(days(Some(813), None)), Author);
        let time = |facts: &[Fact], fact: &Fact, span, actor_kind| {
            FactsOfKey(facts).with_time_of(fact, span, actor(actor_kind), now())
        };
        assert_eq!(time(&facts, &bera, days(Some(900), None), Agent), Err(InvalidFact::NotYours));
        assert_eq!(time(&facts, &aldous, days(None, Some(813)), Agent), Err(InvalidFact::Overlap));
        assert_eq!(time(&facts, &aldous, aldous.span, Agent), Err(InvalidFact::NoChange));
        let shorter = time(&facts, &aldous, days(None, Some(800)), Agent).expect("it is the agent's");
        assert_eq!((shorter.version, shorter.value.as_str()), (2, "Aldous"));
        put(&mut facts, shorter);
        let gone = bera.removed(actor(Author), now()).expect("removed");
        put(&mut facts, gone.clone());
        assert_eq!(time(&facts, &gone, Span::ALWAYS, Author), Err(InvalidFact::Removed));
        let claim = Claim {
            id: ClaimId::from_uuid(Uuid::from_u128(7)),
            fact: gone.id,
            value: "Dunne".into(),
            conversation: None,
            at: now(),
        };
        let accepting = |facts: &[Fact]| {
            FactsOfKey(facts).accepting(&gone, &claim, actor(Author), now()).map(|f| f.value)
        };
        assert_eq!(accepting(&facts), Ok("Dunne".to_owned()));
        stated(&mut facts, "Cord", Some(days(Some(850), None)), Author);
        assert_eq!(accepting(&facts), Err(InvalidFact::Overlap));
    }

    #[test]
    fn a_removed_fact_is_set_again_at_its_time_and_does_not_block_others() {
        let mut facts = Vec::new();
        let always = stated(&mut facts, "Aldous", None, Author);
        put(&mut facts, always.removed(actor(Author), now()).expect("removed"));
        let bera = stated(&mut facts, "Bera", Some(days(Some(813), None)), Author);
        assert_eq!(set(&facts, "Aldous", Some(Span::ALWAYS), Author), Err(InvalidFact::Overlap));
        let early = Some(days(None, Some(812)));
        assert!(matches!(set(&facts, "Aldous", early, Agent), Ok(FactChange::Set(_))), "Bera took its place");
        put(&mut facts, bera.removed(actor(Author), now()).expect("removed"));
        let back = stated(&mut facts, "Aldous", None, Author);
        assert_eq!((back.id, back.version), (always.id, 3));
    }

    fn knower(n: u8) -> MemoryId {
        MemoryId::from_uuid(Uuid::from_u128(200 + u128::from(n)))
    }

    #[test]
    fn who_knows_of_a_fact_is_a_version_that_only_the_worldbuilder_makes_and_values_keep() {
        let day = |n| StoryPoint::Moment(Moment::on_day(n).expect("in range"));
        let mut facts = Vec::new();
        let hoard = stated(&mut facts, "silver", None, Agent);
        // As an import leaves it.
        let foreign = Fact { known_by: vec![Link::known_by(knower(3), None)], ..hoard.clone() };
        let only = [foreign.clone()];
        assert!(matches!(set(&only, "gold", None, Agent), Ok(FactChange::Claim(_))));
        assert_eq!(foreign.removed(actor(Agent), now()), Err(InvalidFact::NotYours));
        let moved = FactsOfKey(&only).with_time_of(&foreign, days(Some(3), None), actor(Agent), now());
        assert_eq!(moved, Err(InvalidFact::NotYours));
        let knowers = [(knower(1), Some(day(5))), (knower(2), None)];
        assert_eq!(hoard.with_known_by(&knowers, actor(Agent), now()), Err(InvalidFact::NotYours));
        assert_eq!(hoard.with_known_by(&[], actor(Author), now()), Err(InvalidFact::NoChange));
        let secret = hoard.with_known_by(&knowers, actor(Author), now()).expect("the author may");
        assert_eq!((secret.version, secret.source, secret.value.as_str()), (2, FactSource::User, "silver"));
        let both = [Link::known_by(knower(1), Some(day(5))), Link::known_by(knower(2), None)];
        assert_eq!(secret.known_by, both);
        let again = [knowers[1], knowers[0], (knower(1), Some(day(3)))];
        let same = secret.with_known_by(&again, actor(Author), now());
        assert_eq!(same, Err(InvalidFact::NoChange), "of two times of one knower the later one stays");
        put(&mut facts, secret.clone());
        assert!(matches!(set(&facts, "gold", None, Agent), Ok(FactChange::Claim(_))));
        assert_eq!(stated(&mut facts, "gold", None, Author).known_by, both);
        let moved = FactsOfKey(&facts).with_time_of(&facts[0], days(Some(3), None), actor(Author), now());
        put(&mut facts, moved.expect("a time of its own"));
        let gone = facts[0].removed(actor(Author), now()).expect("removed");
        assert_eq!(gone.with_known_by(&[], actor(Author), now()), Err(InvalidFact::Removed));
        put(&mut facts, gone);
        let back = stated(&mut facts, "gold", Some(days(Some(3), None)), Author);
        assert_eq!(back.known_by, both, "a fact that is set again is no less of a secret");
        let common = back.with_known_by(&[], actor(Author), now()).expect("it becomes known");
        assert!(common.known_by.is_empty());
        let many: Vec<_> = (0..=MAX_LINKS as u8).map(|n| (knower(n), None)).collect();
        assert!(matches!(common.with_known_by(&many, actor(Author), now()), Err(InvalidFact::Text(_))));
    }

    #[derive(Debug, Clone)]
    enum Step {
        Set(u8, Option<Span>),
        Time(u8, Span),
        Knowers(u8, Vec<u8>),
        Remove(u8),
        Accept(u8),
    }

    fn spans() -> impl Strategy<Value = Span> {
        let day = || proptest::option::of(0_i64..8);
        (day(), day()).prop_filter_map("inverted", |(from, until)| {
            from.zip(until).is_none_or(|(from, until)| from <= until).then(|| days(from, until))
        })
    }

    fn steps() -> impl Strategy<Value = Vec<(Step, bool)>> {
        let step = prop_oneof![
            4 => (0_u8..4, proptest::option::of(spans())).prop_map(|(value, span)| Step::Set(value, span)),
            2 => (any::<u8>(), spans()).prop_map(|(which, span)| Step::Time(which, span)),
            1 => (any::<u8>(), proptest::collection::vec(0_u8..4, 0..3))
                .prop_map(|(which, knowers)| Step::Knowers(which, knowers)),
            1 => any::<u8>().prop_map(Step::Remove),
            1 => any::<u8>().prop_map(Step::Accept),
        ];
        proptest::collection::vec((step, any::<bool>()), 1..40)
    }

    proptest! {
        /// Whatever is done, in any order, by the author and by agents.
        #[test]
        fn no_two_facts_of_a_key_hold_at_one_time_and_no_agent_changes_the_authors_or_who_knows(steps in steps()) {
            let (mut facts, mut claims): (Vec<Fact>, Vec<Claim>) = (Vec::new(), Vec::new());
            for (step, author) in steps {
                let kind = if author { Author } else { Agent };
                let of_key = FactsOfKey(&facts);
                let pick = |which: u8| facts.get(usize::from(which) % facts.len().max(1));
                let next = match step.clone() {
                    Step::Set(value, span) => match set(&facts, &format!("v{value}"), span, kind) {
                        Ok(FactChange::Set(next)) => Some(next),
                        Ok(FactChange::Claim(claim)) => {
                            claims.push(claim);
                            None
                        }
                        Err(_) => None,
                    },
                    Step::Time(which, span) => pick(which)
                        .and_then(|fact| of_key.with_time_of(fact, span, actor(kind), now()).ok()),
                    Step::Knowers(which, knowers) => pick(which).and_then(|fact| {
                        let knowers: Vec<_> = knowers.iter().map(|n| (knower(*n), None)).collect();
                        fact.with_known_by(&knowers, actor(kind), now()).ok()
                    }),
                    Step::Remove(which) => pick(which).and_then(|fact| fact.removed(actor(kind), now()).ok()),
                    Step::Accept(which) => {
                        let claim = claims.get(usize::from(which) % claims.len().max(1));
                        let fact = claim.and_then(|claim| facts.iter().find(|fact| fact.id == claim.fact));
                        claim.zip(fact).and_then(|(claim, fact)| {
                            of_key.accepting(fact, claim, actor(kind), now()).ok()
                        })
                    }
                };
                let Some(next) = next else { continue };
                let is_about_knowers = matches!(step, Step::Knowers(..));
                let before = facts.iter().find(|fact| fact.id == next.id);
                prop_assert_eq!(next.version, before.map_or(0, |fact| fact.version) + 1);
                if let Some(before) = before {
                    prop_assert!(author || !before.is_authors(), "{:?}", before);
                    let kept = next.known_by == before.known_by;
                    prop_assert!(kept || (author && is_about_knowers), "{:?} {:?}", before, next);
                }
                put(&mut facts, next);
                let standing: Vec<&Fact> = FactsOfKey(&facts).standing().collect();
                for (n, one) in standing.iter().enumerate() {
                    for other in &standing[n + 1..] {
                        prop_assert!(!one.span.overlaps(other.span), "{:?} {:?}", one, other);
                    }
                }
            }
        }
    }
}
