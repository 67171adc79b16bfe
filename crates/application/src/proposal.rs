//! Proposals: filed by agents and tasks, decided by the worldbuilder.

use std::{collections::BTreeSet, sync::Arc};

use inklings_domain::{
    consolidation::SOURCE,
    derivation,
    forget_reason::ForgetReason,
    ids::{ChangeId, MemoryId, ProposalId, RunId},
    lens::ResolvedLens,
    memory::{
        InvalidMemory, MemoryDraft, MemoryEntry, Stamp,
        change_set::{Action, ChangeSet, MemoryWrite},
        text_source::{TextSource, least_trusted, merged_curator},
    },
    proposal::{Decision, InvalidProposal, Proposal, ProposalDraft, ProposalKind, ProposalState, Subject},
    provenance::Actor,
    scope::MemoryLifetime,
    text::{MAX_KEYS, MAX_KEYS_BYTES, MAX_TAGS, fold},
};
use inklings_ports::{
    memory::store::StoredEntry, proposal::ProposalCursor, store_error::StoreError,
    workspace::catalogue::MemoryPorts,
};

use crate::{error::AppError, memory::browse::MAX_PAGE, services::Proposals, session::only_the_author};

/// The result of proposing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposed {
    /// It was filed and waits for the worldbuilder.
    Filed(ProposalId),
    /// The same was proposed before.
    Before,
}

impl Proposed {
    /// Converts the result of [`crate::services::Proposals::propose`].
    pub fn of(filed: Option<Proposal>) -> Self {
        filed.map_or(Self::Before, |proposal| Self::Filed(proposal.id))
    }

    /// The id of the proposal, if it is new.
    pub const fn id(self) -> Option<ProposalId> {
        match self {
            Self::Filed(id) => Some(id),
            Self::Before => None,
        }
    }
}

/// A page of proposals.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposalPage {
    /// Newest first.
    pub rows: Vec<Proposal>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<ProposalCursor>,
}

/// The current version of an entry, as the subject of a proposal.
///
/// # Errors
/// [`AppError::Memory`] if it is forgotten.
pub fn subject(entry: &MemoryEntry) -> Result<Subject, AppError> {
    if entry.is_active() {
        Ok(Subject { id: entry.id, version: entry.version })
    } else {
        Err(InvalidMemory::Forgotten.into())
    }
}

