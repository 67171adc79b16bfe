//! Export, import and memories in one file, as they cross the boundary.

use inklings_application::transfer;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::vocabulary::Scope;

/// A form in which memory is written out or brought in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TransferFormat {
    /// Our own: everything, both ways.
    Inklings,
    /// World Info of `SillyTavern`: both ways.
    Sillytavern,
    /// A character card.
    CharacterCard,
    /// A lorebook of the card specification's third version.
    LorebookV3,
    /// A lorebook of NovelAI.
    Novelai,
    /// A codex of Novelcrafter.
    Novelcrafter,
    /// The memories in Claude's export.
    ClaudeMemories,
    /// The answer of Mem0's `get_all`.
    Mem0,
    /// The file of the MCP memory server: both ways.
    McpJsonl,
    /// A folder of Markdown files: both ways.
    Markdown,
    /// JSON Lines: `{"id"?, "text", ...}`.
    Jsonl,
}

/// What an export takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportScope {
    /// What the account remembers.
    pub account: bool,
    /// All of the workspace: channels, conversations, everything.
    pub workspace: bool,
    /// Only this channel of it.
    pub channel_id: Option<String>,
    /// Only this conversation of it, by its id.
    pub conversation_id: Option<String>,
}

/// An export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportRequest {
    /// The file, or the folder of a format that is one.
    pub path: String,
    /// The form.
    pub format: TransferFormat,
    /// What to take.
    pub scope: ExportScope,
    /// The vectors too, in our own form.
    pub embeddings: bool,
    /// The journal too, in our own form.
    pub journal: bool,
}

/// How many of what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TransferCount {
    /// Of what: "memories".
    pub what: String,
    /// How many.
    pub rows: u32,
}

/// What was exported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportReport {
    /// The file or folder.
    pub path: String,
    /// Its size.
    #[specta(type = Number)]
    pub bytes: f64,
    /// What is in it.
    pub counts: Vec<TransferCount>,
}

/// What happens where something is here already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ConflictChoice {
    /// Whichever was changed last.
    Newer,
    /// What is here stays.
    Mine,
    /// What comes in is added beside it.
    Both,
}

impl From<ConflictChoice> for transfer::Conflicts {
    fn from(choice: ConflictChoice) -> Self {
        match choice {
            ConflictChoice::Newer => Self::Newer,
            ConflictChoice::Mine => Self::Mine,
            ConflictChoice::Both => Self::Both,
        }
    }
}

/// What happens to one thing in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcomeKind {
    /// It is new.
    Add,
    /// Something that is here becomes as it is in the file.
    Change,
    /// It is left out: nothing is to be done, or what is here stays.
    Skip,
    /// It cannot be taken in.
    Refuse,
    /// It is left out because nobody picked its line.
    Unpicked,
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

/// One thing in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportItemView {
    /// What happens to it.
    pub kind: ImportOutcomeKind,
    /// What it is: "memory", "named entry", "conversation".
    pub what: String,
    /// How you know it.
    pub label: String,
    /// Why; empty where nothing needs to be said.
    pub reason: String,
}

/// How often what happens to what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportCount {
    /// What happens.
    pub kind: ImportOutcomeKind,
    /// To what.
    pub what: String,
    /// How often.
    pub rows: u32,
}

/// Something in a file that was put up with or left out while it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportRemark {
    /// What it was: "a broken line".
    pub reason: String,
    /// How often.
    pub count: u32,
}

/// Why a line of a plan needs to be picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ImportNeed {
    /// It would write what every workspace shares.
    Account,
    /// It would speak as one of the entries that every workspace or account begins with.
    Voice,
    /// It would change what stands here.
    Replaces,
    /// It would join a conversation that is here.
    Joins,
    /// It would give rows a standing because the file says so.
    Claims,
}

impl From<transfer::Need> for ImportNeed {
    fn from(need: transfer::Need) -> Self {
        match need {
            transfer::Need::Account => Self::Account,
            transfer::Need::Voice => Self::Voice,
            transfer::Need::Replaces => Self::Replaces,
            transfer::Need::Joins => Self::Joins,
            transfer::Need::Claims => Self::Claims,
        }
    }
}

/// A text of a line, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportText {
    /// The text, around the first difference if it is long.
    pub text: String,
    /// False if it was cut; the whole is told to who asks for it.
    pub whole: bool,
}

impl From<transfer::LineText> for ImportText {
    fn from(text: transfer::LineText) -> Self {
        Self { text: text.text, whole: text.whole }
    }
}

/// A thing in a file that is left out unless a person picks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportLine {
    /// What it is picked by.
    pub id: String,
    /// What it is: "memory", "named entry".
    pub what: String,
    /// Its tier, of an entry.
    pub scope: Option<Scope>,
    /// How you know it.
    pub label: String,
    /// The id of the entry that stands here, if one does.
    pub entry_id: Option<String>,
    /// Why it needs to be picked.
    pub need: ImportNeed,
    /// The same for people, with what would change.
    pub reason: String,
    /// True if it was picked.
    pub picked: bool,
    /// What stands here, if anything does.
    pub here: Option<ImportText>,
    /// What the file brings.
    pub file: ImportText,
}

/// What an import would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportPlan {
    /// The file.
    pub path: String,
    /// Its form.
    pub format: TransferFormat,
    /// How often what happens to what.
    pub counts: Vec<ImportCount>,
    /// The first 500, one by one; messages only where they are refused.
    pub items: Vec<ImportItemView>,
    /// What is done only where a person picks that very line: all of it, picked or not.
    pub lines: Vec<ImportLine>,
    /// What was put up with or left out while the file was read.
    pub remarks: Vec<ImportRemark>,
    /// Stands for this plan; an import must name it.
    pub hash: String,
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportRequest {
    /// The file or folder.
    pub path: String,
    /// Its form; found out if none is given.
    pub format: Option<TransferFormat>,
    /// Where entries of other programs go. What is in our own form goes where it was.
    pub scope: Scope,
    /// Their channel, in the channel tier.
    pub channel_id: Option<String>,
    /// What happens where something is here already.
    pub conflicts: ConflictChoice,
    /// The lines that a person picked, by their ids.
    pub picks: Vec<String>,
    /// True if they picked every line there is.
    pub pick_all: bool,
    /// The lines whose texts the plan shall tell whole.
    pub whole: Vec<String>,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportDone {
    /// What was done with what.
    pub plan: ImportPlan,
    /// The run; taking it back takes the import back.
    pub run_id: String,
    /// The backup that was made before, if one was.
    pub backup_id: Option<String>,
}

/// How an export or import goes: rows of rows when writing, bytes of bytes when reading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TransferStep {
    /// Done so far.
    #[specta(type = Number)]
    pub done: f64,
    /// Of how many.
    #[specta(type = Number)]
    pub total: f64,
    /// Which part.
    pub what: String,
}

/// An entry of a memory in one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// Its number.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Other names that lead to it.
    pub aliases: Vec<String>,
    /// The text.
    pub content: String,
    /// `note` or `archive`.
    pub kind: FileEntryKind,
    /// When it was made.
    pub created_at: String,
}

/// What an entry of a memory in one file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileEntryKind {
    /// Written deliberately.
    Note,
    /// The summary of a conversation.
    Archive,
}

/// An entry that a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileHit {
    /// Its BM25 score.
    pub score: f64,
    /// True if the query is its name or one of its aliases.
    pub by_name: bool,
    /// The entry.
    pub entry: FileEntry,
}
