//! Proposals: what an agent or a task would do to memory and may not. The worldbuilder decides.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use crate::{
    hidden,
    ids::{ChangeId, ConversationId, MemoryId, ProposalId},
    provenance::Actor,
    scope::words,
    text::{self, TextError, fold, mark},
};

/// What is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProposalKind {
    /// Another text for one entry.
    Edit,
    /// One entry in the place of several.
    Merge,
    /// Entries taken out of use.
    Retire,
    /// Two entries that contradict each other: which one holds?
    Conflict,
}

words!(ProposalKind, "kind of proposal", {
    Edit => "edit", Merge => "merge", Retire => "retire", Conflict => "conflict",
});

/// How a proposal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProposalState {
    /// Waits for the worldbuilder.
    Open,
    /// Done as proposed, or as the worldbuilder wrote it instead.
    Accepted,
    /// Not done: the worldbuilder decided so, or took back the run that filed it. It is not proposed again while the texts
    /// of its entries stay as they are.
    Rejected,
    /// An entry of it is gone; there is nothing left to decide.
    Superseded,
}

words!(ProposalState, "state of a proposal", {
    Open => "open", Accepted => "accepted", Rejected => "rejected", Superseded => "superseded",
});

/// An entry that a proposal is about, at the version that its writer saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// Which entry.
    pub id: MemoryId,
    /// The version that was seen.
    pub version: u64,
}

/// A proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its id.
    pub id: ProposalId,
    /// What is proposed.
    pub kind: ProposalKind,
    /// How it stands.
    pub state: ProposalState,
    /// Why, in a few words for people. Names no memory's text.
    pub reason: String,
    /// The entries it is about, all of one database.
    pub subjects: Vec<Subject>,
    /// The new text, for an edit or a merge.
    pub content: Option<String>,
    /// Who filed it.
    pub actor: Actor,
    /// The conversation in which it came up.
    pub conversation: Option<ConversationId>,
    /// When it was filed.
    pub created_at: DateTime<Utc>,
    /// When it was decided.
    pub decided_at: Option<DateTime<Utc>>,
    /// The change that carried it out.
    pub change: Option<ChangeId>,
}

/// What the worldbuilder decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// As proposed.
    Accept,
    /// With this text instead.
    AcceptEdited(String),
    /// Not at all; of two that contradict each other, both stay.
    Reject,
    /// Of two that contradict each other, the older one is taken out of use.
    NewerWins,
    /// Of two that contradict each other, the newer one is taken out of use.
    OlderWins,
}

/// Why a proposal cannot be filed or decided like that.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProposal {
    /// The number of entries does not fit the kind.
    #[error("a proposal of this kind is about {expected}")]
    Subjects {
        /// How many it takes, for people.
        expected: &'static str,
    },
    /// An edit or a merge without a text, or a text where there is none to propose.
    #[error("an edit or a merge proposes a text, and nothing else does")]
    Content,
    /// The decision makes no sense for this kind.
    #[error(
        "this cannot be decided like that: of two that contradict each other the newer or the older wins or both stay, \
         everything else is accepted or rejected"
    )]
    Decision,
    /// It was decided before.
    #[error("this proposal was decided already")]
    Decided,
    /// An entry of it is out of use.
    #[error("an entry of this proposal is gone; there is nothing left to decide")]
    Superseded,
    /// A text broke a rule.
    #[error(transparent)]
    Text(#[from] TextError),
}

/// What a writer hands in for a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalDraft {
    /// What is proposed.
    pub kind: ProposalKind,
    /// Why.
    pub reason: String,
    /// The entries it is about.
    pub subjects: Vec<Subject>,
    /// The new text, for an edit or a merge.
    pub content: Option<String>,
    /// The conversation in which it came up.
    pub conversation: Option<ConversationId>,
}

fn own_text(text: &str, actor: Actor) -> Result<String, TextError> {
    hidden::refuse_of(actor.hand(), "content", text)?;
    text::content(text)
}

impl Proposal {
    /// Checks a draft.
    ///
    /// # Errors
    /// [`InvalidProposal`] with the rule that was broken.
    pub fn file(
        id: ProposalId,
        draft: ProposalDraft,
        actor: Actor,
        at: DateTime<Utc>,
    ) -> Result<Self, InvalidProposal> {
        let ProposalDraft { kind, reason, mut subjects, content, conversation } = draft;
        subjects.sort_unstable();
        subjects.dedup_by_key(|subject| subject.id);
        let (fits, expected) = match kind {
            ProposalKind::Edit => (subjects.len() == 1, "one entry"),
            ProposalKind::Merge => (subjects.len() >= 2, "two entries or more"),
            ProposalKind::Retire => (!subjects.is_empty(), "one entry or more"),
            ProposalKind::Conflict => (subjects.len() == 2, "two entries"),
        };
        if !fits {
            return Err(InvalidProposal::Subjects { expected });
        }
        let takes_text = matches!(kind, ProposalKind::Edit | ProposalKind::Merge);
        if takes_text != content.is_some() {
            return Err(InvalidProposal::Content);
        }
        Ok(Self {
            id,
            kind,
            state: ProposalState::Open,
            reason: text::label("reason", &reason)?,
            subjects,
            content: content.as_deref().map(|text| own_text(text, actor)).transpose()?,
            actor,
            conversation,
            created_at: at,
            decided_at: None,
            change: None,
        })
    }

