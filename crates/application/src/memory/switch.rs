//! The switch of a workspace's memory (seed 004): switched off, agents and tasks add nothing durable to it. Working notes
//! and what is said go on, what is there stays, and the worldbuilder writes as ever.

use std::collections::BTreeSet;

use inklings_domain::{
    conversation::message::Message,
    ids::{ClientId, ConversationId, MessageId},
    memory::switch::MemorySwitch,
    provenance::ActorKind,
};

use crate::{
    client::write_store::ClientAct, error::AppError, session::Session,
    workspace::settings::MEMORY_ENABLED as ENABLED,
};

/// What a setting of clients counts as that was never set.
pub(crate) const UNSET: &str = "true";

const fn word(enabled: bool) -> &'static str {
    if enabled { "true" } else { "false" }
}

impl Session {
    /// True unless the worldbuilder, or a client that may, switched it off.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn memory_enabled(&self) -> Result<bool, AppError> {
        Ok(self.workspace.settings.setting(ENABLED).await?.as_deref() != Some("false"))
    }

    /// How the switch stands; every change set carries it to the store that commits it.
    pub(crate) async fn memory_switch(&self) -> Result<MemorySwitch, AppError> {
        Ok(if self.memory_enabled().await? { MemorySwitch::On } else { MemorySwitch::Off })
    }

    /// Switches it. What was not kept meanwhile is not filled in later.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database refuses.
    pub async fn set_memory_enabled(&self, enabled: bool) -> Result<(), AppError> {
        Ok(self.workspace.settings.set_setting(ENABLED, word(enabled)).await?)
    }

    /// The same in the name of an MCP client.
    pub(crate) async fn set_memory_enabled_as(
        &self,
        client: ClientId,
        enabled: bool,
    ) -> Result<(), AppError> {
        // A switch that was never touched stands at on: nothing to keep.
        if self.memory_enabled().await? != enabled {
            let act = ClientAct::Setting(ENABLED, word(enabled));
            self.workspace.client_writes.write(client, act, self.clock.now()).await?;
        }
        Ok(())
    }

    /// Refuses a hand that is not the worldbuilder's while the switch is off.
    pub(crate) async fn may_capture(&self, actor_kind: ActorKind) -> Result<(), AppError> {
        if self.memory_switch().await?.admits(actor_kind) { Ok(()) } else { Err(AppError::MemoryOff) }
    }

    /// Every message of a conversation behind a position that memory may learn from: all but those that were said while
    /// it was off. Whatever is made of a conversation (memories, episodes, archives) is made of these alone.
    pub(crate) async fn on_record(
        &self,
        conversation: ConversationId,
        position: u64,
    ) -> Result<Vec<Message>, AppError> {
        let mut messages = self.all_after(conversation, position).await?;
        let off = self.off_record(conversation).await?;
        messages.retain(|message| !off.contains(&message.id()));
        Ok(messages)
    }

    /// The messages of a conversation that were said while memory was off.
    pub(crate) async fn off_record(
        &self,
        conversation: ConversationId,
    ) -> Result<BTreeSet<MessageId>, AppError> {
        Ok(self.workspace.transcript.off_record(conversation).await?.into_iter().collect())
    }
}
