//! Scrubs.

use inklings_application::scrub::{Operator, ScrubRequest as Request};
use inklings_domain::{
    backup::BackupReason,
    scrub::{Manifest, ScrubTarget as Target},
};

use crate::{
    App,
    error::CommandError,
    views::{
        convert, count,
        doors_keep::{
            ScrubCount, ScrubDone, ScrubKind, ScrubManifest, ScrubMode, ScrubProof, ScrubRequest, ScrubTarget,
        },
        time,
    },
};

impl App {
    /// What a scrub would take. Changes nothing.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a target without its room, `not_found` if there is no such room.
    pub async fn preview_scrub(
        &self,
        target: ScrubTarget,
        mode: ScrubMode,
    ) -> Result<ScrubManifest, CommandError> {
        let manifest = self.session()?.preview_scrub(&read(&target)?, mode.into()).await?;
        self.manifest_view(&manifest).await
    }

    /// Destroys what a manifest names, for good.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` if the rows are no longer those of the manifest, `invalid` of field `phrase`,
    /// `locked` for anyone but the worldbuilder.
    pub async fn execute_scrub(&self, request: ScrubRequest) -> Result<ScrubDone, CommandError> {
        self.execute_scrub_as(request, Operator::author(self.actor)).await
    }

    /// The same in another name, e.g. of a client that the worldbuilder allowed it.
    ///
    /// # Errors
    /// As [`Self::execute_scrub`].
    pub async fn execute_scrub_as(
        &self,
        request: ScrubRequest,
        operator: Operator,
    ) -> Result<ScrubDone, CommandError> {
        let session = self.session()?;
        let order = Request {
            target: read(&request.target)?,
            mode: request.mode.into(),
            hash: request.hash,
            phrase: request.phrase,
        };
        session.may_scrub(&order, &operator).await?;
        let backup = if request.backup { Some(self.back_up(BackupReason::Scrub).await?) } else { None };
        let scrubbed = session.scrub(&order, &operator).await?;
        let manifest = self.manifest_view(&scrubbed.manifest).await?;
        // The session still holds what was said last in memory.
        self.open_anew().await?;
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

    async fn manifest_view(&self, manifest: &Manifest) -> Result<ScrubManifest, CommandError> {
        let counts = manifest.counts.iter();
        Ok(ScrubManifest {
            target: target_view(&manifest.target),
            mode: manifest.mode.into(),
            title: self.title(&manifest.target).await?,
            counts: counts
                .map(|(what, rows)| ScrubCount { what: what.to_string(), rows: count(*rows) })
                .collect(),
            total: count(manifest.total()),
            keeps: count(manifest.keeps),
            sample: manifest.sample.clone(),
            hash: manifest.hash.clone(),
            phrase: manifest.target.phrase().to_owned(),
            at: time(self.clock.now()),
        })
    }

    async fn title(&self, target: &Target) -> Result<String, CommandError> {
        let session = self.session()?;
        let rooms = &session.workspace.rooms;
        Ok(match target {
            Target::Account => "Account".to_owned(),
            Target::Workspace => format!("Workspace {}", session.workspace.workspace.name.as_str()),
            Target::Channel(id) => {
                let channel = rooms.channel_by_id(*id).await?;
                channel.map_or_else(
                    || "Channel".to_owned(),
                    |channel| format!("Channel #{}", channel.name.as_str()),
                )
            }
            Target::Conversation(id) | Target::Purge(id) => {
                let found = rooms.conversations(&[*id]).await?;
                let code = found.first().map(|conversation| format!(" {}", conversation.ref_code));
                format!("Conversation{}", code.unwrap_or_default())
            }
        })
    }
}

fn read(target: &ScrubTarget) -> Result<Target, CommandError> {
    let room = || target.id.as_deref().ok_or_else(|| CommandError::invalid("id", "Say which one."));
    Ok(match target.kind {
        ScrubKind::Conversation => Target::Conversation(convert::id("id", room()?)?),
        ScrubKind::PurgeConversation => Target::Purge(convert::id("id", room()?)?),
        ScrubKind::Channel => Target::Channel(convert::id("id", room()?)?),
        ScrubKind::Workspace => Target::Workspace,
        ScrubKind::Account => Target::Account,
    })
}

fn target_view(target: &Target) -> ScrubTarget {
    let kind = match target {
        Target::Conversation(_) => ScrubKind::Conversation,
        Target::Channel(_) => ScrubKind::Channel,
        Target::Workspace => ScrubKind::Workspace,
        Target::Account => ScrubKind::Account,
        Target::Purge(_) => ScrubKind::PurgeConversation,
    };
    ScrubTarget { kind, id: target.room() }
}
