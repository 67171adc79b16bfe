//! Scrubs: a manifest first, then exactly that, once a person has typed what they do. And the overview of the tiers.

pub mod store;

use chrono::{DateTime, Utc};
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    consolidation::run::RunState,
    fact::FactKey,
    ids::MemoryId,
    memory::change_set::Action,
    provenance::{Actor, ActorKind, ActorKindNotAdmitted},
    scope::MemoryScope,
    scrub::{Manifest, Phrases, ScrubFile, ScrubMode, ScrubTarget, fact_form, fingerprint_forms},
};

use crate::{
    error::AppError,
    memory::remember::GuardRefusal,
    scrub::store::{Mentions, ScrubOrder, ScrubStore, Scrubbed, TierFigures},
    session::Session,
    store_error::StoreError,
    workspace::catalogue::MemoryPorts,
};

/// Below this an entry counts as fading.
const FADING: f64 = 0.05;
/// Runs that are looked through for the last consolidation.
const RUNS: usize = 50;

/// Who scrubs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// Hand and door.
    pub actor: Actor,
    /// For the audit log: "author", or the name of a client.
    pub name: String,
    /// True if the worldbuilder allowed this client to scrub.
    pub granted: bool,
}

impl Operator {
    /// The worldbuilder at an interface of their own.
    pub fn author(actor: Actor) -> Self {
        Self { actor, name: ActorKind::Author.to_string(), granted: false }
    }
}

/// What a person orders: the manifest that they saw, and what they typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScrubRequest {
    /// What is cleared.
    pub target: ScrubTarget,
    /// What stays.
    pub mode: ScrubMode,
    /// The hash of the manifest.
    pub hash: String,
    /// The typed phrase.
    pub phrase: String,
}

/// What says the same as what a scrub takes, and stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AlsoFound {
    /// In the workspace's database.
    pub workspace: Mentions,
    /// In the account's.
    pub account: Mentions,
}

/// A tier as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Tier {
    /// Its figures.
    pub figures: TierFigures,
    /// Entries in use that have nearly faded.
    pub fading: u64,
    /// When it was consolidated last.
    pub last_consolidation: Option<DateTime<Utc>>,
}

impl Session {
    /// What a scrub would take now. Changes nothing.
    ///
    /// # Errors
    /// [`AppError::Store`] of `NotFound` if there is no such room.
    pub async fn preview_scrub(&self, target: &ScrubTarget, mode: ScrubMode) -> Result<Manifest, AppError> {
        Ok(self.scrubs(target).manifest(target, mode).await?)
    }

