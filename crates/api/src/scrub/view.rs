//! Views of scrubs.

use crate::backup::view::BackupView;
use crate::vocabulary::mirror;
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

mirror!(
    /// Mode of a scrub: which entries are retained.
    ScrubMode = domain::scrub::ScrubMode {
        Full, KeepNamed,
    }
);

/// Kind of target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ScrubKind {
    /// The entries of a conversation's tier, its scratchpad and its orientations.
    Conversation,
    /// The entries of a channel's tier.
    Channel,
    /// The entries of the workspace's tier, and its facts.
    Workspace,
    /// The entries of the account's tier.
    Account,
    /// The messages of a conversation and everything derived from them.
    PurgeConversation,
    /// One entry with its history.
    Entry,
    /// Every entry, fact and scratchpad note that names a subject.
    Subject,
}

/// Target of a scrub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubTarget {
    pub kind: ScrubKind,
    /// Id of the conversation, channel or entry, or the name of the subject; absent for the tiers of the
    /// workspace and the account.
    pub id: Option<String>,
    /// For a subject: true for the account instead of the open workspace.
    #[serde(default)]
    #[specta(optional)]
    pub account: Option<bool>,
}

/// A conversation with texts that match a scrub but are not removed by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundIn {
    /// Id of the conversation.
    pub conversation: String,
    /// Reference code of the conversation.
    pub ref_code: String,
    /// Title; empty if it has none.
    pub title: String,
    /// Number of matching messages, summaries and titles.
    pub rows: u32,
}

/// Matching texts that a scrub does not remove.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AlsoFound {
    /// Conversations; a purge removes their messages.
    pub conversations: Vec<FoundIn>,
    /// Ids of entries in the workspace.
    pub memories: Vec<String>,
    /// Ids of entries in the account.
    pub account_memories: Vec<String>,
    /// Number of facts.
    pub facts: u32,
    /// Number of scratchpad notes.
    pub working_notes: u32,
    /// Number of proposals, those for the account included.
    pub proposals: u32,
    /// Number of channels, by their name or description.
    pub channels: u32,
}

/// Number of rows of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubCount {
    /// The kind, e.g. "memories".
    pub what: String,
    pub rows: u32,
}

/// Preview of a scrub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubManifest {
    pub target: ScrubTarget,
    pub mode: ScrubMode,
    /// Description of the target, for users.
    pub title: String,
    /// Rows by kind.
    pub counts: Vec<ScrubCount>,
    /// Total number of rows.
    pub total: u32,
    /// Number of entries retained because they are named.
    pub keeps: u32,
    /// Ids of a sample of the rows, at most 20.
    pub sample: Vec<String>,
    /// Matching texts that remain; only for one entry or one subject. Of a purge, the proposals that remain.
    pub also_found: AlsoFound,
    /// Backups that contain some of the rows, newest first.
    pub backups: Vec<BackupView>,
    /// Paths of copies that may contain some of the rows: unfinished backups, restores and exports, quarantined files, and
    /// deleted worlds in the trash.
    pub leftovers: Vec<String>,
    /// Hash over all rows, required for execution.
    pub hash: String,
    /// Phrase that the user must type.
    pub phrase: String,
    /// Time of the preview.
    pub at: String,
}

/// Request to execute a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubRequest {
    pub target: ScrubTarget,
    pub mode: ScrubMode,
    /// The hash of the manifest.
    pub hash: String,
    /// The typed phrase.
    pub phrase: String,
    /// True to make a backup first.
    pub backup: bool,
}

/// Verification after a scrub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubProof {
    /// True if no residue was found.
    pub ok: bool,
    pub checked: Vec<String>,
    /// Number of residues found.
    pub residues: u32,
}

/// Result of a scrub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubDone {
    /// The executed manifest.
    pub manifest: ScrubManifest,
    /// Number of its row in the audit log.
    pub audit_sequence: u32,
    /// Id of the backup made before the scrub.
    pub backup_id: Option<String>,
    /// Verification that nothing is left.
    pub proof: ScrubProof,
}
