//! Scrubs as they cross the boundary.

use crate::backup::view::BackupView;
use crate::vocabulary::mirror;
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

mirror!(
    /// What stays in a scrub.
    ScrubMode = domain::scrub::ScrubMode {
        /// Nothing.
        Full,
        /// Named entries.
        KeepNamed,
    }
);

/// What is to be cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ScrubKind {
    /// The entries of a conversation's tier, its working notes and what was shown in it.
    Conversation,
    /// The entries of a channel's tier.
    Channel,
    /// The entries of the workspace's tier, and its facts.
    Workspace,
    /// The entries of the account's tier.
    Account,
    /// What was said in a conversation, and what was made from it.
    PurgeConversation,
    /// One entry with its history.
    Entry,
    /// Every entry, fact and working note that names a subject.
    Subject,
}

/// What is to be cleared, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubTarget {
    /// What.
    pub kind: ScrubKind,
    /// The id of the conversation, channel or entry, or the name of the subject; absent for a tier without channels and conversations.
    pub id: Option<String>,
    /// Of a subject: true for the account instead of the open workspace.
    #[serde(default)]
    #[specta(optional)]
    pub account: Option<bool>,
}

/// A conversation in which something is said that a scrub does not take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundIn {
    /// Its id.
    pub conversation: String,
    /// Its reference code.
    pub ref_code: String,
    /// Its title; empty if it has none.
    pub title: String,
    /// Messages and summaries that say it.
    pub rows: u32,
}

/// What says the same as what a scrub takes, and stays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AlsoFound {
    /// Conversations; a purge takes what was said in one.
    pub conversations: Vec<FoundIn>,
    /// Ids of entries of the workspace.
    pub memories: Vec<String>,
    /// Ids of entries of the account.
    pub account_memories: Vec<String>,
    /// Facts.
    pub facts: u32,
    /// Working notes.
    pub working_notes: u32,
}

/// Rows of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubCount {
    /// The kind, e.g. "memories".
    pub what: String,
    /// How many.
    pub rows: u32,
}

/// What a scrub would take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubManifest {
    /// What is cleared.
    pub target: ScrubTarget,
    /// What stays.
    pub mode: ScrubMode,
    /// What is cleared, for people.
    pub title: String,
    /// Rows by kind.
    pub counts: Vec<ScrubCount>,
    /// Rows in all.
    pub total: u32,
    /// Entries that stay because they are named.
    pub keeps: u32,
    /// Ids of some of it, at most 20.
    pub sample: Vec<String>,
    /// What says the same and stays; of one entry or one subject.
    pub also_found: AlsoFound,
    /// Backups that hold some of it, the newest first.
    pub backups: Vec<BackupView>,
    /// Unfinished backups, restores and exports that may hold some of it, as paths.
    pub leftovers: Vec<String>,
    /// Hash over all rows: carrying it out needs it.
    pub hash: String,
    /// What is typed to carry it out.
    pub phrase: String,
    /// When this was counted.
    pub at: String,
}

/// The order to carry out a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubRequest {
    /// What is cleared.
    pub target: ScrubTarget,
    /// What stays.
    pub mode: ScrubMode,
    /// The hash of the manifest.
    pub hash: String,
    /// The typed phrase.
    pub phrase: String,
    /// True to make a backup first.
    pub backup: bool,
}

/// That nothing is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubProof {
    /// True if nothing was found.
    pub ok: bool,
    /// What was looked through.
    pub checked: Vec<String>,
    /// Remains that were found.
    pub residues: u32,
}

/// What a scrub did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScrubDone {
    /// What it took.
    pub manifest: ScrubManifest,
    /// Its row in the audit log.
    pub audit_sequence: u32,
    /// The backup that was made first.
    pub backup_id: Option<String>,
    /// That nothing is left.
    pub proof: ScrubProof,
}
