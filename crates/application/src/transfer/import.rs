//! Imports a file: first a dry run that is rolled back, then the same again in one transaction, if the result
//! is still the same.

mod asking;
mod entries;
mod knowing;
mod linking;
mod same_entries;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use inklings_domain::{
    calendar::span::Span,
    consolidation::run::{Run, RunCounts, RunState, RunTrigger},
    conversation::ref_code::RefCode,
    derivation::Derivation,
    forget_reason::ForgetReason,
    ids::MemoryId,
    memory::Stamp,
    named_entry::key,
    provenance::{Actor, ActorKind, Interface},
    recall_test::Cause,
    scope::Place,
};
use inklings_ports::{
    store_error::StoreError,
    transfer::{
        derivations::derivations_value,
        fields::{put_forget_reason, text_of, written_moment},
        file::{Aside, FileError, FileRow, FileSource, TransferError, TransferProgress},
        shape::{DEFAULT_CHANNEL, OWN, REASON, Section, UNKNOWN_FIELDS},
        store::{Fields, ImportStamp, TransferWriter},
    },
};
use serde_json::{Value, json};

use self::{
    knowing::NewKnower,
    linking::{Linkables, Linked},
    same_entries::SameEntries,
};
use super::{
    check::checked,
    decide::{label, label_of},
    picks::{Need, Picks},
    plan::{Conflicts, Outcome, Plan, PlanItem, Tally},
    standing::Claims,
};
use crate::{
    conversation::lookup::REF_CODE_ATTEMPTS,
    error::AppError,
    memory::{agent_texts::AgentTexts, import::lifetime_in},
    services::Transfers,
    session::Session,
};

/// Name of the import's run.
pub const TASK: &str = "import";
/// Rows between two checks for cancellation.
const STRIDE: u64 = 32;

/// Reason shown for what reverting the run cannot undo.
const STAYS: &str = "taking the import back leaves it here";

/// Options of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// How conflicts with existing content are resolved.
    pub conflicts: Conflicts,
    /// Interface of the import.
    pub interface: Interface,
    /// Place for entries without one, from other programs' files.
    pub place: Place,
    /// The lines that a person picked.
    pub picks: Picks,
    /// Lines whose texts the plan shows in full.
    pub whole: BTreeSet<String>,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The outcome of each item.
    pub plan: Plan,
    /// The run, for reverting the import.
    pub run: Run,
}

/// The decision on a row.
struct Decided(Outcome, String);

impl Decided {
    fn add() -> Self {
        Self(Outcome::Add, String::new())
    }

    fn skip(reason: impl Into<String>) -> Self {
        Self(Outcome::Skip, reason.into())
    }
}

/// One of the two databases.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Account,
    Workspace,
}

impl Side {
    /// The database of an entry.
    fn of(fields: &Fields) -> Self {
        if text_of(fields, "scope") == Some("account") { Self::Account } else { Self::Workspace }
    }
}

/// An import in progress.
struct Pass<'s> {
    session: &'s Session,
    wanted: Wanted,
    format: &'static str,
    /// What the entries of the file are made of.
    file: Option<Derivation>,
    run: Run,
    /// False for a dry run.
    kept: bool,
    written: [u64; 2],
    writers: [Option<Box<dyn TransferWriter>>; 2],
    stamps: [Stamp; 2],
    tally: Tally,
    seen: HashSet<(bool, String)>,
    claimed: HashSet<(String, String)>,
    /// Continuation of conversations and replacement of entries: source id to target id, with the line
    /// number. Used to find cycles.
    leads: HashMap<String, (String, u64)>,
    /// Known texts of agents and clients.
    texts: AgentTexts,
    /// Rows read per section.
    numbers: HashMap<Section, u64>,
    row: asking::Row,
    /// Ids of lines that may be picked.
    lines: HashSet<String>,
    /// Status claims of all rows.
    claims: Claims,
    /// Conversations added by this import.
    brought: HashSet<String>,
    /// Existing conversations that the file adds to, by id.
    joined: BTreeMap<String, asking::Joined>,
    /// What the named rows of a third-party file become, if its entries are linked.
    linkables: Linkables,
    /// What the named rows became so far.
    became: Linkables,
    /// The entries of an Inklings export that are here under another id, as a first pass found them.
    known_same: SameEntries,
    /// Those found so far.
    same: SameEntries,
    /// Subjects that the file only names as knowing of its entries, by folded name.
    new_knowers: HashMap<String, NewKnower>,
    /// Relations of the file so far: both ends and the folded relation, with the times that each holds.
    related: HashMap<(MemoryId, MemoryId, String), Vec<Span>>,
}

