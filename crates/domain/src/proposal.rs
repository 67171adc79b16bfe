//! Proposals: changes to memory that an agent or a task may not make itself. The worldbuilder decides on them.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use crate::{
    derivation::{self, Derivation},
    hidden,
    ids::{ChangeId, ConversationId, MemoryId, ProposalId},
    memory::{
        Importance, InvalidMemory, MemoryDraft, MemoryEntry, Origin, Stamp,
        text_source::{OthersWords, TextSource},
    },
    provenance::Actor,
    scope::{MemoryLifetime, Place, words},
    text::{self, TextError, fold, mark},
};

/// The kind of change proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProposalKind {
    /// New text for one entry.
    Edit,
    /// Replaces several entries with one.
    Merge,
    /// Forgets entries.
    Retire,
    /// Two entries contradict each other, and the worldbuilder chooses.
    Conflict,
    /// Adds an entry.
    New,
}

words!(ProposalKind, "kind of proposal", {
    Edit => "edit", Merge => "merge", Retire => "retire", Conflict => "conflict",
    New => "new",
});

/// The state of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProposalState {
    /// Waiting for a decision.
    Open,
    /// Applied as proposed, or with the worldbuilder's text.
    Accepted,
    /// Not applied: the worldbuilder rejected it, or reverted the run that filed it. It is not proposed again while
    /// the texts of its entries are unchanged.
    Rejected,
    /// One of its entries no longer exists, so there is nothing to decide.
    Superseded,
}

words!(ProposalState, "state of a proposal", {
    Open => "open", Accepted => "accepted", Rejected => "rejected", Superseded => "superseded",
});

/// An entry that a proposal affects, at the version its writer read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// The affected entry.
    pub id: MemoryId,
    /// The version that was read.
    pub version: u64,
}

/// The entry that a proposal would create, without its text.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEntry {
    /// The entry's id, assigned before the decision, so that a scrub of the entry finds the proposal.
    pub id: MemoryId,
    /// The account or the workspace. Channels and conversations could be deleted while a proposal is open.
    pub place: Place,
    /// The intended lifetime.
    pub lifetime: MemoryLifetime,
    /// The actor that produced it.
    pub source: String,
    /// Title, if it has one.
    pub title: Option<String>,
    /// Other words under which it would be searched.
    pub keys: Vec<String>,
    /// Importance in [0, 1].
    pub importance: Importance,
    /// Normalised tags.
    pub tags: Vec<String>,
}

impl NewEntry {
    /// Splits a draft into the entry and its text.
    ///
    /// # Errors
    /// [`InvalidMemory`] with the invalid field.
    pub fn of(id: MemoryId, draft: MemoryDraft) -> Result<(Self, String), InvalidMemory> {
        let MemoryDraft { place, lifetime, source, title, keys, content, importance, tags, .. } = draft;
        let source = text::label("source", &source)?;
        let (importance, tags) = (Importance::new(importance)?, text::tags(tags)?);
        let title = title.as_deref().map(text::title).transpose()?.flatten();
        let keys = text::keys(keys)?;
        Ok((Self { id, place, lifetime, source, title, keys, importance, tags }, text::content(&content)?))
    }
}

/// A stored proposal.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    pub id: ProposalId,
    /// The kind of change.
    pub kind: ProposalKind,
    pub state: ProposalState,
    /// Short reason for people. Contains no memory text.
    pub reason: String,
    /// The affected entries, all in one database.
    pub subjects: Vec<Subject>,
    /// The new text, for an edit, a merge or a new entry.
    pub content: Option<String>,
    /// The entry it would create, if any.
    pub makes: Option<NewEntry>,
    /// What the new text was made of.
    pub derivations: Vec<Derivation>,
    /// The actor that filed it.
    pub actor: Actor,
    /// The conversation it was filed in.
    pub conversation: Option<ConversationId>,
    /// Time of filing.
    pub created_at: DateTime<Utc>,
    /// Time of the decision.
    pub decided_at: Option<DateTime<Utc>>,
    /// The change that applied it.
    pub change: Option<ChangeId>,
}

/// A decision of the worldbuilder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Apply as proposed.
    Accept,
    /// Apply with this text instead.
    AcceptEdited(String),
    /// Do not apply; in a conflict, keep both entries.
    Reject,
    /// In a conflict, forget the older entry.
    NewerWins,
    /// In a conflict, forget the newer entry.
    OlderWins,
}

