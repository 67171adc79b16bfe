//! Use cases of scrubs.

pub mod view;

use inklings_application::scrub::{AlsoFound as Also, Operator, ScrubRequest as Request};
use inklings_domain::{
    backup::BackupReason,
    ids::{ConversationId, WorkspaceId},
    scrub::{Manifest, ScrubFile, ScrubTarget as Target, SubjectName},
};

use crate::{backup, exports};
use crate::{
    commands::ScrubCommands,
    error::CommandError,
    scrub::view::{
        AlsoFound, FoundIn, ScrubCount, ScrubDone, ScrubKind, ScrubManifest, ScrubMode, ScrubProof,
        ScrubRequest, ScrubTarget,
    },
    wire::{count, time},
};

impl ScrubCommands<'_> {
    /// Previews a scrub. Changes nothing.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a target without its channel or conversation, `not_found` if
    /// that does not exist.
    pub async fn preview_scrub(
        &self,
        target: ScrubTarget,
        mode: ScrubMode,
    ) -> Result<ScrubManifest, CommandError> {
        let target = self.scrub_target(&target).await?;
        let session = self.app.session()?;
        let manifest = session.scrubs().preview(&target, mode.into()).await?;
        let title = self.title(&target).await?;
        let also = session.scrubs().also_found(&target, mode.into()).await?;
        self.manifest_view(&manifest, title, &also).await
    }

    /// Permanently destroys the rows of a manifest.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` if the rows differ from the manifest, `invalid` of field
    /// `phrase`, `locked` for any actor kind but the author.
    pub async fn execute_scrub(&self, request: ScrubRequest) -> Result<ScrubDone, CommandError> {
        self.execute_scrub_as(request, Operator::author(self.app.actor)).await
    }

    /// As [`Self::execute_scrub`], as another actor, for example a client with that permission.
    pub async fn execute_scrub_as(
        &self,
        request: ScrubRequest,
        operator: Operator,
    ) -> Result<ScrubDone, CommandError> {
        let session = self.app.session()?;
        let order = Request {
            target: self.scrub_target(&request.target).await?,
            mode: request.mode.into(),
            hash: request.hash,
            phrase: request.phrase,
        };
        session.scrubs().may_scrub(&order, &operator).await?;
        let backup =
            if request.backup { Some(self.app.backup().back_up(BackupReason::Scrub).await?) } else { None };
        // Read before the scrub, because title and text do not exist afterwards.
        let title = self.title(&order.target).await?;
        let also = session.scrubs().also_found(&order.target, order.mode).await?;
        let scrubbed = session.scrubs().execute(&order, &operator).await?;
        let manifest = self.manifest_view(&scrubbed.manifest, title, &also).await?;
        // The session still caches the deleted texts.
        self.app.backup().open_anew().await?;
        Ok(ScrubDone {
            manifest,
            audit_sequence: count(scrubbed.audit.sequence),
            backup_id: backup.map(|set| set.id.to_string()),
            proof: ScrubProof {
                ok: scrubbed.proof.residues == 0,
                checked: scrubbed.proof.checked,
                residues: count(scrubbed.proof.residues),
            },
        })
    }

    async fn manifest_view(
        &self,
        manifest: &Manifest,
        title: String,
        also: &Also,
    ) -> Result<ScrubManifest, CommandError> {
        let counts = manifest.counts.iter();
        let file = match manifest.target.file() {
            ScrubFile::Account => WorkspaceId::ACCOUNT,
            ScrubFile::Workspace => self.app.session()?.workspace.workspace.id,
        };
        let backups = self.app.backups.holding(file, manifest).await?;
        let mut leftovers = self.app.catalogue.leftovers(file).await?;
        leftovers.extend(exports::unfinished(&self.app.data_dir));
        Ok(ScrubManifest {
            target: target_view(&manifest.target),
            mode: manifest.mode.into(),
            title,
            counts: counts
                .map(|(what, rows)| ScrubCount { what: what.to_string(), rows: count(*rows) })
                .collect(),
            total: count(manifest.total()),
            keeps: count(manifest.keeps),
            sample: manifest.sample().to_vec(),
            also_found: self.also_view(also).await?,
            backups: backups.iter().map(backup::view).collect(),
            leftovers,
            hash: manifest.hash.clone(),
            phrase: manifest.target.phrase().to_owned(),
            at: time(self.app.clock.now()),
        })
    }

    async fn also_view(&self, also: &Also) -> Result<AlsoFound, CommandError> {
        let also_in = &also.workspace.conversations;
        let ids: Vec<_> = also_in.iter().map(|(id, _)| *id).collect();
        let known = self.app.session()?.workspace.conversations.conversations(&ids).await?;
        let scrub_conversation = |(id, rows): &(ConversationId, u64)| {
            let conversation = known.iter().find(|conversation| conversation.id == *id)?;
            Some(FoundIn {
                conversation: id.to_string(),
                ref_code: conversation.ref_code.to_string(),
                title: conversation.title.clone(),
                rows: count(*rows),
            })
        };
        Ok(AlsoFound {
            conversations: also_in.iter().filter_map(scrub_conversation).collect(),
            memories: also.workspace.memories.iter().map(ToString::to_string).collect(),
            account_memories: also.account.memories.iter().map(ToString::to_string).collect(),
            facts: count(also.workspace.facts),
            working_notes: count(also.workspace.working_notes),
            proposals: count(also.workspace.proposals + also.account.proposals),
            channels: count(also.workspace.channels),
        })
    }

    async fn scrub_target(&self, target: &ScrubTarget) -> Result<Target, CommandError> {
        let id = || target.id.as_deref().ok_or_else(|| CommandError::invalid("id", "Say which one."));
        Ok(match target.kind {
            ScrubKind::Conversation => Target::Conversation(crate::wire::id("id", id()?)?),
            ScrubKind::PurgeConversation => Target::Purge(crate::wire::id("id", id()?)?),
            ScrubKind::Channel => Target::Channel(crate::wire::id("id", id()?)?),
            ScrubKind::Workspace => Target::Workspace,
            ScrubKind::Account => Target::Account,
            ScrubKind::Entry => {
                self.app.session()?.scrubs().scrub_entry(crate::wire::id("id", id()?)?).await?
            }
            ScrubKind::Subject => {
                let name = SubjectName::new(id()?).map_err(|e| CommandError::invalid("id", e.to_string()))?;
                let of_account = target.account == Some(true);
                Target::Subject(name, if of_account { ScrubFile::Account } else { ScrubFile::Workspace })
            }
        })
    }

    async fn title(&self, target: &Target) -> Result<String, CommandError> {
        let session = self.app.session()?;
        let store = &session.workspace.conversations;
        Ok(match target {
            Target::Account => "Account".to_owned(),
            Target::Entry(..) => "One memory".to_owned(),
            Target::Subject(name, ScrubFile::Workspace) => {
                format!(
                    "Everything in {} that names {}",
                    session.workspace.workspace.name.as_str(),
                    name.as_str()
                )
            }
            Target::Subject(name, ScrubFile::Account) => {
                format!("Everything in the account that names {}", name.as_str())
            }
            Target::Workspace => format!("Workspace {}", session.workspace.workspace.name.as_str()),
            Target::Channel(id) => {
                let channel = store.channel_by_id(*id).await?;
                channel.map_or_else(
                    || "Channel".to_owned(),
                    |channel| format!("Channel #{}", channel.name.as_str()),
                )
            }
            Target::Conversation(id) | Target::Purge(id) => {
                let found = store.conversations(&[*id]).await?;
                let code = found.first().map(|conversation| format!(" {}", conversation.ref_code));
                format!("Conversation{}", code.unwrap_or_default())
            }
        })
    }
}

fn target_view(target: &Target) -> ScrubTarget {
    let kind = match target {
        Target::Conversation(_) => ScrubKind::Conversation,
        Target::Channel(_) => ScrubKind::Channel,
        Target::Workspace => ScrubKind::Workspace,
        Target::Account => ScrubKind::Account,
        Target::Purge(_) => ScrubKind::PurgeConversation,
        Target::Entry(..) => ScrubKind::Entry,
        Target::Subject(..) => ScrubKind::Subject,
    };
    let id = match target {
        Target::Entry(id, _) => Some(id.to_string()),
        Target::Subject(name, _) => Some(name.as_str().to_owned()),
        _ => target.channel_or_conversation_id(),
    };
    let account = matches!(target, Target::Subject(_, ScrubFile::Account)).then_some(true);
    ScrubTarget { kind, id, account }
}
