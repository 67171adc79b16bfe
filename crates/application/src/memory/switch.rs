//! The memory switch of a workspace. While it is off, agents and tasks add nothing durable. Working notes and
//! messages continue, existing memory stays, and the worldbuilder can write as usual.

use std::collections::BTreeSet;

use inklings_domain::{
    conversation::message::Message,
    ids::{ClientId, ConversationId, MessageId},
    memory::switch::MemorySwitch,
    provenance::ActorKind,
};
use inklings_ports::{client::write_store::ClientAct, workspace::settings::MEMORY_ENABLED as ENABLED};

use crate::{error::AppError, services::Switch};

/// Value assumed for a client setting that was never set.
pub(crate) const UNSET: &str = "true";

const fn word(enabled: bool) -> &'static str {
    if enabled { "true" } else { "false" }
}

impl Switch<'_> {
    /// True unless the worldbuilder, or a client with that capability, switched memory off.
    pub async fn enabled(&self) -> Result<bool, AppError> {
        Ok(self.session.workspace.settings.setting(ENABLED).await?.as_deref() != Some("false"))
    }

    /// The state of the switch. Every change set carries it to the store.
    pub(crate) async fn state(&self) -> Result<MemorySwitch, AppError> {
        Ok(if self.enabled().await? { MemorySwitch::On } else { MemorySwitch::Off })
    }

    /// Turns memory on or off. What was not captured while off is not added later.
    pub async fn set_enabled(&self, enabled: bool) -> Result<(), AppError> {
        // What waits was done under the old state.
        self.session.agent_telemetry().flush().await;
        Ok(self.session.workspace.settings.set_setting(ENABLED, word(enabled)).await?)
    }

    /// As above, as an MCP client.
    pub(crate) async fn set_enabled_as(&self, client: ClientId, enabled: bool) -> Result<(), AppError> {
        self.session.agent_telemetry().flush().await;
        // An unset switch counts as on, so there is no change to record.
        if self.enabled().await? != enabled {
            let act = ClientAct::Setting(ENABLED, word(enabled));
            self.session.workspace.client_writes.write(client, act, self.session.clock.now()).await?;
        }
        Ok(())
    }

    /// Refuses actor kinds other than the worldbuilder while the switch is off.
    pub(crate) async fn may_capture(&self, actor_kind: ActorKind) -> Result<(), AppError> {
        if self.state().await?.admits(actor_kind) { Ok(()) } else { Err(AppError::MemoryOff) }
    }

    /// All messages of a conversation after a position, except those written while memory was off. Memories,
    /// episodes and archives are derived only from these.
    pub(crate) async fn on_record(
        &self,
        conversation: ConversationId,
        position: u64,
    ) -> Result<Vec<Message>, AppError> {
        let mut messages = self.session.transcripts().all_after(conversation, position).await?;
        let off = self.off_record(conversation).await?;
        messages.retain(|message| !off.contains(&message.id()));
        Ok(messages)
    }

    /// Messages of a transcript written while memory was off.
    pub(crate) async fn off_record(
        &self,
        conversation: ConversationId,
    ) -> Result<BTreeSet<MessageId>, AppError> {
        let transcript = &self.session.workspace.transcript;
        let mut off = BTreeSet::new();
        for part in transcript.parts(conversation).await? {
            off.extend(transcript.off_record(part.conversation).await?);
        }
        Ok(off)
    }
}
