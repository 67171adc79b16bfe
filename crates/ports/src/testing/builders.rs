//! Short constructors for actors, drafts, entries and change sets.

use std::sync::Arc;

use inklings_domain::{
    calendar::span::Span,
    channel::{Channel, ChannelName},
    consolidation::run::{Run, RunTrigger},
    conversation::{
        Conversation,
        episode::{Episode, SummaryMaker},
        message::{CompactMarker, Message, MessageOrigin, NewMessage, Role},
        ref_code::RefCode,
    },
    fact::{Claim, Fact, FactKey, FactSource},
    forget_reason::ForgetReason,
    ids::{ChannelId, ClaimId, ConversationId, EpisodeId, FactId, MessageId, WorkspaceId},
    lens::Lens,
    memory::{
        MemoryDraft, MemoryEntry, MemoryKind, MemoryPatch, Origin, Stamp,
        change_set::{Action, ChangeSet, MemoryWrite},
        filter::{Facet, FacetTerm, MemoryFilter, ScopeFilter},
        switch::MemorySwitch,
    },
    orientation::{Framing, ItemId, Layer, LedgerItem, LeftOut, Orientation, PerLayer},
    proposal::{NewEntry, Proposal, ProposalDraft, ProposalKind, Subject},
    provenance::{Actor, ActorKind, Interface},
    scope::{MemoryLifetime, Place},
    workspace::{Workspace, WorkspaceName},
};

use super::clock::{ManualClock, SequentialIds};
use crate::clock::{Clock, IdGenerator};

/// The worldbuilder in the window.
pub fn author() -> Actor {
    Actor::of_interface(Interface::Window)
}

/// An external agent.
pub fn agent() -> Actor {
    Actor::of_interface(Interface::Mcp)
}

/// An import through the command line.
pub fn import() -> Actor {
    Actor::new(ActorKind::Import, Interface::Cli, None).expect("the command line admits every hand")
}

/// A background task.
pub fn task() -> Actor {
    Actor::of_interface(Interface::Task)
}

/// Every actor kind through every interface that admits it.
pub fn every_actor() -> Vec<Actor> {
    let all = ActorKind::ALL
        .iter()
        .flat_map(|kind| Interface::ALL.iter().map(move |interface| (*kind, *interface)));
    all.filter_map(|(kind, interface)| Actor::new(kind, interface, None).ok()).collect()
}

/// A long-term draft of importance 0.5 with the source "user".
pub fn draft(place: Place, content: &str) -> MemoryDraft {
    MemoryDraft {
        place,
        lifetime: MemoryLifetime::LongTerm,
        source: "user".into(),
        title: None,
        keys: Vec::new(),
        content: content.into(),
        importance: 0.5,
        tags: Vec::new(),
        origin: None,
        derivations: Vec::new(),
    }
}

/// A draft with an external id, as from an import.
pub fn imported(place: Place, external_id: &str, content: &str) -> MemoryDraft {
    let origin = Origin { external_id: Some(external_id.into()), ..Origin::default() };
    MemoryDraft { origin: Some(origin), ..draft(place, content) }
}

/// A forget reason with a note.
pub fn noted(note: &str) -> ForgetReason {
    ForgetReason::noted(note).expect("a note")
}

/// A patch that only changes the text.
pub fn new_text(content: &str) -> MemoryPatch {
    MemoryPatch { content: Some(content.into()), ..MemoryPatch::default() }
}

/// A patch that only changes the tags.
pub fn new_tags(tags: &[&str]) -> MemoryPatch {
    let tags = tags.iter().map(|t| (*t).to_owned()).collect();
    MemoryPatch { tags: Some(tags), ..MemoryPatch::default() }
}

/// A condition on a facet.
pub fn only(facet: Facet, value: &str) -> FacetTerm {
    FacetTerm { facet, value: value.into(), negated: false }
}

/// A condition that excludes a value of a facet.
pub fn except(facet: Facet, value: &str) -> FacetTerm {
    FacetTerm { facet, value: value.into(), negated: true }
}

/// A filter over every tier with these conditions.
pub fn everywhere(terms: Vec<FacetTerm>) -> MemoryFilter {
    MemoryFilter { scope_filter: ScopeFilter::EVERYTHING, terms }
}

