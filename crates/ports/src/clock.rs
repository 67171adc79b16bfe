//! Ports for time, ids and randomness.

use chrono::{DateTime, Duration, FixedOffset, Utc};
use futures::future::BoxFuture;
use inklings_domain::ids::{
    AgentActionId, AgentMetricId, AgentPatternId, ChangeId, ChannelId, ClaimId, ConversationId, DriftId,
    EpisodeId, FactId, MemoryId, MessageId, OrientationId, PageId, ProposalId, ReadId, RecallTestId, RunId,
    SavedSearchId, VaultId, WorkspaceId,
};
use uuid::Uuid;

/// Source of time.
pub trait Clock: Send + Sync {
    /// The current time in UTC.
    fn now(&self) -> DateTime<Utc>;

    /// A time in the zone of the worldbuilder.
    fn local(&self, at: DateTime<Utc>) -> DateTime<FixedOffset>;

    /// How many midnights of the worldbuilder have passed since a time: 0 today, 1 yesterday.
    fn days_since(&self, at: DateTime<Utc>) -> u64 {
        let day = |at| self.local(at).date_naive();
        u64::try_from((day(self.now()) - day(at)).num_days()).unwrap_or(0)
    }

    /// Completes after this duration.
    fn sleep(&self, span: Duration) -> BoxFuture<'static, ()>;
}

/// Source of ids and random bits.
pub trait IdGenerator: Send + Sync {
    /// A new `UUIDv7`, greater than all earlier ones of this process.
    fn uuid(&self) -> Uuid;

    /// 64 random bits.
    fn random_bits(&self) -> u64;

    /// A fresh memory id.
    fn memory_id(&self) -> MemoryId {
        MemoryId::from_uuid(self.uuid())
    }

    /// A fresh change id.
    fn change_id(&self) -> ChangeId {
        ChangeId::from_uuid(self.uuid())
    }

    /// A fresh run id.
    fn run_id(&self) -> RunId {
        RunId::from_uuid(self.uuid())
    }

    /// A fresh id of a proposal.
    fn proposal_id(&self) -> ProposalId {
        ProposalId::from_uuid(self.uuid())
    }

    /// A fresh id of an orientation.
    fn orientation_id(&self) -> OrientationId {
        OrientationId::from_uuid(self.uuid())
    }

    /// A fresh id of a recall test.
    fn recall_test_id(&self) -> RecallTestId {
        RecallTestId::from_uuid(self.uuid())
    }

    /// A fresh id of a saved search.
    fn saved_search_id(&self) -> SavedSearchId {
        SavedSearchId::from_uuid(self.uuid())
    }

    /// A fresh id of an agent's action.
    fn agent_action_id(&self) -> AgentActionId {
        AgentActionId::from_uuid(self.uuid())
    }

    /// A fresh id of a pattern of what agents do.
    fn agent_pattern_id(&self) -> AgentPatternId {
        AgentPatternId::from_uuid(self.uuid())
    }

    /// A fresh id of a defined metric.
    fn agent_metric_id(&self) -> AgentMetricId {
        AgentMetricId::from_uuid(self.uuid())
    }

    /// A fresh id of a read.
    fn read_id(&self) -> ReadId {
        ReadId::from_uuid(self.uuid())
    }

    /// A fresh id of a vault.
    fn vault_id(&self) -> VaultId {
        VaultId::from_uuid(self.uuid())
    }

    /// A fresh id of a page.
    fn page_id(&self) -> PageId {
        PageId::from_uuid(self.uuid())
    }

    /// A fresh workspace id.
    fn workspace_id(&self) -> WorkspaceId {
        WorkspaceId::from_uuid(self.uuid())
    }

    /// A fresh channel id.
    fn channel_id(&self) -> ChannelId {
        ChannelId::from_uuid(self.uuid())
    }

    /// A fresh message id.
    fn message_id(&self) -> MessageId {
        MessageId::from_uuid(self.uuid())
    }

    /// A fresh fact id.
    fn fact_id(&self) -> FactId {
        FactId::from_uuid(self.uuid())
    }

    /// A fresh id of a claim.
    fn claim_id(&self) -> ClaimId {
        ClaimId::from_uuid(self.uuid())
    }

    /// A fresh id of a contradiction.
    fn drift_id(&self) -> DriftId {
        DriftId::from_uuid(self.uuid())
    }

    /// A fresh episode id.
    fn episode_id(&self) -> EpisodeId {
        EpisodeId::from_uuid(self.uuid())
    }

    /// A fresh conversation id.
    fn conversation_id(&self) -> ConversationId {
        ConversationId::from_uuid(self.uuid())
    }
}