impl Proposals<'_> {
    /// Files a proposal about the current versions of entries. `None` if the same was proposed before, or was
    /// rejected while the entries had the same texts. The text of an agent that sees through a lens is compared with nothing
    /// that the lens withholds.
    ///
    /// # Errors
    /// [`AppError::Proposal`] if it is invalid; [`AppError::NoMemory`] for an unknown entry;
    /// [`AppError::Input`] if its entries are in different databases; [`AppError::Guard`] if it repeats
    /// scrubbed content, or an agent proposes what can be derived from existing content;
    /// [`AppError::MemoryOff`].
    pub async fn propose(
        &self,
        draft: ProposalDraft,
        actor: Actor,
        lens: Option<Arc<ResolvedLens>>,
    ) -> Result<Option<Proposal>, AppError> {
        self.session.switch().may_capture(actor.kind()).await?;
        let proposal =
            Proposal::file(self.session.ids.proposal_id(), draft, actor, self.session.clock.now())?;
        let entries = self.subjects(&proposal).await?;
        let ports = self.common_ports(&proposal, &entries)?;
        let ids: Vec<MemoryId> = entries.iter().map(|entry| entry.id).collect();
        let place = entries.first().map(|entry| entry.place);
        let place = place.or_else(|| proposal.makes.as_ref().map(|makes| makes.place));
        if let (Some(text), Some(place)) = (&proposal.content, place) {
            self.session.agent_writes().may_propose(text, place, &ids, (actor, lens)).await?;
        }
        let switch = self.session.switch().state().await?;
        if self.was_proposed_before(proposal.kind, &ids, proposal.content.as_deref()).await? {
            return Ok(None);
        }
        Ok(ports.proposals.file(&proposal, switch).await?.then_some(proposal))
    }

    /// True if a proposal of this kind was made about the same versions, or was rejected and the texts have
    /// not changed since. For an edit the proposed text must also be the same; for a merge it is ignored,
    /// because its wording differs each time.
    pub(crate) async fn was_proposed_before(
        &self,
        kind: ProposalKind,
        ids: &[MemoryId],
        content: Option<&str>,
    ) -> Result<bool, AppError> {
        let entries = self.session.entries(ids).await?;
        let Some(first) = entries.first() else { return Ok(false) };
        let wanted: BTreeSet<MemoryId> = ids.iter().copied().collect();
        for other in self.session.ports(first.entry.scope()).proposals.about(&ids[..1]).await? {
            let about: BTreeSet<MemoryId> = other.subjects.iter().map(|subject| subject.id).collect();
            let same_text =
                kind != ProposalKind::Edit || other.content.as_deref().map(fold) == content.map(fold);
            if other.kind != kind || about != wanted || !same_text {
                continue;
            }
            let version = |subject: &Subject| {
                entries.iter().any(|s| s.entry.id == subject.id && s.entry.version == subject.version)
            };
            if other.subjects.iter().all(version)
                || other.state == ProposalState::Rejected
                    && self.are_unchanged(&other.subjects, &entries).await?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn are_unchanged(&self, subjects: &[Subject], entries: &[StoredEntry]) -> Result<bool, AppError> {
        for subject in subjects {
            let Some(now) = entries.iter().map(|stored| &stored.entry).find(|e| e.id == subject.id) else {
                return Ok(false);
            };
            if now.version == subject.version {
                continue;
            }
            let history = self.session.ports(now.scope()).store.history(now.id).await?;
            let then = history.iter().find(|item| item.entry.version == subject.version);
            if then.is_none_or(|then| then.entry.content != now.content) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Rejects the open proposals that a run filed. Returns how many.
    pub(crate) async fn withdraw(&self, run: RunId) -> Result<usize, AppError> {
        let mut withdrawn = 0;
        for ports in self.session.all_ports() {
            let filed: Vec<_> = self
                .open(ports)
                .await?
                .into_iter()
                .filter(|proposal| proposal.actor.run() == Some(run))
                .map(|proposal| proposal.id)
                .collect();
            if !filed.is_empty() {
                withdrawn +=
                    ports.proposals.close(&filed, ProposalState::Rejected, self.session.clock.now()).await?;
            }
        }
        Ok(withdrawn)
    }

    /// The entries of open proposals.
    pub(crate) async fn awaiting_decision(&self) -> Result<BTreeSet<MemoryId>, AppError> {
        let mut ids = BTreeSet::new();
        for ports in self.session.all_ports() {
            let open = self.open(ports).await?;
            ids.extend(open.iter().flat_map(|proposal| &proposal.subjects).map(|subject| subject.id));
        }
        Ok(ids)
    }

    async fn open(&self, ports: &MemoryPorts) -> Result<Vec<Proposal>, AppError> {
        let (mut open, mut after) = (Vec::new(), None);
        loop {
            let page = ports.proposals.list(Some(ProposalState::Open), after, MAX_PAGE).await?;
            let Some(last) = page.last() else { return Ok(open) };
            after = Some(ProposalCursor { created_at: last.created_at, id: last.id });
            open.extend(page);
        }
    }

    /// A page of proposals, newest first.
    pub async fn list(
        &self,
        state: Option<ProposalState>,
        after: Option<ProposalCursor>,
        limit: usize,
    ) -> Result<ProposalPage, AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let mut rows = Vec::new();
        for ports in self.session.all_ports() {
            rows.extend(ports.proposals.list(state, after, limit + 1).await?);
        }
        rows.sort_by(|a, b| b.created_at.cmp(&a.created_at).then(b.id.cmp(&a.id)));
        let more = rows.len() > limit;
        rows.truncate(limit);
        let cursor = |last: &Proposal| ProposalCursor { created_at: last.created_at, id: last.id };
        Ok(ProposalPage { next: rows.last().filter(|_| more).map(cursor), rows })
    }

    /// Number of open proposals.
    pub async fn count_open(&self) -> Result<u64, AppError> {
        let mut open = 0;
        for ports in self.session.all_ports() {
            open += ports.proposals.count_open().await?;
        }
        Ok(open)
    }

    /// One proposal by id.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn get(&self, id: ProposalId) -> Result<Proposal, AppError> {
        Ok(self.proposal_with_ports(id).await?.0)
    }

    async fn proposal_with_ports(&self, id: ProposalId) -> Result<(Proposal, &MemoryPorts), AppError> {
        for ports in self.session.all_ports() {
            if let Some(found) = ports.proposals.get(&[id]).await?.pop() {
                return Ok((found, ports));
            }
        }
        Err(AppError::NotFound { what: "proposal", name: id.to_string() })
    }

    /// Decides a proposal. Its effect is one change, which can be undone; no change if it has no effect.
    ///
    /// # Errors
    /// [`AppError::Memory`] with `Locked` if the actor is not the worldbuilder; [`AppError::Proposal`] if it
    /// is already decided, the decision does not fit it, or one of its entries is forgotten (it is closed
    /// then); [`AppError::Stale`] if an entry was changed since it was filed.
    pub async fn decide(
        &self,
        id: ProposalId,
        decision: Decision,
        actor: Actor,
    ) -> Result<Option<ChangeId>, AppError> {
        only_the_author(actor)?;
        let (proposal, ports) = self.proposal_with_ports(id).await?;
        proposal.admits(&decision)?;
        let now = self.session.clock.now();
        if decision == Decision::Reject {
            return match ports.proposals.close(&[id], ProposalState::Rejected, now).await? {
                0 => Err(InvalidProposal::Decided.into()),
                _ => Ok(None),
            };
        }
        let entries = self.subjects(&proposal).await?;
        if entries.iter().any(|entry| !entry.is_active()) {
            ports.proposals.close(&[id], ProposalState::Superseded, now).await?;
            return Err(InvalidProposal::Superseded.into());
        }
        for (entry, subject) in entries.iter().zip(&proposal.subjects) {
            if entry.version != subject.version {
                let current = Box::new(entry.clone());
                return Err(AppError::Stale { current, given: subject.version, yours: proposal.content });
            }
        }
        let stamp = self.session.stamp(actor);
        let writes = carried_out(&proposal, &decision, &entries, self.session.ids.memory_id(), stamp)?;
        let change = ChangeSet {
            stamp,
            action: Action::Accept,
            undoes: None,
            switch: self.session.switch().state().await?,
            writes,
        };
        match ports.proposals.accept(id, &change).await {
            Err(StoreError::Moved(_)) => Err(InvalidProposal::Decided.into()),
            done => Ok(done.map(|()| Some(stamp.change))?),
        }
    }

    /// Closes open proposals if one of their entries is forgotten, because there is nothing left to decide.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database fails.
    pub async fn close_superseded(&self) -> Result<usize, AppError> {
        let mut closed = 0;
        for ports in self.session.all_ports() {
            let open = self.open(ports).await?;
            // All entries at once: a world that nobody decides for collects hundreds of proposals.
            let subjects = open.iter().flat_map(|proposal| &proposal.subjects);
            let ids: BTreeSet<MemoryId> = subjects.map(|subject| subject.id).collect();
            let ids: Vec<MemoryId> = ids.into_iter().collect();
            let entries = self.session.entries(&ids).await?.into_iter().map(|stored| stored.entry);
            let active: BTreeSet<MemoryId> =
                entries.filter(MemoryEntry::is_active).map(|entry| entry.id).collect();
            let is_gone =
                |proposal: &&Proposal| proposal.subjects.iter().any(|subject| !active.contains(&subject.id));
            let gone: Vec<ProposalId> = open.iter().filter(is_gone).map(|proposal| proposal.id).collect();
            if !gone.is_empty() {
                closed +=
                    ports.proposals.close(&gone, ProposalState::Superseded, self.session.clock.now()).await?;
            }
        }
        Ok(closed)
    }

    /// The current entries of a proposal, in the order of its subjects.
    ///
    /// # Errors
    /// [`AppError::NoMemory`] if one was deleted permanently.
    pub async fn subjects(&self, proposal: &Proposal) -> Result<Vec<MemoryEntry>, AppError> {
        let ids: Vec<MemoryId> = proposal.subjects.iter().map(|subject| subject.id).collect();
        Ok(self.session.existing(&ids).await?.into_iter().map(|stored| stored.entry).collect())
    }

    fn common_ports(&self, proposal: &Proposal, entries: &[MemoryEntry]) -> Result<&MemoryPorts, AppError> {
        let made = proposal.makes.iter().map(|makes| makes.place.scope());
        let mut ports =
            entries.iter().map(MemoryEntry::scope).chain(made).map(|scope| self.session.ports(scope));
        let first = ports.next().ok_or(InvalidProposal::Subjects { expected: "one entry or more" })?;
        if ports.all(|other| std::ptr::eq(first, other)) {
            return Ok(first);
        }
        Err(AppError::Input {
            field: "subjects",
            message: "the account's entries and the workspace's are decided on apart".to_owned(),
        })
    }
}

/// The writes of a decision.
fn carried_out(
    proposal: &Proposal,
    decision: &Decision,
    entries: &[MemoryEntry],
    fresh: MemoryId,
    stamp: Stamp,
) -> Result<Vec<MemoryWrite>, AppError> {
    let proposed = proposal.content.clone().unwrap_or_default();
    let (text, rewritten) = match decision {
        Decision::AcceptEdited(text) => (text.clone(), *text != proposed),
        _ => (proposed, false),
    };
    let source = TextSource::of(proposal.actor);
    let made_of = proposal.derivations.as_slice();
    let retired =
        |entry: &MemoryEntry| entry.forgotten(ForgetReason::ProposalAccepted, stamp).map(MemoryWrite::Update);
    Ok(match (proposal.kind, text) {
        (ProposalKind::Edit, content) => {
            let accept =
                |entry: &MemoryEntry| entry.accepted(content.clone(), (source, made_of), rewritten, stamp);
            entries.iter().map(|entry| accept(entry).map(MemoryWrite::Update)).collect::<Result<_, _>>()?
        }
        (ProposalKind::Merge, content) => merged(entries, content, source, fresh, stamp)?,
        (ProposalKind::New, content) => {
            proposal.made(content, stamp)?.map(MemoryWrite::Insert).into_iter().collect()
        }
        (ProposalKind::Retire, _) => entries.iter().map(retired).collect::<Result<_, _>>()?,
        (ProposalKind::Conflict, _) => {
            let mut by_age: Vec<&MemoryEntry> = entries.iter().collect();
            by_age.sort_by_key(|entry| (entry.updated_at, entry.id));
            let loser = if *decision == Decision::NewerWins { by_age.first() } else { by_age.last() };
            let loser = loser.ok_or(InvalidProposal::Decision)?;
            vec![MemoryWrite::Update(loser.forgotten(ForgetReason::Contradicted, stamp)?)]
        }
    })
}

/// A new entry that replaces several, with the union of their tags.
fn merged(
    entries: &[MemoryEntry],
    content: String,
    source: Option<TextSource>,
    fresh: MemoryId,
    stamp: Stamp,
) -> Result<Vec<MemoryWrite>, AppError> {
    let made = merged_entry(entries, content, source, fresh, stamp)?;
    let mut writes = vec![MemoryWrite::Insert(made)];
    for entry in entries {
        writes.push(MemoryWrite::Update(entry.retired_into(fresh, ForgetReason::ProposalAccepted, stamp)?));
    }
    Ok(writes)
}

/// The title and keys of a merged entry: the first title, then the keys of all with their other titles.
fn merged_names(entries: &[MemoryEntry]) -> (Option<String>, Vec<String>) {
    let mut titles = entries.iter().filter_map(|entry| entry.title.clone());
    let title = titles.next();
    let all = titles.chain(entries.iter().flat_map(|entry| entry.keys.clone()));
    let mut keys: Vec<String> = Vec::new();
    let mut bytes = 0;
    for key in all {
        bytes += key.len();
        let fits = keys.len() < MAX_KEYS && bytes <= MAX_KEYS_BYTES;
        if fits && Some(&key) != title.as_ref() && !keys.contains(&key) {
            keys.push(key);
        }
    }
    (title, keys)
}

/// The entry that replaces several. Its sources are those of all originals and of the author of its wording.
/// Importance and lifetime are the highest among the least trusted originals, so that merging cannot raise a
/// text.
pub(crate) fn merged_entry(
    entries: &[MemoryEntry],
    content: String,
    source: Option<TextSource>,
    id: MemoryId,
    stamp: Stamp,
) -> Result<MemoryEntry, AppError> {
    let Some(first) = entries.first() else {
        return Err(InvalidProposal::Subjects { expected: "two entries or more" }.into());
    };
    let mut tags: Vec<String> = entries.iter().flat_map(|entry| entry.tags.clone()).collect();
    tags.sort();
    tags.dedup();
    tags.truncate(MAX_TAGS);
    let measure = least_trusted(entries);
    let importance = measure.iter().map(|entry| entry.importance.get()).fold(0.0, f64::max);
    // Long-term if one of them is.
    let long = |entry: &&&MemoryEntry| entry.lifetime == MemoryLifetime::LongTerm;
    let lifetime = measure.iter().find(long).or(measure.first()).map(|entry| entry.lifetime);
    let (title, keys) = merged_names(entries);
    let draft = MemoryDraft {
        place: first.place,
        lifetime: lifetime.unwrap_or(first.lifetime),
        source: SOURCE.to_owned(),
        title,
        keys,
        content,
        importance,
        tags,
        origin: None,
        derivations: derivation::newest(entries.iter().map(MemoryEntry::as_source).collect()),
    };
    if entries.iter().any(|entry| !entry.has_links_and_span_of(first)) {
        return Err(InvalidProposal::Subjects {
            expected: "entries with the same links and time in the story",
        }
        .into());
    }
    // All of them have these links and this time.
    let mut made = MemoryEntry::create(id, draft, stamp)?.with_links_and_span_of(first)?;
    // Retain the usage history of the originals.
    made.accessed_at = entries.iter().map(|entry| entry.accessed_at).max().unwrap_or(stamp.at);
    made.curator = merged_curator(entries);
    let sources = entries.iter().flat_map(MemoryEntry::text_sources).chain(source);
    Ok(made.with_text_sources(sources))
}
