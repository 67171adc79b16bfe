//! Views of export, import and single-file memories.

use inklings_application::transfer;
use inklings_domain::memory::link::LinkRole;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::vocabulary::{Scope, mirror};

/// File format of exports and imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TransferFormat {
    /// Inklings' own format: complete, export and import.
    Inklings,
    /// `SillyTavern` World Info: export and import.
    Sillytavern,
    /// Character card: export and import.
    CharacterCard,
    /// Lorebook of the character card specification, version 3: export and import.
    LorebookV3,
    /// NovelAI lorebook: export and import. Scenarios and stories are imported.
    Novelai,
    /// Novelcrafter codex.
    Novelcrafter,
    /// Story cards or world info of AI Dungeon.
    AiDungeon,
    /// `JanitorAI` lorebook.
    JanitorAi,
    /// `RisuAI` lorebook.
    Risu,
    /// Story or world info of `KoboldAI`.
    KoboldAi,
    /// Memory book of Agnai.
    Agnai,
    /// Agent file of Letta.
    Letta,
    /// Memories in Claude's export.
    ClaudeMemories,
    /// Response of Mem0's `get_all`.
    Mem0,
    /// File of the MCP memory server: export and import.
    McpJsonl,
    /// Folder of Markdown files: export and import.
    Markdown,
    /// Graph of subjects and relations as `GraphML`: export.
    Graphml,
    /// JSON Lines: `{"id"?, "text", ...}`.
    Jsonl,
}

/// Scope of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportScope {
    /// Include the account.
    pub account: bool,
    /// Include the whole workspace with its channels and conversations.
    pub workspace: bool,
    /// Include only this channel.
    pub channel_id: Option<String>,
    /// Include only this conversation, by id.
    pub conversation_id: Option<String>,
}

/// Request for an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct ExportRequest {
    /// Path of the file, or of the folder for folder formats.
    pub path: String,
    /// File format.
    pub format: TransferFormat,
    pub scope: ExportScope,
    /// Include vectors, in the own format.
    pub embeddings: bool,
    /// Include the journal, in the own format.
    pub journal: bool,
    /// For a character card: the path of a PNG image that the card is written into. Without it, the card is JSON.
    pub picture: Option<String>,
    /// Replace a file that is there.
    pub replace: bool,
    /// Only tell what would be written and what the format has no place for. Nothing is written.
    #[serde(default)]
    pub dry_run: bool,
}

/// Number of rows of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TransferCount {
    /// Kind of row, e.g. "memories".
    pub what: String,
    pub rows: u32,
}

/// Result of an export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportReport {
    /// Path of the file or folder.
    pub path: String,
    /// Size in bytes.
    #[specta(type = Number)]
    pub bytes: f64,
    /// Number of rows by kind.
    pub counts: Vec<TransferCount>,
    /// What the format has no place for, each with the number of entries that lose it.
    pub losses: Vec<TransferCount>,
}

mirror!(
    /// Resolution of conflicts with existing objects.
    ConflictChoice = transfer::Conflicts {
        /// The version changed last wins.
        Newer,
        /// The existing version is retained.
        Mine,
        /// The imported version is added as a second entry.
        Both,
    }
);

/// Outcome for one item of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcomeKind {
    /// The item is added.
    Add,
    /// An existing item is changed to match the file.
    Change,
    /// Skipped: it is unchanged, or the existing version is retained.
    Skip,
    /// The item is invalid and refused.
    Refuse,
    /// Skipped, because its line was not picked.
    Unpicked,
    /// Left behind: a part of the file that Inklings has no place for.
    Left,
}

impl From<transfer::Outcome> for ImportOutcomeKind {
    fn from(outcome: transfer::Outcome) -> Self {
        match outcome {
            transfer::Outcome::Add => Self::Add,
            transfer::Outcome::Change => Self::Change,
            transfer::Outcome::Skip => Self::Skip,
            transfer::Outcome::Refuse => Self::Refuse,
            transfer::Outcome::Unpicked => Self::Unpicked,
        }
    }
}

/// One item of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportItemView {
    pub kind: ImportOutcomeKind,
    /// Kind of item, e.g. "memory", "named entry", "conversation".
    pub what: String,
    /// Where it is in the file: a path in a folder or an archive, or the number of the entry. May be empty.
    pub place: String,
    /// Label for users.
    pub label: String,
    /// Reason; empty if none is needed.
    pub reason: String,
    /// Kind of the subject that it is.
    pub subject: Option<String>,
    /// What it states of two entries.
    pub relation: Option<String>,
    /// Entries that a third-party item is linked to.
    pub links: Vec<ImportLinkView>,
}

mirror!(
    /// What a linked entry is to an item.
    ImportLinkRole = LinkRole {
        /// The item states something of it and another one, from this one.
        From,
        /// The item states something of it and another one, to this one.
        To,
        /// The item is about it.
        About,
        /// It knows of the item, which not everybody does.
        KnownBy,
    }
);

/// A link of an item to an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportLinkView {
    /// What the entry is to the item.
    pub role: ImportLinkRole,
    /// Name of the entry after the import.
    pub name: String,
    /// Since when it knows of the item, as the file says it; `null`: always, and for every other role.
    pub since: Option<String>,
}

/// Number of items with one outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportCount {
    pub kind: ImportOutcomeKind,
    /// Kind of item.
    pub what: String,
    /// Number of items.
    pub rows: u32,
}

/// A problem in the file that was tolerated or skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportRemark {
    /// Description, e.g. "a broken line".
    pub reason: String,
    /// Number of occurrences.
    pub count: u32,
}

