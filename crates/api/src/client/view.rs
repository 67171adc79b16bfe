//! Clients and the MCP server as they cross the boundary.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{
    memory::view::MemoryRow,
    vocabulary::{Scope, mirror},
};

mirror!(
    /// What is done to a tier.
    GrantVerb = domain::client::Verb {
        /// Looking.
        Read,
        /// Adding and changing.
        Write,
    }
);
mirror!(
    /// What a client may do besides reading and writing tiers.
    ClientCapability = domain::client::Capability {
        /// File proposals.
        Propose,
        /// See what a scrub would destroy.
        ScrubPreview,
        /// Scrub.
        ScrubExecute,
        /// Switch memory on and off.
        MemorySwitch,
    }
);

/// What is granted on a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TierGrant {
    /// Which tier.
    pub scope: Scope,
    /// May look.
    pub read: bool,
    /// May add and change.
    pub write: bool,
}

/// What a client may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ClientGrants {
    /// The four tiers, narrowest first.
    pub tiers: Vec<TierGrant>,
    /// Ids of the channels in which it takes part: the channel tier holds only there.
    pub channels: Vec<String>,
    /// The conversations in which it takes part: the conversation tier holds only there.
    pub conversations: Vec<String>,
    /// What else it may do.
    pub capabilities: Vec<ClientCapability>,
}

/// A client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClientView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The one workspace it reaches.
    pub workspace_id: String,
    /// That workspace's name; empty if it is gone.
    pub workspace_name: String,
    /// What it may do there.
    pub grants: ClientGrants,
    /// When it was added.
    pub created_at: String,
    /// When it was last heard of, to the minute.
    pub last_seen_at: Option<String>,
    /// When it was shut out.
    pub revoked_at: Option<String>,
    /// Changes it made to memory that were not taken back.
    pub writes: u32,
}

/// A client with a token that is shown this once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct NewClient {
    /// The client.
    pub client: ClientView,
    /// 64 hex digits. Kept nowhere.
    pub token: String,
}

/// What came of taking back what a client wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct ClientUndone {
    /// Entries that are as they were.
    pub restored: u32,
    /// Entries that somebody else changed since; they are left as they are.
    pub conflicts: Vec<MemoryRow>,
    /// What it wrote besides memory.
    pub writes: ClientWritesUndone,
}

/// What came of taking back what a client wrote besides memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ClientWritesUndone {
    /// Facts that are as they were, claims that are gone.
    pub facts: u32,
    /// Messages that were withdrawn.
    pub messages: u32,
    /// Those of them behind which somebody said something; that stays.
    pub answered: u32,
    /// Working notes that are as they were.
    pub notes: u32,
    /// True if the switch of memory is as it was.
    pub switched: bool,
    /// Open proposals that were turned down.
    pub proposals: u32,
    /// What stays as it is.
    pub kept: Vec<RecordedWrite>,
}

/// A write of a client that stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RecordedWrite {
    /// Which.
    pub wrote: ClientWriteView,
    /// Why.
    pub why: WhyRetained,
}

mirror!(
    /// Why a write stays.
    WhyRetained = domain::client::write::Stays {
        /// Somebody else changed it since.
        Changed,
        /// A summary stands for the message by now.
        Summarised,
        /// The worldbuilder made the claim their own word.
        Accepted,
    }
);

mirror!(
    /// Kinds of what a client writes besides memory.
    ClientWriteKind = domain::client::write::WriteKind {
        /// A value of a fact.
        Fact,
        /// A claim against the worldbuilder's own word.
        Claim,
        /// A message.
        Message,
        /// A working note, written or removed.
        Note,
        /// The switch of memory.
        Setting,
    }
);

/// Something that a client wrote besides memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClientWriteView {
    /// Of which kind.
    pub kind: ClientWriteKind,
    /// What people know it by: "category / key" of a fact, the conversation's title or reference code and the note's key.
    /// Empty if it is gone.
    pub label: String,
    /// The conversation, for a message or a working note that is not gone.
    pub conversation_id: Option<String>,
}

/// How the MCP server of the window stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpStatus {
    /// Switched on.
    pub enabled: bool,
    /// Open now.
    pub running: bool,
    /// The port it is open on.
    pub port: Option<u16>,
    /// The port that was asked for.
    pub wanted_port: u16,
    /// Where programs find it.
    pub url: Option<String>,
    /// What there is to say about it, for people.
    pub message: Option<String>,
}

/// What is set about the MCP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpSettings {
    /// Switched on.
    pub enabled: bool,
    /// The port that is asked for.
    pub port: u16,
}

/// A piece of another program's configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Snippet {
    /// The program.
    pub program: String,
    /// The file it goes into.
    pub file: String,
    /// What to put there.
    pub text: String,
}

/// Pieces of configuration for a client, one a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Snippets {
    /// For the interface inside the window.
    pub http: Vec<Snippet>,
    /// For a process of its own.
    pub stdio: Vec<Snippet>,
}