/// Creates stamps, entries and change sets with its own clock and ids. Advances the clock by one second per
/// stamp, so that later writes have later times.
#[derive(Debug, Clone, Default)]
pub struct Scribe {
    /// Clock of the stamps.
    pub clock: Arc<ManualClock>,
    /// Source of ids.
    pub ids: Arc<SequentialIds>,
}

impl Scribe {
    /// A scribe on a shared clock and shared ids.
    pub const fn new(clock: Arc<ManualClock>, ids: Arc<SequentialIds>) -> Self {
        Self { clock, ids }
    }

    /// The stamp of a new change, one second after the last.
    pub fn stamp(&self, actor: Actor) -> Stamp {
        Stamp { change: self.ids.change_id(), actor, at: self.clock.tick() }
    }

    /// A new entry with its stamp.
    pub fn entry(&self, draft: MemoryDraft, stamp: Stamp) -> MemoryEntry {
        MemoryEntry::create(self.ids.memory_id(), draft, stamp).expect("a valid draft")
    }

    /// A change that creates entries, and the entries.
    pub fn create(
        &self,
        actor: Actor,
        drafts: impl IntoIterator<Item = MemoryDraft>,
    ) -> (ChangeSet, Vec<MemoryEntry>) {
        let stamp = self.stamp(actor);
        let entries: Vec<MemoryEntry> = drafts.into_iter().map(|d| self.entry(d, stamp)).collect();
        let action = if actor.kind() == ActorKind::Import { Action::Import } else { Action::Create };
        (change(stamp, action, entries.iter().cloned().map(MemoryWrite::Insert)), entries)
    }

    /// A change that inserts entries without validating them. Only their change id is set.
    pub fn insert_raw(
        &self,
        actor: Actor,
        entries: impl IntoIterator<Item = MemoryEntry>,
    ) -> (ChangeSet, Vec<MemoryEntry>) {
        let stamp = self.stamp(actor);
        let entries: Vec<MemoryEntry> =
            entries.into_iter().map(|e| MemoryEntry { change: stamp.change, ..e }).collect();
        (change(stamp, Action::Create, entries.iter().cloned().map(MemoryWrite::Insert)), entries)
    }

