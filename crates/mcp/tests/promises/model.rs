//! What has to be true: who wrote what, what stands, who may see it. Small, and blind to how the program does it.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU32,
    sync::Arc,
};

use inklings_domain::{
    calendar::{Calendar, span::Span},
    forget_reason::ForgetReason,
    ids::{ChangeId, ChannelId, ConversationId, MemoryId},
    memory::{Forgotten, MemoryEntry, MemoryKind, link::Link, text_source::TextSource},
    provenance::Curator,
    scope::{MemoryLifetime, MemoryScope, Place},
};
use inklings_ports::memory::store::StoredEntry;

/// A promise that was broken, in words.
pub type Checked = Result<(), String>;

/// One of the two workspaces.
pub type World = usize;

/// Where an entry lives. The channel of a conversation may change, so it is no part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seat {
    Account,
    Workspace(World),
    Channel(World, ChannelId),
    Conversation(World, ConversationId),
}

impl Seat {
    pub const fn of(world: World, place: Place) -> Self {
        match place {
            Place::Account => Self::Account,
            Place::Workspace => Self::Workspace(world),
            Place::Channel(id) => Self::Channel(world, id),
            Place::Conversation(_, id) => Self::Conversation(world, id),
        }
    }

    pub const fn world(self) -> Option<World> {
        match self {
            Self::Account => None,
            Self::Workspace(world) | Self::Channel(world, _) | Self::Conversation(world, _) => Some(world),
        }
    }

    pub const fn scope(self) -> MemoryScope {
        match self {
            Self::Account => MemoryScope::Account,
            Self::Workspace(_) => MemoryScope::Workspace,
            Self::Channel(..) => MemoryScope::Channel,
            Self::Conversation(..) => MemoryScope::Conversation,
        }
    }
}

/// Everything about an entry that a writer can change, and whose it is.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryState {
    pub curator: Curator,
    pub kind: MemoryKind,
    pub name: Option<String>,
    pub aliases: Vec<String>,
    pub subject: Option<String>,
    pub relation: Option<String>,
    pub links: Vec<Link>,
    pub span: Span,
    pub reading_number: Option<NonZeroU32>,
    pub calendar: Option<Arc<Calendar>>,
    pub content: String,
    pub importance: f64,
    pub tags: Vec<String>,
    pub lifetime: MemoryLifetime,
    pub pinned: bool,
    pub forgotten: Option<Forgotten>,
    pub into: Option<MemoryId>,
    pub derived_from: Vec<TextSource>,
}

impl EntryState {
    pub fn of(entry: &MemoryEntry) -> Self {
        Self {
            curator: entry.curator,
            kind: entry.kind,
            name: entry.name.clone(),
            aliases: entry.aliases.clone(),
            subject: entry.subject.clone(),
            relation: entry.relation.clone(),
            links: entry.links.clone(),
            span: entry.span,
            reading_number: entry.reading_number,
            calendar: entry.calendar.clone(),
            content: entry.content.clone(),
            importance: entry.importance.get(),
            tags: entry.tags.clone(),
            lifetime: entry.lifetime,
            pinned: entry.pinned,
            forgotten: entry.forgotten.clone(),
            into: entry.consolidated_into,
            derived_from: entry.derived_from.clone(),
        }
    }

    /// No agent and no task may change it.
    pub const fn is_the_authors(&self) -> bool {
        matches!(self.curator, Curator::Author | Curator::Import) || self.name.is_some() || self.pinned
    }

    pub const fn active(&self) -> bool {
        self.forgotten.is_none()
    }

    /// Alike but for the reason and time of forgetting, and whose words it holds.
    fn looks_like(&self, other: &Self) -> bool {
        let bare = |state: &Self| {
            let state = state.clone();
            (state.active(), Self { forgotten: None, derived_from: Vec::new(), into: None, ..state })
        };
        bare(self) == bare(other)
    }
}

/// Who writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    Author,
    /// The World Agent.
    Agent,
    /// A client, by its number.
    Client(usize),
    Task,
    /// An import, by its run.
    Import(String),
}

/// One write to an entry.
#[derive(Debug, Clone)]
pub struct Write {
    /// Counts all writes of a sequence.
    pub order: usize,
    pub by: By,
    /// The version that it made.
    pub version: u64,
    pub change: ChangeId,
    pub before: Option<EntryState>,
    pub after: EntryState,
    pub undone: bool,
    /// It took something back itself.
    pub undoes: bool,
}