impl Transfers<'_> {
    /// Plans an import by a dry run that is rolled back.
    ///
    /// # Errors
    /// [`TransferError`] if the file is invalid, the import was cancelled or a database fails.
    pub async fn preview(
        &self,
        source: &dyn FileSource,
        wanted: Wanted,
        progress: &dyn TransferProgress,
    ) -> Result<Plan, TransferError> {
        Ok(Box::pin(self.pass(source, wanted, false, progress)).await?.tally.done())
    }

    /// Imports a file atomically in one pass, if the result equals the preview with this `hash`. The run is
    /// written with the workspace's commit, which decides. The account's part is prepared before it and
    /// applied after it, at the latest when the folder is opened next.
    ///
    /// # Errors
    /// As [`Self::preview`]; [`TransferError::Stale`] if the file or the memory changed since the
    /// preview.
    pub async fn import(
        &self,
        source: &dyn FileSource,
        wanted: Wanted,
        hash: &str,
        progress: &dyn TransferProgress,
    ) -> Result<Imported, TransferError> {
        let mut pass = Box::pin(self.pass(source, wanted, true, progress)).await?;
        // The run is stored in the workspace, even if all entries belong to the account.
        pass.writer(Side::Workspace).await?;
        let plan = std::mem::take(&mut pass.tally).done();
        if plan.hash != hash {
            return Err(TransferError::Stale);
        }
        let rows: u64 = plan.counts.values().sum();
        let counts = RunCounts { scanned: rows, created: pass.written.iter().sum(), ..RunCounts::default() };
        let run = Run { done: rows, total: rows, counts, ..pass.run };
        let run = run.ended(RunState::Done, None, self.session.clock.now());
        // Prepare the account's part last. After that, the workspace's commit with the run decides.
        for writer in pass.writers.iter_mut().rev().flatten() {
            writer.prepare(&*self.session.ids).await?;
        }
        let [account, workspace] = pass.writers;
        if let Some(workspace) = workspace {
            workspace.commit(Some(&run)).await?;
        }
        if let Some(account) = account {
            account.commit(None).await?;
        }
        self.session.recall_tests().run_after(Cause::Import(Some(run.id))).await;
        Ok(Imported { plan, run })
    }

    async fn pass<'s>(
        &'s self,
        source: &dyn FileSource,
        wanted: Wanted,
        kept: bool,
        progress: &dyn TransferProgress,
    ) -> Result<Pass<'s>, TransferError> {
        let mut texts = self.session.memories().texts_of_agents().await.map_err(store_error)?;
        let (mut linkables, mut known_same) = (Linkables::default(), SameEntries::default());
        if linking::names_entries(source, wanted.place)? && !self.is_nothing_here(source).await? {
            let first = self.new_pass(source, wanted.clone(), false, texts)?;
            (linkables, known_same, texts) = first.find_linkables(source, progress).await?;
        }
        let mut pass = self.new_pass(source, wanted, kept, texts)?;
        (pass.linkables, pass.known_same) = (linkables, known_same);
        let mut rows = source.rows()?;
        let (mut read, mut section) = (0u64, Section::Channels);
        while let Some(row) = rows.next() {
            let row = row?;
            if row.section < section {
                return Err(FileError::at(row.line, "the sections stand in another order").into());
            }
            section = row.section;
            pass.take(row).await?;
            read += 1;
            if read.is_multiple_of(STRIDE) {
                let (done, total) = rows.progress();
                progress.report(done, total, section.name());
                if progress.cancelled() {
                    return Err(TransferError::Cancelled);
                }
            }
        }
        if let Some(line) = circle(&pass.leads) {
            return Err(FileError::at(line, "this leads back to itself").into());
        }
        pass.check_linkables()?;
        pass.aside(rows.aside()).await?;
        pass.end_of_lines()?;
        Ok(pass)
    }

    fn new_pass(
        &self,
        source: &dyn FileSource,
        wanted: Wanted,
        kept: bool,
        texts: AgentTexts,
    ) -> Result<Pass<'_>, TransferError> {
        let at = self.session.clock.now();
        let id = inklings_domain::ids::RunId::from_uuid(self.session.ids.uuid());
        let actor = Actor::new(ActorKind::Import, wanted.interface, Some(id));
        let actor = actor.map_err(|error| StoreError::Refused(error.to_string().into()))?;
        let stamp = || Stamp { change: self.session.ids.change_id(), actor, at };
        Ok(Pass {
            session: self.session,
            wanted,
            format: source.format(),
            file: source.derivation(),
            run: Run::begun(id, TASK, RunTrigger::Asked, at),
            kept,
            written: [0, 0],
            writers: [None, None],
            stamps: [stamp(), stamp()],
            tally: Tally::default(),
            seen: HashSet::new(),
            claimed: HashSet::new(),
            leads: HashMap::new(),
            texts,
            numbers: HashMap::new(),
            row: asking::Row::default(),
            lines: HashSet::new(),
            claims: Claims::default(),
            brought: HashSet::new(),
            joined: BTreeMap::new(),
            linkables: Linkables::default(),
            became: Linkables::default(),
            known_same: SameEntries::default(),
            same: SameEntries::default(),
            new_knowers: HashMap::new(),
            related: HashMap::new(),
        })
    }
}

