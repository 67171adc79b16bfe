//! Newtyped identifiers. All are `UUIDv7` (RFC 9562): sortable by creation time, created by the `IdGenerator` port of
//! the application layer.

use std::{fmt, str::FromStr};

use uuid::{Builder, Uuid, Variant, Version};

/// The text is not a valid identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is not a valid id")]
pub struct InvalidId;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps an existing UUID.
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The wrapped UUID.
            pub const fn as_uuid(&self) -> &Uuid {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Uuid::try_parse(text.trim()).map(Self).map_err(|_| InvalidId)
            }
        }
    };
}

id!(
    /// Identifies a memory entry.
    MemoryId
);
id!(
    /// Identifies a workspace. [`WorkspaceId::ACCOUNT`] stands for the account's own database.
    WorkspaceId
);
id!(
    /// Identifies a channel.
    ChannelId
);
id!(
    /// Identifies a message of a conversation.
    MessageId
);
id!(
    /// Identifies a fact.
    FactId
);
id!(
    /// Identifies a contradiction in the inbox of canon drift.
    DriftId
);
id!(
    /// Identifies a claim that disputes a fact.
    ClaimId
);
id!(
    /// Identifies an episode.
    EpisodeId
);
id!(
    /// Identifies a conversation.
    ConversationId
);
id!(
    /// Identifies one journalled change (one commit of a change set).
    ChangeId
);
id!(
    /// Identifies a proposal.
    ProposalId
);
id!(
    /// Identifies a client of the MCP server.
    ClientId
);
id!(
    /// Identifies an orientation: one context given to the World Agent.
    OrientationId
);
id!(
    /// Identifies a read in the ledger: the entries shown to an agent or a client at one time.
    ReadId
);
id!(
    /// Identifies a recall test of the author.
    RecallTestId
);
id!(
    /// Identifies a saved search.
    SavedSearchId
);
id!(
    /// Identifies a linked vault.
    VaultId
);
id!(
    /// Identifies a page of a vault. A page that is moved keeps it.
    PageId
);
id!(
    /// Identifies an action in the telemetry of agents: one call of a tool.
    AgentActionId
);
id!(
    /// Identifies a sequence of actions: a turn of the World Agent, or a client at work.
    AgentSequenceId
);
id!(
    /// Identifies a pattern of what agents do.
    AgentPatternId
);
id!(
    /// Identifies a metric that was defined by the worldbuilder or a client.
    AgentMetricId
);
id!(
    /// Identifies a run: related changes that can be reverted as a whole.
    RunId
);

impl MemoryId {
    /// The id of an entry that is made of this one. The rest of it is a part of a digest.
    #[must_use]
    pub fn derived(self, digest: [u8; 32]) -> Self {
        // The time of the id stays, because ids are sorted by it.
        let mut bytes = *self.0.as_bytes();
        bytes[6..].copy_from_slice(&digest[..10]);
        let id = Builder::from_bytes(bytes).with_version(Version::SortRand).with_variant(Variant::RFC4122);
        Self(id.into_uuid())
    }
}

impl ClientId {
    /// The run of all writes of this client.
    pub const fn run(self) -> RunId {
        RunId(self.0)
    }
}

impl WorkspaceId {
    /// The partition key of account-tier rows. They are stored in a separate database and belong to no workspace. The
    /// nil UUID gives both databases the same schema.
    pub const ACCOUNT: Self = Self(Uuid::nil());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_what_it_printed() {
        let id = MemoryId::from_uuid(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001));
        assert_eq!(id.to_string().parse::<MemoryId>(), Ok(id));
    }

    #[test]
    fn a_text_that_is_no_id_is_refused() {
        for text in ["", "x", "1234", "not-a-uuid-at-all", "0190\u{0}"] {
            assert_eq!(text.parse::<MemoryId>(), Err(InvalidId), "{text:?}");
        }
    }
}
