//! Views of clients and of the MCP server.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::view::lens::LensSpec;
use crate::{
    view::{journal::ClientWriteView, memory::MemoryRow},
    vocabulary::{Scope, mirror},
};

mirror!(
    /// Kind of access to a tier.
    GrantVerb = domain::client::Verb {
        Read, Write,
    }
);
mirror!(
    /// A permission besides access to tiers.
    ClientCapability = domain::client::Capability {
        Propose, ScrubPreview, ScrubExecute, MemorySwitch, AgentTelemetry, ReadPages,
    }
);

/// Permissions on a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TierGrant {
    pub scope: Scope,
    /// True to permit reading.
    pub read: bool,
    /// True to permit adding and changing.
    pub write: bool,
}

/// Permissions of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ClientGrants {
    /// The four tiers, narrowest first.
    pub tiers: Vec<TierGrant>,
    /// Ids of the channels in which the permission on the channel tier applies.
    pub channels: Vec<String>,
    /// Conversations in which the permission on the conversation tier applies.
    pub conversations: Vec<String>,
    /// Other permissions.
    pub capabilities: Vec<ClientCapability>,
    /// Whose knowledge all of its reads show, by id. `null` in a view: everything that it may read, or the workspace is not
    /// there to name it. Given as `null`, the client keeps the lens that it has; one that names nothing removes it.
    pub lens: Option<LensSpec>,
}

/// An MCP client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClientView {
    pub id: String,
    pub name: String,
    /// Id of the only workspace that it can access.
    pub workspace_id: String,
    /// Name of that workspace; empty if it does not exist any more.
    pub workspace_name: String,
    /// Its permissions there.
    pub grants: ClientGrants,
    /// Time of creation.
    pub created_at: String,
    /// Time of the last call, rounded to the minute.
    pub last_seen_at: Option<String>,
    /// Time of revocation.
    pub revoked_at: Option<String>,
    /// Number of its changes to memory that were not undone.
    pub writes: u32,
}

/// A new client with its token, which is shown only once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct NewClient {
    pub client: ClientView,
    /// 64 hex digits. Not stored.
    pub token: String,
}

/// Result of undoing all writes of a client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct ClientUndone {
    /// Number of restored entries.
    pub restored: u32,
    /// Entries that another actor changed since; they are left unchanged.
    pub conflicts: Vec<MemoryRow>,
    /// Result for its writes other than memory.
    pub writes: ClientWritesUndone,
}

/// Result of undoing the writes of a client other than memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClientWritesUndone {
    /// Number of restored facts and removed claims.
    pub facts: u32,
    /// Number of removed messages.
    pub messages: u32,
    /// Number of removed messages that had replies; the replies remain.
    pub answered: u32,
    /// Number of restored scratchpad notes.
    pub notes: u32,
    /// True if the memory switch was restored.
    pub switched: bool,
    /// Number of rejected open proposals.
    pub proposals: u32,
    pub not_undone: Vec<RecordedWrite>,
}

/// A write of a client that was not undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RecordedWrite {
    pub wrote: ClientWriteView,
    /// Reason why it was not undone.
    pub why: WhyRetained,
}

mirror!(
    /// Reason why a write is not undone.
    WhyRetained = domain::client::write::Stays {
        Changed, Summarised, Accepted,
    }
);

/// Status of the window's MCP server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpStatus {
    /// True if it is switched on.
    pub enabled: bool,
    /// True if it is listening.
    pub running: bool,
    /// The port that it listens on.
    pub port: Option<u16>,
    /// The configured port.
    pub wanted_port: u16,
    /// URL of the server.
    pub url: Option<String>,
    /// Status message for users.
    pub message: Option<String>,
}

/// Settings of the MCP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpSettings {
    /// True to switch it on.
    pub enabled: bool,
    /// The port to listen on.
    pub port: u16,
}

/// A configuration snippet for another program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Snippet {
    /// Name of the program.
    pub program: String,
    /// Configuration file of the program.
    pub file: String,
    /// Text to insert.
    pub text: String,
}

/// Configuration snippets for a client, one per program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Snippets {
    /// Snippets that connect over HTTP.
    pub http: Vec<Snippet>,
    /// Snippets that start a process.
    pub stdio: Vec<Snippet>,
}