/// An entry as it has to be.
#[derive(Debug, Clone)]
pub struct ModelEntry {
    pub seat: Seat,
    pub version: u64,
    pub state: EntryState,
    pub writes: Vec<Write>,
}

/// What an entry must say after a step.
#[derive(Debug, Clone)]
pub enum Want {
    /// This, but for the mark of forgetting and whose words it holds.
    Like(EntryState),
    /// Exactly this.
    Exactly(EntryState),
}

/// What a step may do to memory.
#[derive(Debug, Clone, Default)]
pub struct Expected {
    /// Entries that change, and what they must say then.
    pub changes: BTreeMap<MemoryId, Want>,
    /// What must be new: where, whose, which text.
    pub fresh: Vec<(Seat, Curator, String)>,
    /// What must be destroyed.
    pub gone: BTreeSet<MemoryId>,
    /// Entries that move.
    pub moved: BTreeMap<MemoryId, Seat>,
    /// Entries that may change as well, within the rules of who writes.
    pub also: BTreeSet<MemoryId>,
    /// Whatever the rules of who writes allow.
    pub anything: bool,
    /// It takes something back.
    pub undoes: bool,
}

impl Expected {
    pub fn nothing() -> Self {
        Self::default()
    }

    pub fn anything() -> Self {
        Self { anything: true, ..Self::default() }
    }

    pub fn change(id: MemoryId, entry: EntryState) -> Self {
        Self { changes: BTreeMap::from([(id, Want::Like(entry))]), ..Self::default() }
    }

    pub fn fresh(seat: Seat, curator: Curator, content: &str) -> Self {
        Self { fresh: vec![(seat, curator, content.to_owned())], ..Self::default() }
    }
}

/// Reading or writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Read,
    Write,
}

/// What a client was granted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Granted {
    /// Account, workspace, channel, conversation: may read, may write.
    pub tiers: [(bool, bool); 4],
    pub channels: BTreeSet<ChannelId>,
    pub conversations: BTreeSet<ConversationId>,
    pub propose: bool,
    pub scrub: bool,
    pub switch: bool,
}

pub const SCOPES: [MemoryScope; 4] =
    [MemoryScope::Account, MemoryScope::Workspace, MemoryScope::Channel, MemoryScope::Conversation];

impl Granted {
    pub fn tier(&self, verb: Verb, scope: MemoryScope) -> bool {
        let at = SCOPES.iter().position(|one| *one == scope).expect("one of four");
        let (read, write) = self.tiers[at];
        // Who may not read may not write either.
        read && (verb == Verb::Read || write)
    }
}

/// A client.
#[derive(Debug, Clone)]
pub struct Client {
    pub id: String,
    pub world: World,
    pub grants: Granted,
    pub revoked: bool,
}

impl Client {
    pub fn may(&self, verb: Verb, seat: Seat) -> bool {
        let there = match seat {
            Seat::Account => true,
            Seat::Workspace(world) => world == self.world,
            Seat::Channel(world, id) => world == self.world && self.grants.channels.contains(&id),
            Seat::Conversation(world, id) => world == self.world && self.grants.conversations.contains(&id),
        };
        !self.revoked && there && self.grants.tier(verb, seat.scope())
    }
}

/// A conversation.
#[derive(Debug, Clone)]
pub struct ModelConversation {
    pub world: World,
    pub channel: ChannelId,
    pub code: String,
    /// It takes messages.
    pub open: bool,
    /// Something summed it up: what was said may be gone behind it.
    pub summed_up: bool,
    /// What the World Agent asked its tools there.
    pub asked: BTreeSet<String>,
    /// What was said, and by which client.
    pub texts: Vec<(String, Option<usize>)>,
}

/// A value, and whether it is the worldbuilder's own.
type Word = (Option<String>, bool);

/// A value that several hands write: a fact, a working note, a switch.
#[derive(Debug, Clone, Default)]
pub struct Slot {
    pub value: Option<String>,
    /// The worldbuilder's own word.
    pub authors: bool,
    /// By whom, before (with whose word it was), after.
    pub writes: Vec<(By, Word, Word)>,
}

impl Slot {
    pub fn set(&mut self, by: By, value: Option<String>, authors: bool) {
        let after = (value, authors);
        self.writes.push((by, (self.value.clone(), self.authors), after.clone()));
        (self.value, self.authors) = after;
    }

