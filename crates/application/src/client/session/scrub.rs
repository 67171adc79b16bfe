//! Scrubs by a client. Preview and scrub need separate capabilities, and a write grant for the target.

use inklings_domain::{
    client::{Capability, Client, Verb},
    orientation::shown::{Showing, Through},
    scope::{MemoryScope, Place},
    scrub::{Manifest, ScrubMode, ScrubTarget},
};
use inklings_ports::scrub::Scrubbed;

use super::{ClientSession, Where};
use crate::{
    error::{AppError, Denied},
    scrub::{Operator, ScrubRequest},
};

/// The target of a client's scrub.
#[derive(Debug, Clone, Copy)]
pub struct ScrubAt<'a> {
    /// Tier of the target; the conversation tier for a purge.
    pub tier: MemoryScope,
    /// Channel, as a caller names it.
    pub channel: Option<&'a str>,
    /// Conversation, as a caller names it.
    pub conversation: Option<&'a str>,
    /// True to delete the conversation's messages instead of its memory.
    pub purge: bool,
}

impl ClientSession {
    /// The manifest of what a scrub would delete. Changes nothing.
    ///
    /// # Errors
    /// [`AppError::Denied`] without the capability, or where the client may not write.
    pub async fn preview_scrub(&self, at: ScrubAt<'_>, mode: ScrubMode) -> Result<Manifest, AppError> {
        let client = self.capable(Capability::ScrubPreview).await?;
        let target = self.scrub_target(&client, at).await?;
        let manifest = self.session.scrubs().preview(&target, mode).await?;
        let total = |manifest: &Manifest| usize::try_from(manifest.total()).unwrap_or(usize::MAX);
        Ok(self.shows(manifest, |manifest| Showing::counted(Through::ScrubPreview, total(manifest))).await)
    }

    /// Permanently deletes what a manifest lists. The audit log records the client.
    ///
    /// # Errors
    /// [`AppError::Denied`] as above; [`AppError::Input`] of field `phrase`; a stale hash.
    pub async fn scrub(
        &self,
        at: ScrubAt<'_>,
        mode: ScrubMode,
        hash: &str,
        phrase: &str,
    ) -> Result<Scrubbed, AppError> {
        let client = self.capable(Capability::ScrubExecute).await?;
        let target = self.scrub_target(&client, at).await?;
        let request =
            ScrubRequest { target: target.clone(), mode, hash: hash.to_owned(), phrase: phrase.to_owned() };
        let operator =
            Operator { actor: self.actor()?, name: format!("client {}", client.name), granted: true };
        let scrubbed = self.session.scrubs().execute(&request, &operator).await?;
        if let ScrubTarget::Purge(id) = target {
            self.session.working.drop(id);
        }
        Ok(scrubbed)
    }

    async fn scrub_target(&self, client: &Client, at: ScrubAt<'_>) -> Result<ScrubTarget, AppError> {
        let tier = if at.purge { MemoryScope::Conversation } else { at.tier };
        let denied = || AppError::from(Denied::of(&client.grants, Verb::Write, tier));
        if !client.grants.may_somewhere(Verb::Write, tier) {
            return Err(denied());
        }
        Where { tier, channel: at.channel, conversation: at.conversation }.check()?;
        let (target, place) = match tier {
            MemoryScope::Account => (ScrubTarget::Account, Place::Account),
            MemoryScope::Workspace => (ScrubTarget::Workspace, Place::Workspace),
            MemoryScope::Channel => {
                let id = self.channel(client, at.channel).await?;
                (ScrubTarget::Channel(id), Place::Channel(id))
            }
            MemoryScope::Conversation => {
                let conversation = self.conversation(client, at.conversation).await?;
                let target = if at.purge {
                    ScrubTarget::Purge(conversation.id)
                } else {
                    ScrubTarget::Conversation(conversation.id)
                };
                (target, Place::Conversation(conversation.channel_id, conversation.id))
            }
        };
        if client.grants.may(Verb::Write, place) { Ok(target) } else { Err(denied()) }
    }
}