mirror!(
    /// Reason why a line of a plan must be picked by a user.
    ImportNeed = transfer::Need {
        /// It writes to the account, which all workspaces share.
        Account,
        /// It writes one of the built-in entries of a workspace or the account.
        Voice,
        /// It changes existing content.
        Replaces,
        /// More would know of it than do here or in the file.
        Knowers,
        /// It adds to an existing conversation.
        Joins,
        /// It takes values from the file that only a user may set: authorship, pins, high importance, use counts.
        Claims,
    }
);

/// A text of a line, or an excerpt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportText {
    /// The text, or an excerpt around the first difference if it is long.
    pub text: String,
    /// False for an excerpt; the full text can be requested.
    pub whole: bool,
}

impl From<transfer::LineText> for ImportText {
    fn from(text: transfer::LineText) -> Self {
        Self { text: text.text, whole: text.whole }
    }
}

/// An item that is imported only if a user picks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportLine {
    /// Id for picking the line.
    pub id: String,
    /// Kind of item, e.g. "memory", "named entry".
    pub what: String,
    /// Tier, for an entry.
    pub scope: Option<Scope>,
    /// Label for users.
    pub label: String,
    /// Id of the existing entry, if there is one.
    pub entry_id: Option<String>,
    /// Reason why it must be picked.
    pub need: ImportNeed,
    /// The reason for users, with the changes.
    pub reason: String,
    /// True if it was picked.
    pub picked: bool,
    /// The existing text, if any.
    pub here: Option<ImportText>,
    pub file: ImportText,
}

/// Relation of a third-party file to earlier imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ImportBookKind {
    /// It continues no earlier import.
    New,
    /// It continues an earlier import.
    Same,
    /// It may continue an earlier import; a user has to decide.
    Doubtful,
}

/// An earlier import that a file may continue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KnownBook {
    /// Id, made of the file name of its first import.
    pub id: String,
    /// Number of its entries.
    pub entries: u32,
    /// Entries of the file with the same text.
    pub alike: u32,
    /// Entries of the file with another text.
    pub changed: u32,
}

/// Identity of a third-party file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportBook {
    /// Id that the import has or gets.
    pub id: String,
    /// Its relation to earlier imports.
    pub kind: ImportBookKind,
    /// True if a user chose the relation.
    pub chosen: bool,
    /// Entries of the file that are here with the same text and settings.
    pub alike: u32,
    /// Entries of the file that are here with another text or other settings.
    pub changed: u32,
    /// Entries of the file that are not here.
    pub added: u32,
    /// Earlier imports that it may continue, the likeliest first, at most 10.
    pub known: Vec<KnownBook>,
}

/// Named entries of a file that are always shown to the World Agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AlwaysShown {
    /// Number of entries.
    pub entries: u32,
    /// Their tokens in total.
    pub tokens: u32,
    /// Tokens that named entries may take of what the World Agent is shown.
    pub budget: u32,
}

/// Preview of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportPlan {
    /// Path of the file.
    pub path: String,
    /// Format of the file.
    pub format: TransferFormat,
    /// Number of items by outcome.
    pub counts: Vec<ImportCount>,
    /// The refused items, at most 5000; then what is left behind, at most 5000; then the first 500 of the others.
    /// Messages only if refused.
    pub items: Vec<ImportItemView>,
    /// All lines that must be picked by a user, picked or not.
    pub lines: Vec<ImportLine>,
    /// Problems in the file that were tolerated or skipped.
    pub remarks: Vec<ImportRemark>,
    /// Identity of the file; `None` for the own format.
    pub book: Option<ImportBook>,
    /// Number of damaged files in a folder or archive. Without `partial`, they prevent the import.
    pub damaged: u32,
    /// The entries that are always shown, if they take more than there is room for; also if they are imported as shown
    /// only when named.
    pub always_shown: Option<AlwaysShown>,
    /// Hash of this plan, required for the import.
    pub hash: String,
}

/// Request for an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct ImportRequest {
    /// Path of the file or folder.
    pub path: String,
    /// Format; detected if absent.
    pub format: Option<TransferFormat>,
    /// Target tier for third-party entries. The own format restores the original tiers.
    pub scope: Scope,
    /// Target channel for third-party entries, in the channel tier.
    pub channel_id: Option<String>,
    /// Resolution of conflicts.
    pub conflicts: ConflictChoice,
    /// Ids of the lines that a user picked.
    pub picks: Vec<String>,
    /// True if the user picked all lines.
    pub pick_all: bool,
    /// Ids of the lines whose full texts are requested.
    pub whole: Vec<String>,
    /// Id of the earlier import that a third-party file continues.
    pub same_book: Option<String>,
    /// True if a third-party file continues no earlier import.
    pub new_book: bool,
    /// True to import a folder or archive without its damaged files.
    pub partial: bool,
    /// True to show the entries of a third-party file only when they are named, also those that are always shown there.
    pub only_when_named: bool,
}

/// Result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportDone {
    /// The executed plan.
    pub plan: ImportPlan,
    /// Id of the run; reverting it undoes the import.
    pub run_id: String,
    /// Id of the backup made before the import, if any.
    pub backup_id: Option<String>,
}

/// An entry of a single-file memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// Number of the entry.
    pub id: u64,
    pub name: String,
    /// Other names that resolve to it.
    pub aliases: Vec<String>,
    pub content: String,
    /// `note` or `archive`.
    pub kind: FileEntryKind,
    /// Creation time.
    pub created_at: String,
}

/// Kind of an entry of a single-file memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileEntryKind {
    /// A written note.
    Note,
    /// The summary of a conversation.
    Archive,
}

/// A search hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileHit {
    /// Its BM25 score.
    pub score: f64,
    /// True if the query equals its name or an alias.
    pub by_name: bool,
    pub entry: FileEntry,
}