/// The reason a proposal cannot be filed or decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProposal {
    /// The number of entries does not fit the kind.
    #[error("a proposal of this kind is about {expected}")]
    Subjects {
        /// The required number, for people.
        expected: &'static str,
    },
    /// The kind requires a text and none was given, or the kind takes no text and one was given.
    #[error("an edit, a merge or a new entry proposes a text, and nothing else does")]
    Content,
    /// A new entry needs a tier that all conversations share; other kinds take no tier.
    #[error("a new entry is proposed for the account or the workspace, and nothing else names a tier")]
    Tier,
    /// The decision does not apply to this kind.
    #[error(
        "this cannot be decided like that: of two that contradict each other the newer or the older wins or both stay, \
         everything else is accepted or rejected"
    )]
    Decision,
    /// The proposal was already decided.
    #[error("this proposal was decided already")]
    Decided,
    /// One of its entries is forgotten.
    #[error("an entry of this proposal is gone; there is nothing left to decide")]
    Superseded,
    /// A text breaks a rule.
    #[error(transparent)]
    Text(#[from] TextError),
}

/// The input for a proposal.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposalDraft {
    /// The kind of change.
    pub kind: ProposalKind,
    /// Short reason for people.
    pub reason: String,
    /// The affected entries.
    pub subjects: Vec<Subject>,
    /// The new text, for an edit, a merge or a new entry.
    pub content: Option<String>,
    /// The entry it would create, if any.
    pub makes: Option<NewEntry>,
    /// The conversation it is filed in.
    pub conversation: Option<ConversationId>,
    /// What the new text was made of.
    pub derivations: Vec<Derivation>,
}

fn own_text(text: &str, actor: Actor) -> Result<String, TextError> {
    hidden::refuse_of(actor.kind(), "content", text)?;
    text::content(text)
}

impl Proposal {
    /// Checks a draft and files it.
    ///
    /// # Errors
    /// [`InvalidProposal`] with the broken rule.
    pub fn file(
        id: ProposalId,
        draft: ProposalDraft,
        actor: Actor,
        at: DateTime<Utc>,
    ) -> Result<Self, InvalidProposal> {
        let ProposalDraft { kind, reason, mut subjects, content, makes, conversation, derivations } = draft;
        subjects.sort_unstable();
        subjects.dedup_by_key(|subject| subject.id);
        let (fits, expected) = match kind {
            ProposalKind::Edit => (subjects.len() == 1, "one entry"),
            ProposalKind::Merge => (subjects.len() >= 2, "two entries or more"),
            ProposalKind::Retire => (!subjects.is_empty(), "one entry or more"),
            ProposalKind::Conflict => (subjects.len() == 2, "two entries"),
            ProposalKind::New => (subjects.is_empty(), "no entry that is there"),
        };
        if !fits {
            return Err(InvalidProposal::Subjects { expected });
        }
        if kind.takes_text() != content.is_some() {
            return Err(InvalidProposal::Content);
        }
        let shared = |makes: &NewEntry| matches!(makes.place, Place::Account | Place::Workspace);
        if (kind == ProposalKind::New) != makes.as_ref().is_some_and(shared) {
            return Err(InvalidProposal::Tier);
        }
        Ok(Self {
            id,
            kind,
            state: ProposalState::Open,
            reason: text::label("reason", &reason)?,
            subjects,
            content: content.as_deref().map(|text| own_text(text, actor)).transpose()?,
            makes,
            derivations: derivation::sorted(derivations)?,
            actor,
            conversation,
            created_at: at,
            decided_at: None,
            change: None,
        })
    }

    /// Identifies equal proposals by kind, entries and their versions. For an edit or a new entry, the case-folded
    /// text counts too; for a new entry, also the tier. An equal proposal is not filed again, decided or not. The
    /// text of a merge does not count, because a language model words it differently each time and the worldbuilder
    /// must not be asked again. Holds no memory text, only a [`mark`] of it.
    pub fn fingerprint(&self) -> String {
        let mut key = self.kind.as_str().to_owned();
        for subject in &self.subjects {
            let _ = write!(key, " {}@{}", subject.id, subject.version);
        }
        if let Some(makes) = &self.makes {
            let _ = write!(key, " {}", makes.place.scope());
        }
        let worded_alike = matches!(self.kind, ProposalKind::Edit | ProposalKind::New);
        if let Some(content) = self.content.as_ref().filter(|_| worded_alike) {
            let _ = write!(key, " {:016x}", mark(fold(content).bytes()));
        }
        key
    }

    /// Checks that a decision is allowed.
    ///
    /// # Errors
    /// [`InvalidProposal::Decided`], or [`InvalidProposal::Decision`] if it does not apply to this kind.
    pub fn admits(&self, decision: &Decision) -> Result<(), InvalidProposal> {
        if self.state != ProposalState::Open {
            return Err(InvalidProposal::Decided);
        }
        let fits = match decision {
            Decision::Reject => true,
            Decision::Accept => self.kind != ProposalKind::Conflict,
            Decision::AcceptEdited(_) => self.kind.takes_text(),
            Decision::NewerWins | Decision::OlderWins => self.kind == ProposalKind::Conflict,
        };
        if fits { Ok(()) } else { Err(InvalidProposal::Decision) }
    }