/// The line number of a row in a cycle, if there is a cycle.
fn circle(leads: &HashMap<String, (String, u64)>) -> Option<u64> {
    let mut settled: HashSet<&str> = HashSet::new();
    for start in leads.keys() {
        let (mut path, mut at) = (HashSet::new(), start.as_str());
        while let Some((next, line)) = leads.get(at) {
            if settled.contains(at) {
                break;
            }
            if !path.insert(at) {
                return Some(*line);
            }
            at = next;
        }
        settled.extend(path);
    }
    None
}

impl Pass<'_> {
    async fn writer(&mut self, side: Side) -> Result<&mut Box<dyn TransferWriter>, StoreError> {
        let at = side as usize;
        if self.writers[at].is_none() {
            let store = match side {
                Side::Account => &self.session.account.transfer,
                Side::Workspace => &self.session.workspace.transfer,
            };
            let stamp = ImportStamp {
                change: self.stamps[at].change,
                run: self.run.id,
                interface: self.wanted.interface,
                at: self.stamps[at].at,
                follows: (self.kept && side == Side::Account).then_some(self.session.workspace.workspace.id),
            };
            self.writers[at] = Some(store.begin_transfer(stamp).await?);
        }
        self.writers[at].as_mut().ok_or(StoreError::Busy)
    }

    async fn take(&mut self, mut row: FileRow) -> Result<(), TransferError> {
        let (mut section, line) = (row.section, row.line);
        let mut identity = Value::Object(row.fields.clone()).to_string();
        if section == Section::Journal {
            let item = PlanItem {
                what: section.what(),
                reason: "the journal tells of the installation that it comes from".into(),
                ..PlanItem::of(Outcome::Skip)
            };
            self.tally.note(item, "", true);
            return Ok(());
        }
        let given = label(&row.fields);
        let third_party = self.format != OWN;
        let unit = if third_party { "entry" } else { "line" };
        let place = row.place.take().unwrap_or_else(|| format!("{unit} {line}"));
        let mut linked = Linked::default();
        if third_party {
            let mut links = std::mem::take(&mut row.links);
            if self.without_subject_of_agents(&mut row.fields, &mut links) {
                section = Section::Memories;
                row.section = section;
            }
            row.fields = self.completed(row.fields, line);
            linked = self.put_links(&mut row.fields, &links, line).await?;
            identity.push_str(&linked.digest);
        }
        let mut fields = match checked(row) {
            // Other programs have other rules, so only the invalid row is refused.
            Err(error) if third_party => {
                let reason =
                    error.field.map_or(error.message.clone(), |field| format!("{field}: {}", error.message));
                let what = section.what();
                let item = PlanItem { what, place, label: given, reason, ..PlanItem::of(Outcome::Refuse) };
                self.tally.note(item, &identity, false);
                return Ok(());
            }
            checked => checked?,
        };
        identity.push_str(&self.known_same.put_into(section, &mut fields));
        if let Some(id) = text_of(&fields, "id")
            && !self.seen.insert((
                section.holds_entries(),
                format!("{id}{}", if section.holds_entries() { "" } else { section.name() }),
            ))
        {
            return Err(FileError::of(line, "id", "this id stands twice in the file").into());
        }
        for lead in ["continues_id", "consolidated_into"] {
            if let (Some(id), Some(to)) = (text_of(&fields, "id"), text_of(&fields, lead)) {
                self.leads.insert(self.known_same.text_of(id), (to.to_owned(), line));
            }
        }
        let number = self.numbers.entry(section).or_default();
        *number += 1;
        let shown = label(&fields);
        let tier = text_of(&fields, "scope").map(str::to_owned);
        self.row = asking::Row::new(section, *number, shown.clone(), tier);
        self.row.widens = linked.widens;
        let word = |name: &str| text_of(&fields, name).map(str::to_owned);
        let (id, subject, relation) = (word("id"), word("subject"), word("relation"));
        let Decided(outcome, mut reason) = match section {
            Section::Channels => self.channel(&fields).await?,
            Section::Conversations => self.conversation(fields).await?,
            Section::Memories | Section::NamedEntries => self.entry(section, fields).await?,
            _ => self.decide_row(section, fields).await?,
        };
        self.decided(outcome);
        if third_party {
            self.note_became(line);
            if outcome == Outcome::Add && reason.is_empty() {
                linked.reason.clone_into(&mut reason);
            }
        } else {
            self.note_same(&id.unwrap_or_default());
        }
        let what = section.what();
        // What is left out is linked to nothing.
        let is_linked = matches!(outcome, Outcome::Add | Outcome::Change);
        let links = if is_linked { linked.links } else { Vec::new() };
        if is_linked {
            self.add_knowers(&linked.made).await?;
        }
        let item = PlanItem { outcome, what, place, label: shown, reason, subject, relation, links };
        self.tally.note(item, &identity, section == Section::Messages);
        Ok(())
    }

    /// An entry of another program with all fields of an Inklings entry.
    fn completed(&self, given: Fields, line: u64) -> Fields {
        let mut fields = given;
        let place = self.wanted.place;
        let now = written_moment(self.stamps[0].at);
        let enabled = fields.remove("enabled").and_then(|flag| flag.as_bool()).unwrap_or(true);
        let id = self.linkables.id_of(line).unwrap_or_else(|| self.session.ids.memory_id());
        fill(&mut fields, "id", id.to_string().into());
        fill(&mut fields, "scope", place.scope().as_str().into());
        if let Some(channel) = place.channel() {
            fill(&mut fields, "channel_id", channel.to_string().into());
        }
        if let Some(conversation) = place.conversation() {
            fill(&mut fields, "conversation_id", conversation.to_string().into());
        }
        fill(&mut fields, "lifetime", lifetime_in(place).as_str().into());
        fill(&mut fields, "curator", "import".into());
        fill(&mut fields, "written_by", "import".into());
        fill(&mut fields, "kind", "note".into());
        fill(&mut fields, "importance", json!(0.5));
        fill(&mut fields, "source", self.format.into());
        fill(&mut fields, "version", 1.into());
        if let Some(file) = &self.file {
            fill(&mut fields, "derivations", derivations_value(std::slice::from_ref(file)));
        }
        fill(&mut fields, "created_at", now.clone().into());
        let made = fields.get("created_at").cloned().unwrap_or_default();
        fill(&mut fields, "updated_at", made);
        fill(&mut fields, "accessed_at", now.clone().into());
        if !enabled {
            fill(&mut fields, "forgotten_at", now.into());
            if !fields.contains_key(REASON) {
                put_forget_reason(&mut fields, &ForgetReason::SwitchedOff);
            }
        }
        fields
    }

    /// Stores unknown members of the file, for the account or workspace that the file belongs to.
    async fn aside(&mut self, aside: Aside) -> Result<(), TransferError> {
        let side = if aside.of_account { Side::Account } else { Side::Workspace };
        for (number, (name, value)) in aside.members.into_iter().enumerate() {
            self.row = asking::Row::unknown_member(number as u64 + 1, label_of(&name));
            let was = self.writer(side).await?.member(&name).await?;
            let mut decided = match &was {
                Some(was) if *was == value => Decided::skip("it is here already, just so"),
                Some(_) if self.wanted.conflicts == Conflicts::Mine => Decided::skip("yours is kept"),
                Some(_) => Decided(Outcome::Change, STAYS.into()),
                None => Decided(Outcome::Add, STAYS.into()),
            };
            let need = match (side, decided.0) {
                (_, Outcome::Skip) | (Side::Workspace, Outcome::Add) => None,
                (Side::Account, _) => Some(Need::Account),
                (Side::Workspace, _) => Some(Need::Replaces),
            };
            let here = was.map(|was| was.to_string());
            if let Some(need) = need
                && !self.picked(need, "", here.as_deref(), &value.to_string())
            {
                decided = self.unpicked();
            }
            if matches!(decided.0, Outcome::Add | Outcome::Change)
                && let Err(error) = self.writer(side).await?.put_member(&name, &value).await
            {
                decided = refusal(error)?;
            }
            let Decided(outcome, reason) = decided;
            let (what, label) = ("field of the file", label_of(&name));
            let item = PlanItem { what, label, reason, ..PlanItem::of(outcome) };
            self.tally.note(item, &format!("{name} {value}"), false);
        }
        Ok(())
    }

    async fn channel(&mut self, fields: &Fields) -> Result<Decided, TransferError> {
        let (id, name) =
            (text_of(fields, "id").unwrap_or_default(), text_of(fields, "name").unwrap_or_default());
        let writer = self.writer(Side::Workspace).await?;
        if id != DEFAULT_CHANNEL {
            if writer.get(Section::Channels, &[id]).await?.is_some() {
                return Ok(Decided::skip("it is here already"));
            }
            if let Some(to) = writer.channel_named(&key(name)).await? {
                writer.map_channel(id, &to);
                return Ok(Decided::skip("what is in it goes into the channel of this name"));
            }
            return self.plain(Section::Channels, fields).await;
        }
        let current = writer.get(Section::Channels, &[id]).await?.unwrap_or_default();
        let is_new_field = |name: &str| fields.contains_key(name) && !current.contains_key(name);
        if !is_new_field("description") && !is_new_field(UNKNOWN_FIELDS) {
            return Ok(Decided::skip("every workspace has it"));
        }
        let mut fields = fields.clone();
        fields.retain(|name, _| !current.contains_key(name) || name == "id");
        match self.plain(Section::Channels, &fields).await? {
            Decided(Outcome::Add, _) => Ok(Decided(Outcome::Change, "what it is about".into())),
            other => Ok(other),
        }
    }

    async fn conversation(&mut self, mut fields: Fields) -> Result<Decided, TransferError> {
        let id = text_of(&fields, "id").unwrap_or_default().to_owned();
        let writer = self.writer(Side::Workspace).await?;
        if writer.get(Section::Conversations, &[&id]).await?.is_some() {
            return Ok(Decided::skip("it is here already; what is new in it is added"));
        }
        let mut decided = self.plain(Section::Conversations, &fields).await?;
        for _ in 0..REF_CODE_ATTEMPTS {
            if decided.0 != Outcome::Skip {
                break;
            }
            // The reference code is taken. Conversations are identified by id, so assign a new code.
            let code = RefCode::from_bits(self.session.ids.random_bits());
            fields.insert("ref_code".to_owned(), code.to_string().into());
            decided = self.plain(Section::Conversations, &fields).await?;
        }
        if decided.0 == Outcome::Skip {
            decided.0 = Outcome::Refuse;
        }
        if decided.0 == Outcome::Add {
            self.brought.insert(id);
        }
        Ok(decided)
    }

    /// Adds a row unless it already exists.
    async fn plain(&mut self, section: Section, fields: &Fields) -> Result<Decided, TransferError> {
        let writer = self.writer(Side::Workspace).await?;
        let id = asking::row_id(section, fields);
        let id: Vec<&str> = id.iter().map(String::as_str).collect();
        if section != Section::Channels && writer.get(section, &id).await?.is_some() {
            return Ok(Decided::skip("it is here already"));
        }
        match writer.add(section, fields).await {
            Ok(()) if section.holds_entries() => Ok(Decided::add()),
            Ok(()) => Ok(Decided(Outcome::Add, STAYS.into())),
            Err(StoreError::AlreadyExists(what)) => {
                Ok(Decided::skip(format!("there is a {what} of its name or place already")))
            }
            Err(error) => refusal(error),
        }
    }
}

/// Sets a field if it has no value.
fn fill(fields: &mut Fields, name: &str, value: Value) {
    if fields.get(name).is_none_or(Value::is_null) {
        fields.insert(name.to_owned(), value);
    }
}

/// Converts an error to a store error.
fn store_error(error: AppError) -> StoreError {
    match error {
        AppError::Store(error) => error,
        other => StoreError::Refused(other.to_string().into()),
    }
}

/// Reports a refusal by the database with the row; other errors end the import.
fn refusal(error: StoreError) -> Result<Decided, TransferError> {
    match error {
        StoreError::Refused(_)
        | StoreError::AlreadyExists(_)
        | StoreError::Locked(_)
        | StoreError::MemoryOff
        | StoreError::NotFound(_) => Ok(Decided(Outcome::Refuse, error.to_string())),
        other => Err(other.into()),
    }
}