    /// A change that edits one entry, and the entry after it.
    pub fn edit(&self, actor: Actor, entry: &MemoryEntry, patch: MemoryPatch) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(actor);
        let after = entry.edited(patch, stamp).expect("a valid patch");
        (change(stamp, Action::Edit, [MemoryWrite::Update(after.clone())]), after)
    }

    /// A change that forgets one entry, and the entry after it.
    pub fn forget(&self, actor: Actor, entry: &MemoryEntry) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(actor);
        let after = entry.forgotten(noted("no longer true"), stamp).expect("may be forgotten");
        (change(stamp, Action::Forget, [MemoryWrite::Update(after.clone())]), after)
    }

    /// A change that restores one entry, and the entry after it.
    pub fn restore(&self, actor: Actor, entry: &MemoryEntry) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(actor);
        let after = entry.restored(stamp).expect("may be restored");
        (change(stamp, Action::Restore, [MemoryWrite::Update(after.clone())]), after)
    }

    /// A change that resets the entry to its previous state, marked as undoing `undone`, and the resulting
    /// entry.
    pub fn undo(
        &self,
        actor: Actor,
        undone: inklings_domain::ids::ChangeId,
        entry: &MemoryEntry,
        before: &MemoryEntry,
    ) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(actor);
        let after = entry.reverted_to(before, stamp).expect("something to undo");
        let set = change(stamp, Action::Undo, [MemoryWrite::Update(after.clone())]);
        (ChangeSet { undoes: Some(undone), ..set }, after)
    }

    /// A change that the domain would refuse, as a faulty or hostile caller might pass it to a store.
    pub fn forced(
        &self,
        actor: Actor,
        entry: &MemoryEntry,
        wreck: impl FnOnce(&mut MemoryEntry),
    ) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(actor);
        let mut after = MemoryEntry {
            version: entry.version + 1,
            written_by: actor.kind(),
            change: stamp.change,
            updated_at: stamp.at,
            ..entry.clone()
        };
        wreck(&mut after);
        (change(stamp, Action::Edit, [MemoryWrite::Update(after.clone())]), after)
    }

    /// A workspace of this name.
    pub fn workspace(&self, name: &str) -> Workspace {
        let name = WorkspaceName::new(name).expect("a valid name");
        Workspace { id: self.ids.workspace_id(), name, created_at: self.clock.now() }
    }

    /// A channel of this name.
    pub fn channel(&self, workspace_id: WorkspaceId, name: &str) -> Channel {
        Channel {
            id: self.ids.channel_id(),
            workspace_id,
            name: ChannelName::new(name).expect("a valid name"),
            description: String::new(),
            is_default: false,
            created_at: self.clock.now(),
            archived_at: None,
        }
    }

    /// An active conversation that begins now.
    pub fn conversation(&self, channel_id: ChannelId) -> Conversation {
        Conversation::begin(
            self.ids.conversation_id(),
            RefCode::from_bits(self.ids.random_bits()),
            channel_id,
            String::new(),
            None,
            self.clock.now(),
        )
    }

    /// A message of the worldbuilder, one second after the last.
    pub fn message(&self, text: &str) -> NewMessage {
        self.message_of_role(Role::User, text)
    }

    /// A message with a role, one second after the last.
    pub fn message_of_role(&self, role: Role, text: &str) -> NewMessage {
        NewMessage::new(MessageId::from_uuid(self.ids.uuid()), role, text, self.clock.tick())
            .expect("a valid message")
    }

    /// An empty streaming answer, one second after the last.
    pub fn arriving(&self) -> NewMessage {
        NewMessage::arriving(MessageId::from_uuid(self.ids.uuid()), self.clock.tick())
    }

    /// A message with an external id.
    pub fn message_with_external_id(&self, external_id: &str, text: &str) -> NewMessage {
        let origin = MessageOrigin { external_id: Some(external_id.into()), ..MessageOrigin::default() };
        NewMessage { origin: Some(origin), ..self.message(text) }
    }

    /// The archive of a conversation up to a position, written by a task, with its marker.
    pub fn archive(&self, conversation: &Conversation, name: &str, through: u64) -> (ChangeSet, NewMessage) {
        let stamp = self.stamp(task());
        let place = Place::Conversation(conversation.channel_id, conversation.id);
        let entry = MemoryEntry {
            kind: MemoryKind::Archive,
            name: Some(name.into()),
            ..self.entry(draft(place, "What was said so far."), stamp)
        };
        let marker =
            CompactMarker { archive: entry.id, archive_name: name.into(), archived_at: stamp.at, through };
        let message =
            NewMessage { marker: Some(marker), ..self.message_of_role(Role::System, "An archive was made.") };
        (change(stamp, Action::Create, [MemoryWrite::Insert(entry)]), message)
    }

    /// An episode with these source messages.
    pub fn episode(&self, conversation: ConversationId, sources: &[Message]) -> Episode {
        let now = self.clock.tick();
        let times = || sources.iter().map(|m| m.body.at);
        Episode {
            id: EpisodeId::from_uuid(self.ids.uuid()),
            conversation,
            summary: "They talked.".into(),
            sources: sources.iter().map(Message::id).collect(),
            from: times().min().unwrap_or(now),
            until: times().max().unwrap_or(now),
            maker: SummaryMaker::Extract,
            created_at: now,
        }
    }

    /// The first value of a fact, one second after the last.
    pub fn fact(&self, category: &str, key: &str, value: &str, source: FactSource) -> Fact {
        let now = self.clock.tick();
        Fact {
            id: FactId::from_uuid(self.ids.uuid()),
            key: FactKey::new(category, key).expect("a valid key"),
            value: value.into(),
            span: Span::ALWAYS,
            known_by: Vec::new(),
            source,
            conversation: None,
            created_at: now,
            updated_at: now,
            version: 1,
            removed_at: None,
        }
    }

    /// The fact with its next value, one second after the last.
    pub fn next_value(&self, fact: &Fact, value: &str, source: FactSource) -> Fact {
        Fact {
            value: value.into(),
            source,
            version: fact.version + 1,
            updated_at: self.clock.tick(),
            removed_at: None,
            ..fact.clone()
        }
    }

    /// A claim against a fact, one second after the last.
    pub fn claim(&self, fact: &Fact, value: &str) -> Claim {
        Claim {
            id: ClaimId::from_uuid(self.ids.uuid()),
            fact: fact.id,
            value: value.into(),
            conversation: None,
            at: self.clock.tick(),
        }
    }

    /// A named entry of the worldbuilder, which may be empty, and the change that creates it.
    pub fn named(&self, place: Place, name: &str, content: &str) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(author());
        let entry = MemoryEntry::named(self.ids.memory_id(), place, name, content, stamp);
        let entry = entry.expect("a valid named entry");
        (change(stamp, Action::Name, [MemoryWrite::Insert(entry.clone())]), entry)
    }

    /// An agent's proposal about the current versions of entries, one second after the last.
    pub fn proposal(&self, kind: ProposalKind, about: &[&MemoryEntry], content: Option<&str>) -> Proposal {
        let draft = ProposalDraft {
            kind,
            reason: "they say the same".into(),
            subjects: about.iter().map(|e| Subject { id: e.id, version: e.version }).collect(),
            content: content.map(str::to_owned),
            makes: None,
            conversation: None,
            derivations: Vec::new(),
        };
        Proposal::file(self.ids.proposal_id(), draft, agent(), self.clock.tick()).expect("a valid proposal")
    }

    /// A client's proposal of a new entry, one second after the last.
    pub fn proposal_of_new(&self, draft: MemoryDraft) -> Proposal {
        let (makes, content) = NewEntry::of(self.ids.memory_id(), draft).expect("a valid draft");
        let draft = ProposalDraft {
            kind: ProposalKind::New,
            reason: "it may be about a world".into(),
            subjects: Vec::new(),
            content: Some(content),
            makes: Some(makes),
            conversation: None,
            derivations: Vec::new(),
        };
        let actor = Actor::new(ActorKind::Agent, Interface::Mcp, Some(self.ids.run_id())).expect("a client");
        Proposal::file(self.ids.proposal_id(), draft, actor, self.clock.tick()).expect("a valid proposal")
    }

    /// The change that accepts the proposal, and the created entry.
    pub fn acceptance(&self, proposal: &Proposal, text: &str) -> (ChangeSet, MemoryEntry) {
        let stamp = self.stamp(author());
        let made = proposal.made(text.to_owned(), stamp).expect("it fits").expect("a new entry");
        (change(stamp, Action::Accept, [MemoryWrite::Insert(made.clone())]), made)
    }

    /// A run that starts one second after the last.
    pub fn run(&self, task: &str) -> Run {
        Run::begun(self.ids.run_id(), task, RunTrigger::Idle, self.clock.tick())
    }

    /// An orientation in a conversation, one second after the last: the first of these entries was taken, the
    /// others were left out for lack of space.
    pub fn orientation(&self, conversation: &Conversation, shown: &[&MemoryEntry]) -> Orientation {
        let item = |(at, entry): (usize, &&MemoryEntry)| LedgerItem {
            layer: Layer::of(entry.scope()),
            id: ItemId::Memory(entry.id),
            version: entry.version,
            framing: Framing { curator: Some(entry.curator), ..Framing::default() },
            score: None,
            parts: Vec::new(),
            tokens: 7,
            shortened: false,
            left_out: (at > 0).then_some(LeftOut::Budget),
        };
        Orientation {
            id: self.ids.orientation_id(),
            conversation: Some(conversation.id),
            message: None,
            channel: Some(conversation.channel_id),
            query: "Who guards the gate?".into(),
            at: self.clock.tick(),
            budget: 900,
            tokens: 7,
            layers: PerLayer::default(),
            items: shown.iter().enumerate().map(item).collect(),
            thinned: false,
            lens: Lens::NONE,
        }
    }
}

/// A change set that is not an undo.
pub fn change(stamp: Stamp, action: Action, writes: impl IntoIterator<Item = MemoryWrite>) -> ChangeSet {
    ChangeSet { stamp, action, undoes: None, switch: MemorySwitch::On, writes: writes.into_iter().collect() }
}