    /// What makes two proposals the same: kind, entries with their versions, and for an edit the text regardless of case.
    /// The same is not proposed twice, decided or not: a language model words a merge differently each time, and the
    /// worldbuilder is not asked again for it. Holds no memory text, only a [`mark`] of it.
    pub fn fingerprint(&self) -> String {
        let mut key = self.kind.as_str().to_owned();
        for subject in &self.subjects {
            let _ = write!(key, " {}@{}", subject.id, subject.version);
        }
        if let Some(content) = self.content.as_ref().filter(|_| self.kind == ProposalKind::Edit) {
            let _ = write!(key, " {:016x}", mark(fold(content).bytes()));
        }
        key
    }

    /// Checks that a decision can be made.
    ///
    /// # Errors
    /// [`InvalidProposal::Decided`], or [`InvalidProposal::Decision`] if it makes no sense for this kind.
    pub fn admits(&self, decision: &Decision) -> Result<(), InvalidProposal> {
        if self.state != ProposalState::Open {
            return Err(InvalidProposal::Decided);
        }
        let fits = match decision {
            Decision::Reject => true,
            Decision::Accept => self.kind != ProposalKind::Conflict,
            Decision::AcceptEdited(_) => matches!(self.kind, ProposalKind::Edit | ProposalKind::Merge),
            Decision::NewerWins | Decision::OlderWins => self.kind == ProposalKind::Conflict,
        };
        if fits { Ok(()) } else { Err(InvalidProposal::Decision) }
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use uuid::Uuid;

    use super::*;
    use crate::provenance::{Door, Hand};

    fn subject(n: u128) -> Subject {
        Subject { id: MemoryId::from_uuid(Uuid::from_u128(n)), version: 1 }
    }

    fn file(
        kind: ProposalKind,
        subjects: Vec<Subject>,
        content: Option<&str>,
    ) -> Result<Proposal, InvalidProposal> {
        let draft = ProposalDraft {
            kind,
            reason: "a test".into(),
            subjects,
            content: content.map(str::to_owned),
            conversation: None,
        };
        let actor = Actor::new(Hand::Agent, Door::Mcp, None).expect("an agent's door");
        let at = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
        Proposal::file(ProposalId::from_uuid(Uuid::from_u128(7)), draft, actor, at)
    }

    #[test]
    fn a_proposal_has_what_its_kind_needs_and_nothing_else() {
        assert!(file(ProposalKind::Edit, vec![subject(1)], Some("x")).is_ok());
        assert_eq!(file(ProposalKind::Edit, vec![subject(1)], None), Err(InvalidProposal::Content));
        assert_eq!(file(ProposalKind::Retire, vec![subject(1)], Some("x")), Err(InvalidProposal::Content));
        assert!(file(ProposalKind::Merge, vec![subject(1), subject(1)], Some("x")).is_err());
        assert!(file(ProposalKind::Conflict, vec![subject(1), subject(2)], None).is_ok());
    }

    #[test]
    fn the_same_proposal_is_known_whoever_files_it() {
        let edit =
            |text| file(ProposalKind::Edit, vec![subject(1)], Some(text)).expect("valid").fingerprint();
        assert_eq!(edit("The gate."), edit("the GATE."));
        assert_ne!(edit("The gate."), edit("The door."));
        assert!(!edit("The gate.").contains("gate"));
        let merge =
            |subjects, text| file(ProposalKind::Merge, subjects, Some(text)).expect("valid").fingerprint();
        assert_eq!(merge(vec![subject(1), subject(2)], "One."), merge(vec![subject(2), subject(1)], "Two."));
        assert_ne!(merge(vec![subject(1), subject(2)], "One."), merge(vec![subject(1), subject(3)], "One."));
    }

    #[test]
    fn a_decision_fits_the_kind_and_is_made_once() {
        let mut conflict = file(ProposalKind::Conflict, vec![subject(1), subject(2)], None).expect("valid");
        assert_eq!(conflict.admits(&Decision::Accept), Err(InvalidProposal::Decision));
        assert_eq!(conflict.admits(&Decision::NewerWins), Ok(()));
        conflict.state = ProposalState::Rejected;
        assert_eq!(conflict.admits(&Decision::NewerWins), Err(InvalidProposal::Decided));
    }
}
