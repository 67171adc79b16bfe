//! The switch of a workspace's memory (seed 004): switched off, agents and tasks add nothing durable to it. Working notes
//! and what is said go on, what is there stays, and the worldbuilder's own hand writes as ever.

use inklings_domain::{ids::ClientId, provenance::Hand};

use crate::{error::AppError, ports::client_write_store::ClientAct, session::Session};

const ENABLED: &str = "memory.enabled";
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
    pub(crate) async fn may_capture(&self, hand: Hand) -> Result<(), AppError> {
        let own = matches!(hand, Hand::Author | Hand::Import);
        if own || self.memory_enabled().await? { Ok(()) } else { Err(AppError::MemoryOff) }
    }
}

#[cfg(test)]
mod tests {
    use inklings_domain::scope::Place;

    use super::*;
    use crate::{
        remember::Observed,
        testing::{
            builders::{agent, author, draft},
            world::World,
        },
    };

    #[tokio::test]
    async fn switched_off_agents_add_nothing_and_the_worldbuilder_writes_as_ever() {
        let world = World::new().await;
        let session = &world.session;
        session.set_memory_enabled(false).await.expect("switched off");
        let observed = |text| Observed {
            draft: draft(Place::Workspace, text),
            conversation: None,
            shown: &[],
            within: None,
        };
        let refused = session.remember(observed("The gate is iron."), agent()).await;
        assert!(matches!(refused, Err(AppError::MemoryOff)));
        let refused = session.set_fact("gate", "metal", "iron", None, agent()).await;
        assert!(matches!(refused, Err(AppError::MemoryOff)));
        assert!(session.remember(observed("The gate is iron."), author()).await.is_ok());
        let talk = world.conversation().await;
        session.write_scratchpad(talk.id, "plan", "1", None).await.expect("working notes go on");

        session.set_memory_enabled(true).await.expect("switched on");
        assert!(session.remember(observed("The moat is dry."), agent()).await.is_ok());
    }

    #[tokio::test]
    async fn a_conversation_that_ends_while_memory_is_off_leaves_nothing_behind() {
        let world = World::new().await;
        let session = &world.session;
        session.set_memory_enabled(false).await.expect("switched off");
        let talk = world.conversation().await;
        session.idle_conversation(talk.id).await.expect("ended");
        assert_eq!(session.persist_waits_since().await.expect("read"), None);
    }
}