    /// The entry that an accepted proposal creates, or `None`. The worldbuilder becomes its curator only if they
    /// changed the proposed text. The sources of the text are kept in both cases.
    ///
    /// # Errors
    /// [`InvalidMemory`] if the worldbuilder's text breaks a rule.
    pub fn made(&self, content: String, stamp: Stamp) -> Result<Option<MemoryEntry>, InvalidMemory> {
        let Some(makes) = self.makes.clone() else { return Ok(None) };
        let rewritten = self.content.as_deref() != Some(content.as_str());
        let origin = self.conversation.map(|id| Origin { conversation: Some(id), ..Origin::default() });
        let draft = MemoryDraft {
            place: makes.place,
            lifetime: makes.lifetime,
            source: makes.source,
            title: makes.title,
            keys: makes.keys,
            content,
            importance: makes.importance.get(),
            tags: makes.tags,
            origin,
            derivations: self.derivations.clone(),
        };
        let sources = TextSource::of(self.actor).into_iter().collect();
        let words = OthersWords { sources, is_whole: !rewritten };
        Ok(Some(MemoryEntry::create(makes.id, draft, stamp)?.with_others_words(words)))
    }
}

impl ProposalKind {
    /// True for a kind that proposes a text.
    pub const fn takes_text(self) -> bool {
        matches!(self, Self::Edit | Self::Merge | Self::New)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use uuid::Uuid;

    use super::*;
    use crate::provenance::{ActorKind, Curator, Interface};

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
            makes: None,
            conversation: None,
            derivations: Vec::new(),
        };
        let actor = Actor::new(ActorKind::Agent, Interface::Mcp, None).expect("an agent's door");
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

    fn filed_new(place: Place, text: &str, actor: Actor) -> Result<Proposal, InvalidProposal> {
        let id = MemoryId::from_uuid(Uuid::from_u128(9));
        let draft = MemoryDraft {
            place,
            lifetime: MemoryLifetime::LongTerm,
            source: "Editor".into(),
            title: None,
            keys: Vec::new(),
            content: text.into(),
            importance: 0.7,
            tags: vec!["Tone".into()],
            origin: None,
            derivations: Vec::new(),
        };
        let (makes, content) = NewEntry::of(id, draft).expect("a draft");
        let draft = ProposalDraft {
            kind: ProposalKind::New,
            reason: "a test".into(),
            subjects: Vec::new(),
            content: Some(content),
            makes: Some(makes),
            conversation: None,
            derivations: Vec::new(),
        };
        let at = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
        Proposal::file(ProposalId::from_uuid(Uuid::from_u128(7)), draft, actor, at)
    }

    #[test]
    fn a_new_entry_is_proposed_only_for_shared_tiers_and_keeps_its_sources() {
        let run = crate::ids::RunId::from_uuid(Uuid::from_u128(5));
        let client = Actor::new(ActorKind::Agent, Interface::Mcp, Some(run)).expect("a client");
        let channel = crate::ids::ChannelId::from_uuid(Uuid::from_u128(3));
        assert_eq!(filed_new(Place::Channel(channel), "Likes the moat.", client), Err(InvalidProposal::Tier));
        let filed = filed_new(Place::Account, "Likes the moat.", client).expect("filed");
        assert_eq!(filed.admits(&Decision::Accept), Ok(()));
        assert!(!filed.fingerprint().contains("moat"));
        let elsewhere = filed_new(Place::Workspace, "Likes the moat.", client).expect("filed");
        assert_ne!(filed.fingerprint(), elsewhere.fingerprint());
        let author = Actor::new(ActorKind::Author, Interface::Window, None).expect("an author");
        let stamp = Stamp {
            change: ChangeId::from_uuid(Uuid::from_u128(4)),
            actor: author,
            at: Utc.timestamp_opt(1_700_000_001, 0).single().expect("a valid time"),
        };
        for (text, curator) in [("Likes the moat.", Curator::Agent), ("Likes moats.", Curator::Author)] {
            let made = filed.made(text.into(), stamp).expect("fits").expect("an entry");
            assert_eq!((made.curator, made.place, &*made.content), (curator, Place::Account, text));
            assert!(made.holds_client_words(), "{text}");
            assert_eq!(made.tags, ["tone"]);
        }
    }

    #[test]
    fn the_fingerprint_of_a_proposal_is_independent_of_who_files_it() {
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
    fn a_decision_matches_the_kind_and_is_made_once() {
        let mut conflict = file(ProposalKind::Conflict, vec![subject(1), subject(2)], None).expect("valid");
        assert_eq!(conflict.admits(&Decision::Accept), Err(InvalidProposal::Decision));
        assert_eq!(conflict.admits(&Decision::NewerWins), Ok(()));
        conflict.state = ProposalState::Rejected;
        assert_eq!(conflict.admits(&Decision::NewerWins), Err(InvalidProposal::Decided));
    }
}
