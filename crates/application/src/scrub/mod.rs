//! Scrubs: permanent deletion of exactly what a manifest lists, after a person typed a confirmation phrase.
//! Also the overview of the tiers.

use chrono::{DateTime, Utc};
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    consolidation::run::RunState,
    fact::FactKey,
    ids::{ConversationId, MemoryId},
    memory::{MemoryDraft, MemoryEntry, change_set::Action},
    provenance::{Actor, ActorKind, ActorKindNotAdmitted},
    scope::MemoryScope,
    scrub::{Manifest, Phrases, ScrubFile, ScrubMode, ScrubTarget, fact_form, fingerprint_forms},
};
use inklings_ports::{
    proposal::ProposalCursor,
    scrub::{Mentions, ScrubOrder, ScrubStore, Scrubbed, TierFigures},
    store_error::StoreError,
    workspace::catalogue::MemoryPorts,
};

use crate::{
    error::{AppError, GuardRefusal},
    services::Scrubs,
};

/// Relevance below which an entry counts as fading.
const FADING: f64 = 0.05;
/// Proposals read at once.
const PAGE: usize = 500;
/// Runs searched for the last consolidation.
const RUNS: usize = 50;

/// The person or client that scrubs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// Actor kind and interface.
    pub actor: Actor,
    /// Name in the audit log: "author", or the name of a client.
    pub name: String,
    /// True if the worldbuilder granted this client the capability to scrub.
    pub granted: bool,
}

impl Operator {
    /// The worldbuilder at one of their own interfaces.
    pub fn author(actor: Actor) -> Self {
        Self { actor, name: ActorKind::Author.to_string(), granted: false }
    }
}

/// A confirmed scrub: the manifest that the person saw, and the phrase they typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScrubRequest {
    /// What to delete.
    pub target: ScrubTarget,
    /// What to retain.
    pub mode: ScrubMode,
    /// Hash of the manifest.
    pub hash: String,
    /// The typed phrase.
    pub phrase: String,
}

/// Content that repeats scrubbed content but is not part of the scrub.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AlsoFound {
    /// In the workspace's database.
    pub workspace: Mentions,
    /// In the account's database.
    pub account: Mentions,
}

/// Overview of a tier.
#[derive(Debug, Clone, PartialEq)]
pub struct Tier {
    /// Counts and sizes.
    pub figures: TierFigures,
    /// Active entries that have nearly faded.
    pub fading: u64,
    pub last_consolidation: Option<DateTime<Utc>>,
}