    /// Refuses what would not be carried out anyway: before a backup is made for it, say.
    ///
    /// # Errors
    /// [`AppError::ActorKind`] for anyone but the worldbuilder and whom they allowed it; [`AppError::Input`] of field `phrase`;
    /// [`AppError::Store`] of `Moved` if the rows are no longer those of the manifest.
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
        let manifest = self.preview_scrub(&request.target, request.mode).await?;
        if manifest.hash == request.hash {
            return Ok(manifest);
        }
        Err(StoreError::Moved("memory to scrub").into())
    }

    /// Destroys what a manifest names, for good.
    ///
    /// # Errors
    /// As [`Self::may_scrub`]; nothing was destroyed then.
    pub async fn scrub(&self, request: &ScrubRequest, operator: &Operator) -> Result<Scrubbed, AppError> {
        let manifest = self.scrub_manifest(request, operator).await?;
        let purge = matches!(request.target, ScrubTarget::Purge(_));
        let entry = AuditEntry {
            act: if purge { AuditAct::Purge } else { AuditAct::Scrub },
            scope: request.target.scope(),
            mode: Some(request.mode),
            manifest: String::new(),
            operator: operator.name.chars().take(120).collect(),
            interface: operator.actor.interface(),
            at: self.clock.now(),
        };
        let order = ScrubOrder {
            target: request.target.clone(),
            mode: request.mode,
            hash: request.hash.clone(),
            entry,
        };
        // VOICE and SOUL stand in every workspace and account: a scrub takes their text and history, not their place.
        self.begin_again_without(request.target.file(), &manifest.ids).await?;
        let scrubbed = self.scrubs(&request.target).scrub(&order).await?;
        // What is done is told, whatever happens now; the next opening makes them too.
        if let Err(error) = self.begin_named_entries(operator.actor).await {
            tracing::warn!(%error, "VOICE or SOUL is not made anew yet");
        }
        Ok(scrubbed)
    }

    fn scrubs(&self, target: &ScrubTarget) -> &dyn ScrubStore {
        &*self.memory_of(target.file()).scrub
    }

    /// One entry as a target, whichever database it lies in.
    ///
    /// # Errors
    /// [`AppError::Store`] of `NotFound` if neither holds it.
    pub async fn scrub_entry(&self, id: MemoryId) -> Result<ScrubTarget, AppError> {
        for file in [ScrubFile::Workspace, ScrubFile::Account] {
            if !self.memory_of(file).store.get(&[id]).await?.is_empty() {
                return Ok(ScrubTarget::Entry(id, file));
            }
        }
        Err(StoreError::NotFound("memory").into())
    }

    /// What says the same as one entry, or names the same subject, and stays when it is scrubbed: of the workspace, and of
    /// the account. Nothing is told of other targets, whose texts have nothing in common.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database cannot be read.
    pub async fn also_found(&self, target: &ScrubTarget, mode: ScrubMode) -> Result<AlsoFound, AppError> {
        let phrases = match target {
            ScrubTarget::Subject(name, _) => Phrases::of_subject(name),
            ScrubTarget::Entry(id, _) => {
                let entries = self.memory_of(target.file()).store.get(&[*id]).await?;
                let Some(entry) = entries.first() else { return Ok(AlsoFound::default()) };
                Phrases::of_text(&entry.entry.content)
            }
            _ => return Ok(AlsoFound::default()),
        };
        Ok(AlsoFound {
            workspace: self.workspace.memory.scrub.mentions(&phrases, target, mode).await?,
            account: self.account.memory.scrub.mentions(&phrases, target, mode).await?,
        })
    }

    pub(crate) fn memory_of(&self, file: ScrubFile) -> &MemoryPorts {
        match file {
            ScrubFile::Account => &self.account.memory,
            ScrubFile::Workspace => &self.workspace.memory,
        }
    }

    /// Refuses what was scrubbed once to every hand but the worldbuilder's own. Every path by which an agent or a task makes
    /// memory or a fact of a text asks here.
    pub(crate) async fn may_learn(&self, text: &str, actor_kind: ActorKind) -> Result<(), AppError> {
        self.may_learn_forms(|| fingerprint_forms(text), actor_kind).await
    }

    /// The same of a value under its category and key.
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
        for ports in self.all_ports() {
            if ports.scrub.was_scrubbed(&forms).await? {
                return Err(GuardRefusal::Scrubbed.into());
            }
        }
        Ok(())
    }

    /// The four tiers, the narrowest first.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database cannot be read.
    pub async fn tiers(&self) -> Result<Vec<Tier>, AppError> {
        let mut all = self.workspace.memory.scrub.tiers().await?;
        all.extend(self.account.memory.scrub.tiers().await?);
        let runs = self.workspace.runs.list(None, RUNS).await?;
        let done =
            runs.iter().find(|run| run.task == crate::consolidation::TASK && run.state == RunState::Done);
        let last = done.and_then(|run| run.finished_at);
        let journal = self.account.memory.store.journal(None, Some(ActorKind::System), RUNS).await?;
        let in_account = journal.iter().find(|row| row.action == Action::Consolidate).map(|row| row.at);
        let (decay, now) = (self.decay(), self.clock.now());
        let tier = |figures: TierFigures| Tier {
            fading: figures.fading.iter().filter(|i| decay.terms(i, now).relevance() < FADING).count() as u64,
            // A run looks at the account too; one of another workspace shows in the account's journal, if it changed something.
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