    /// Takes back what somebody wrote, the newest first, until somebody else's word stands.
    pub fn take_back(&mut self, by: &By) {
        let mut stands = (self.value.clone(), self.authors);
        for (_, before, after) in self.writes.iter().rev().filter(|(who, ..)| who == by) {
            if stands != *after {
                break;
            }
            stands = before.clone();
        }
        (self.value, self.authors) = stands;
        self.writes.retain(|(who, ..)| who != by);
    }
}

/// Everything that has to be true.
#[derive(Debug, Clone, Default)]
pub struct Model {
    pub entries: BTreeMap<MemoryId, ModelEntry>,
    /// Texts of what was destroyed.
    pub destroyed: BTreeSet<String>,
    pub facts: BTreeMap<(World, String), Slot>,
    pub notes: BTreeMap<(ConversationId, String), Slot>,
    pub conversations: BTreeMap<ConversationId, ModelConversation>,
    pub channels: BTreeMap<ChannelId, (World, String)>,
    pub archived: BTreeSet<ChannelId>,
    pub on: [bool; 2],
    pub switches: [Slot; 2],
    pub clients: Vec<Client>,
    /// The workspace in use.
    pub here: World,
    /// Writes so far.
    pub writes: usize,
}

/// What is really there.
pub type Snapshot = BTreeMap<MemoryId, (Seat, MemoryEntry)>;

pub fn take(snapshot: &mut Snapshot, world: World, stored: Vec<StoredEntry>) {
    for StoredEntry { entry, .. } in stored {
        snapshot.insert(entry.id, (Seat::of(world, entry.place), entry));
    }
}

impl Model {
    pub fn learn(&mut self, snapshot: &Snapshot) {
        for (id, (seat, entry)) in snapshot {
            let known = ModelEntry {
                seat: *seat,
                version: entry.version,
                state: EntryState::of(entry),
                writes: Vec::new(),
            };
            self.entries.insert(*id, known);
        }
    }

    /// Compares what is there with what a step may have done, and takes it over.
    pub fn settle(
        &mut self,
        (world, by): (World, &By),
        mut expected: Expected,
        there: &Snapshot,
    ) -> Result<BTreeSet<MemoryId>, String> {
        let mut touched = BTreeSet::new();
        for (id, known) in &self.entries {
            let Some((seat, entry)) = there.get(id) else {
                if expected.gone.contains(id) {
                    continue;
                }
                return Err(format!("{id} was acknowledged and is gone: {:?}", known.state));
            };
            if expected.gone.contains(id) {
                return Err(format!("{id} was scrubbed and is there: {:?}", entry.content));
            }
            let wanted = expected.moved.get(id).unwrap_or(&known.seat);
            if seat != wanted {
                return Err(format!("{id} lies in {seat:?} and not in {wanted:?}"));
            }
            let now = EntryState::of(entry);
            match expected.changes.get(id) {
                Some(Want::Like(state)) if !now.looks_like(state) => {
                    return Err(format!("{id} says {now:?}\nand not {state:?}"));
                }
                Some(Want::Exactly(state)) if now != *state => {
                    return Err(format!("{id} says {now:?}\nand not exactly {state:?}"));
                }
                Some(_) => {}
                None if now == known.state && entry.version == known.version => continue,
                None if expected.anything || expected.also.contains(id) => {}
                None => {
                    return Err(format!("{id} was not to be changed: {:?}\nbecame {now:?}", known.state));
                }
            }
            if now != known.state || entry.version != known.version {
                self.may_write(world, by, known.seat, Some(&known.state), &now)?;
                touched.insert(*id);
            }
        }
        for (id, (seat, entry)) in there.iter().filter(|(id, _)| !self.entries.contains_key(id)) {
            let now = EntryState::of(entry);
            // An entry that every workspace and account begins with begins anew, without a text, once it was scrubbed.
            if now.content.is_empty() && matches!(now.name.as_deref(), Some("VOICE" | "SOUL")) {
                continue;
            }
            let at = expected.fresh.iter().position(|(place, curator, content)| {
                place == seat && *curator == now.curator && *content == now.content
            });
            match at {
                Some(at) => drop(expected.fresh.remove(at)),
                None if expected.anything => {}
                None => return Err(format!("nobody was to add {id} in {seat:?}: {now:?}")),
            }
            self.may_write(world, by, *seat, None, &now)?;
            touched.insert(*id);
        }
        if let Some((seat, _, content)) = expected.fresh.first() {
            return Err(format!("this was acknowledged and is not there: {content:?} in {seat:?}"));
        }
        self.take_over(by, &expected, there, &touched);
        Ok(touched)
    }

