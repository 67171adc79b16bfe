//! Scrub, audit, backup and the overview of the tiers as they cross the boundary.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use super::vocabulary::{Door, Scope, mirror};

mirror!(
    /// What stays in a scrub.
    ScrubMode = domain::scrub::ScrubMode {
        /// Nothing.
        Full,
        /// Named entries.
        KeepNamed,
    }
);
mirror!(
    /// What was put on record.
    AuditAct = domain::audit::AuditAct {
        /// A tier was scrubbed.
        Scrub,
        /// A conversation was purged.
        Purge,
        /// A backup was put back.
        Restore,
        /// A backup was destroyed.
        PurgeBackup,
    }
);
mirror!(
    /// Why a backup was made.
    BackupReason = domain::backup::BackupReason {
        /// Something had been written for a while.
        Activity,
        /// The worldbuilder asked.
        Asked,
        /// Before a migration.
        Migration,
        /// Before an import.
        Import,
        /// Before a scrub.
        Scrub,
        /// Before a big run.
        Run,
        /// Before a restore.
        Restore,
    }
);

/// One row of an audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditView {
    /// From 1, without a gap.
    pub sequence: u32,
    /// "account", or the workspace's name.
    pub file: String,
    /// What was done.
    pub act: AuditAct,
    /// To what: kind and id.
    pub scope: String,
    /// In which mode, for a scrub.
    pub mode: Option<ScrubMode>,
    /// Rows that were destroyed, or files that were put back.
    pub rows: u32,
    /// Who did it.
    pub operator: String,
    /// Through which door.
    pub door: Door,
    /// When.
    pub at: String,
    /// Its seal, 64 hex digits.
    pub hash: String,
}

/// How the chain of a log stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditChain {
    /// "account", or the workspace's name.
    pub file: String,
    /// Rows it has.
    pub rows: u32,
    /// True if it is whole.
    pub ok: bool,
    /// The row at which it breaks first.
    pub broken_at: Option<u32>,
    /// Where it began anew last, behind a log that could not be taken over.
    #[serde(default)]
    #[specta(optional)]
    pub anew: Option<LogAnew>,
}

/// That a log goes on from a backup, because the one that was there could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LogAnew {
    /// The row of the restore that tells of it; rows may be missing before it.
    pub row: u32,
    /// Why: `damaged`, `missing` or `another log`.
    pub why: String,
    /// Where the lost log ended, if that could be read.
    pub last_row: Option<u32>,
    /// The hash of that row.
    pub last_hash: Option<String>,
}

/// The audit logs of the account and of the workspace in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditLog {
    /// Their rows, the newest first.
    pub rows: Vec<AuditView>,
    /// How their chains stand.
    pub chains: Vec<AuditChain>,
}

/// A tier in figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TierOverview {
    /// Which tier.
    pub scope: Scope,
    /// Entries in use.
    pub active: u32,
    /// Forgotten ones.
    pub forgotten: u32,
    /// In use and the author's.
    pub by_author: u32,
    /// In use and an agent's.
    pub by_agent: u32,
    /// In use and imported.
    pub by_import: u32,
    /// In use and named.
    pub named: u32,
    /// When the oldest in use was made.
    pub oldest: Option<String>,
    /// When the newest in use was made.
    pub newest: Option<String>,
    /// Size of all texts, forgotten ones included, in bytes of UTF-8.
    #[specta(type = Number)]
    pub bytes: f64,
    /// In use with a relevance below 0.05.
    pub fading: u32,
    /// When the tier was consolidated last.
    pub last_consolidation: Option<String>,
}

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
    /// The id of the conversation, channel or entry, or the name of the subject; absent for a tier without rooms.
    pub id: Option<String>,
    /// Of a subject: true for the account instead of the open workspace.
    #[serde(default)]
    #[specta(optional)]
    pub account: Option<bool>,
}

/// A conversation in which something is said that a scrub does not take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SaidIn {
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
pub struct AlsoSaid {
    /// Conversations; a purge takes what was said in one.
    pub conversations: Vec<SaidIn>,
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
    pub also_said: AlsoSaid,
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

/// One backup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupView {
    /// Names it.
    pub id: String,
    /// When it was made.
    pub at: String,
    /// Why it was made.
    pub reason: BackupReason,
    /// Its size.
    #[specta(type = Number)]
    pub bytes: f64,
    /// Names of the workspaces in it.
    pub workspaces: Vec<String>,
    /// True if the account is in it.
    pub account: bool,
    /// How many scrubs were made since: putting it back brings back what they destroyed.
    pub scrubs_since: u32,
    /// What the last check said; absent if it was not checked since it was made.
    pub ok: Option<bool>,
}

/// Every backup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupList {
    /// The newest first.
    pub rows: Vec<BackupView>,
    /// Size of all of them.
    #[specta(type = Number)]
    pub bytes: f64,
    /// Size that they may have.
    #[specta(type = Number)]
    pub max_bytes: f64,
    /// Where they lie.
    pub folder: String,
}

/// What a restore did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    /// What was put back.
    pub restored: BackupView,
    /// What was there before; can be put back too.
    pub before: BackupView,
}

/// When backups are made by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupSettings {
    /// Minutes of activity; 0: never.
    pub every_minutes: u32,
    /// Megabytes that all backups may have together.
    pub max_megabytes: u32,
}

/// A database that cannot be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DamagedFile {
    /// Path within the data folder.
    pub file: String,
    /// True if it is the account's.
    pub account: bool,
    /// Where it is put when a backup takes its place.
    pub quarantined: String,
    /// The newest good backup that holds it.
    pub newest: Option<BackupView>,
}