impl Scrubs<'_> {
    /// The manifest of a scrub. Changes nothing.
    ///
    /// # Errors
    /// [`AppError::Store`] of `NotFound` if the target does not exist.
    pub async fn preview(&self, target: &ScrubTarget, mode: ScrubMode) -> Result<Manifest, AppError> {
        Ok(self.scrubs(target).manifest(target, mode).await?)
    }

    /// Checks whether a scrub would be carried out, e.g. before a backup is made for it.
    ///
    /// # Errors
    /// [`AppError::ActorKind`] if the actor is neither the worldbuilder nor a client with the capability;
    /// [`AppError::Input`] of field `phrase`; [`AppError::Store`] of `Moved` if the rows differ from the
    /// manifest.
    pub async fn may_scrub(&self, request: &ScrubRequest, operator: &Operator) -> Result<(), AppError> {
        self.scrub_manifest(request, operator).await.map(drop)
    }

    /// The manifest of a scrub that may be carried out.
    async fn scrub_manifest(
        &self,
        request: &ScrubRequest,
        operator: &Operator,
    ) -> Result<Manifest, AppError> {
        if operator.actor.kind() != ActorKind::Author && !operator.granted {
            return Err(ActorKindNotAdmitted {
                interface: operator.actor.interface(),
                actor_kind: ActorKind::Author,
            }
            .into());
        }
        if !request.target.is_phrase(&request.phrase) {
            let message = format!("type \"{}\" to go on", request.target.phrase());
            return Err(AppError::Input { field: "phrase", message });
        }
        let manifest = self.preview(&request.target, request.mode).await?;
        if manifest.hash == request.hash {
            return Ok(manifest);
        }
        Err(StoreError::Moved("memory to scrub").into())
    }

    /// Permanently deletes what a manifest lists.
    ///
    /// # Errors
    /// As [`Self::may_scrub`]; nothing was deleted then.
    pub async fn execute(&self, request: &ScrubRequest, operator: &Operator) -> Result<Scrubbed, AppError> {
        let manifest = self.scrub_manifest(request, operator).await?;
        let purge = matches!(request.target, ScrubTarget::Purge(_));
        let entry = AuditEntry {
            act: if purge { AuditAct::Purge } else { AuditAct::Scrub },
            scope: request.target.scope(),
            mode: Some(request.mode),
            manifest: String::new(),
            operator: operator.name.chars().take(120).collect(),
            interface: operator.actor.interface(),
            at: self.session.clock.now(),
        };
        let order = ScrubOrder {
            target: request.target.clone(),
            mode: request.mode,
            hash: request.hash.clone(),
            entry,
        };
        // Every workspace and account has VOICE and SOUL, so a scrub removes their text and history but not
        // the entries.
        self.session.named_entries().begin_again_without(request.target.file(), &manifest.ids).await?;
        let scrubbed = self.scrubs(&request.target).scrub(&order).await?;
        // The scrub is complete, so report success even if this fails; the next opening also creates them.
        if let Err(error) = self.session.named_entries().begin(operator.actor).await {
            tracing::warn!(%error, "VOICE or SOUL is not made anew yet");
        }
        Ok(scrubbed)
    }

    fn scrubs(&self, target: &ScrubTarget) -> &dyn ScrubStore {
        &*self.memory_of(target.file()).scrub
    }

    /// One entry as a target, in whichever database it is.
    ///
    /// # Errors
    /// [`AppError::Store`] of `NotFound` if neither database contains it.
    pub async fn scrub_entry(&self, id: MemoryId) -> Result<ScrubTarget, AppError> {
        for file in [ScrubFile::Workspace, ScrubFile::Account] {
            if !self.memory_of(file).store.get(&[id]).await?.is_empty() {
                return Ok(ScrubTarget::Entry(id, file));
            }
        }
        Err(StoreError::NotFound("memory").into())
    }

    /// Content of the workspace and the account that repeats an entry's content, or names the same subject,
    /// and is not part of the scrub. Of a purge, the proposals for the account that were filed in the conversation: they are in
    /// another database. Empty for other kinds of targets, whose texts have no common phrase.
    pub async fn also_found(&self, target: &ScrubTarget, mode: ScrubMode) -> Result<AlsoFound, AppError> {
        let phrases = match target {
            ScrubTarget::Subject(name, _) => Phrases::of_subject(name),
            ScrubTarget::Entry(id, _) => {
                let entries = self.memory_of(target.file()).store.get(&[*id]).await?;
                let Some(entry) = entries.first() else { return Ok(AlsoFound::default()) };
                Phrases::of_text(&entry.entry.content)
            }
            ScrubTarget::Purge(id) => {
                let proposals = self.account_proposals_of(*id).await?;
                let account = Mentions { proposals, ..Mentions::default() };
                return Ok(AlsoFound { account, ..AlsoFound::default() });
            }
            ScrubTarget::Conversation(_)
            | ScrubTarget::Channel(_)
            | ScrubTarget::Workspace
            | ScrubTarget::Account => return Ok(AlsoFound::default()),
        };
        Ok(AlsoFound {
            workspace: self.session.workspace.memory.scrub.mentions(&phrases, target, mode).await?,
            account: self.session.account.memory.scrub.mentions(&phrases, target, mode).await?,
        })
    }

    async fn account_proposals_of(&self, conversation: ConversationId) -> Result<u64, AppError> {
        let (mut count, mut after) = (0, None);
        loop {
            let page = self.session.account.memory.proposals.list(None, after, PAGE).await?;
            count += page.iter().filter(|filed| filed.conversation == Some(conversation)).count() as u64;
            let Some(last) = page.last() else { return Ok(count) };
            after = Some(ProposalCursor { created_at: last.created_at, id: last.id });
        }
    }

    pub(crate) fn memory_of(&self, file: ScrubFile) -> &MemoryPorts {
        match file {
            ScrubFile::Account => &self.session.account.memory,
            ScrubFile::Workspace => &self.session.workspace.memory,
        }
    }

    /// Refuses scrubbed content to every actor kind except the worldbuilder. All paths by which an agent or a
    /// task stores a text as memory or fact call this.
    pub(crate) async fn may_learn(&self, text: &str, actor_kind: ActorKind) -> Result<(), AppError> {
        self.may_learn_forms(|| fingerprint_forms(text), actor_kind).await
    }

    /// Refuses what was scrubbed in this workspace to everybody: what comes from another world was not written here by a
    /// worldbuilder who knew of the scrub.
    pub(crate) async fn may_arrive(&self, entry: &MemoryEntry) -> Result<(), AppError> {
        let texts = [&entry.content].into_iter().chain(&entry.title).chain(&entry.keys);
        let forms: Vec<String> = texts.flat_map(|text| fingerprint_forms(text)).collect();
        if self.session.workspace.memory.scrub.was_scrubbed(&forms).await? {
            return Err(GuardRefusal::Scrubbed.into());
        }
        Ok(())
    }

    /// As [`Self::may_learn`] for every text of a new entry.
    pub(crate) async fn may_learn_entry(
        &self,
        draft: &MemoryDraft,
        actor_kind: ActorKind,
    ) -> Result<(), AppError> {
        for text in draft.texts() {
            self.may_learn(text, actor_kind).await?;
        }
        Ok(())
    }

    /// As above for a value with its category and key.
    pub(crate) async fn may_learn_fact(
        &self,
        key: &FactKey,
        value: &str,
        actor_kind: ActorKind,
    ) -> Result<(), AppError> {
        let forms = || {
            let mut forms = fingerprint_forms(value);
            forms.push(fact_form(key.category(), key.key(), value));
            forms
        };
        self.may_learn_forms(forms, actor_kind).await
    }

    async fn may_learn_forms(
        &self,
        forms: impl FnOnce() -> Vec<String>,
        actor_kind: ActorKind,
    ) -> Result<(), AppError> {
        if actor_kind.may_write_protected() {
            return Ok(());
        }
        let forms = forms();
        for ports in self.session.all_ports() {
            if ports.scrub.was_scrubbed(&forms).await? {
                return Err(GuardRefusal::Scrubbed.into());
            }
        }
        Ok(())
    }

    /// The four tiers, narrowest first.
    pub async fn tiers(&self) -> Result<Vec<Tier>, AppError> {
        let mut all = self.session.workspace.memory.scrub.tiers().await?;
        all.extend(self.session.account.memory.scrub.tiers().await?);
        let runs = self.session.workspace.runs.list(None, RUNS).await?;
        let done =
            runs.iter().find(|run| run.task == crate::consolidation::TASK && run.state == RunState::Done);
        let last = done.and_then(|run| run.finished_at);
        let journal = self.session.account.memory.store.journal(None, Some(ActorKind::System), RUNS).await?;
        let in_account = journal.iter().find(|row| row.action == Action::Consolidate).map(|row| row.at);
        let (decay, now) = (self.session.decay(), self.session.clock.now());
        let tier = |figures: TierFigures| Tier {
            fading: figures.fading.iter().filter(|i| decay.terms(i, now).relevance() < FADING).count() as u64,
            // A consolidation also covers the account. One run in another workspace is visible only in the
            // account's journal, and only if it changed something.
            last_consolidation: if figures.scope == MemoryScope::Account {
                last.max(in_account)
            } else {
                last
            },
            figures,
        };
        Ok(all.into_iter().map(tier).collect())
    }
}