    /// The rules of who writes.
    fn may_write(
        &self,
        world: World,
        by: &By,
        seat: Seat,
        before: Option<&EntryState>,
        after: &EntryState,
    ) -> Checked {
        let message = || format!("{by:?} wrote in {seat:?}: {before:?}\nbecame {after:?}");
        if seat.world().is_some_and(|other| other != world) {
            return Err(format!("written in another workspace: {}", message()));
        }
        if matches!(by, By::Author | By::Import(_)) {
            return Ok(());
        }
        let archive = after.kind == MemoryKind::Archive && before.is_none() && *by == By::Task;
        if before.is_some_and(EntryState::is_the_authors) || (after.is_the_authors() && !archive) {
            return Err(format!("the author's words are the author's: {}", message()));
        }
        let forgets = before.is_some_and(|before| before.active() && !after.active());
        if !self.on[world] && !forgets {
            return Err(format!("memory is off: {}", message()));
        }
        if let By::Client(n) = by
            && !self.clients[*n].may(Verb::Write, seat)
        {
            return Err(format!("the client may not write there: {}", message()));
        }
        Ok(())
    }

    fn take_over(&mut self, by: &By, expected: &Expected, there: &Snapshot, touched: &BTreeSet<MemoryId>) {
        for id in &expected.gone {
            if let Some(known) = self.entries.remove(id) {
                let messages = known.writes.into_iter().map(|write| write.after.content);
                self.destroyed.extend(messages.chain([known.state.content]));
            }
        }
        for (id, (seat, entry)) in there {
            let now = EntryState::of(entry);
            let before = self.entries.get(id).map(|known| known.state.clone());
            let known = self.entries.entry(*id).or_insert_with(|| ModelEntry {
                seat: *seat,
                version: 0,
                state: now.clone(),
                writes: Vec::new(),
            });
            if touched.contains(id) {
                let (by, after) = (by.clone(), now.clone());
                let undoes = expected.undoes;
                let (version, change) = (entry.version, entry.change);
                self.writes += 1;
                let order = self.writes;
                known.writes.push(Write { order, by, version, change, before, after, undone: false, undoes });
            }
            (known.seat, known.version, known.state) = (*seat, entry.version, now);
        }
    }

    /// What each entry says once everything that somebody wrote is taken back, the newest first, up to what somebody else
    /// wrote over it.
    ///
    /// `over_tasks`: what tasks did to it since is taken back first.
    pub fn taken_back(&self, whose: impl Fn(&By) -> bool, over_tasks: bool) -> BTreeMap<MemoryId, Want> {
        let mut all = BTreeMap::new();
        for (id, known) in &self.entries {
            let mut stands = known.state.clone();
            let mut wanted = None;
            let top = known.writes.iter().rev().find(|write| !over_tasks || write.by != By::Task);
            if let Some(top) = top.filter(|top| whose(&top.by) && top.after != stands) {
                stands = top.after.clone();
                wanted = Some(Want::Exactly(stands.clone()));
            }
            for write in known.writes.iter().rev().filter(|w| whose(&w.by) && !w.undone && !w.undoes) {
                if stands != write.after {
                    break;
                }
                match &write.before {
                    Some(before) => {
                        stands = before.clone();
                        wanted = Some(Want::Exactly(stands.clone()));
                    }
                    None if stands.active() => {
                        stands.forgotten = Some(taken_out());
                        wanted = Some(Want::Like(stands.clone()));
                    }
                    None => {}
                }
            }
            if let Some(wanted) = wanted {
                all.insert(*id, wanted);
            }
        }
        all
    }

    /// Marks writes as taken back.
    pub fn mark_undone(&mut self, which: impl Fn(&Write) -> bool) {
        let writes = self.entries.values_mut().flat_map(|known| &mut known.writes);
        writes.filter(|write| which(write)).for_each(|write| write.undone = true);
    }

    /// What is out of use now, whatever the mark says.
    pub fn forgotten(entry: &EntryState) -> EntryState {
        EntryState { forgotten: entry.forgotten.clone().or_else(|| Some(taken_out())), ..entry.clone() }
    }

    pub fn is_open(&self, id: &ConversationId) -> bool {
        self.conversations.get(id).is_some_and(|conversation| conversation.open)
    }
}

fn taken_out() -> Forgotten {
    Forgotten { at: chrono::DateTime::UNIX_EPOCH, reason: ForgetReason::Asked(None), run: None }
}
