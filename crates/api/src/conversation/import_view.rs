//! Views of the import of conversations.

use inklings_application::conversation::import::ImportReport;
use inklings_ports::conversation::import_store::RefusedConversation;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::{count, time};

/// Export format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ConversationFormat {
    /// `ChatGPT`.
    Chatgpt,
    Claude,
    /// `SillyTavern`.
    Sillytavern,
}

/// Number of items skipped for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SkippedImport {
    pub reason: String,
    /// Number of skipped items.
    pub count: u32,
}

/// A conversation that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RefusedImport {
    /// Where it is: its number in the export, and the name of its file if there are several.
    pub place: String,
    /// What is wrong, with the position.
    pub reason: String,
}

/// Preview of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationImportPreview {
    /// Format of the file.
    pub format: ConversationFormat,
    /// Number of conversations in the file.
    pub conversations: u32,
    /// Conversations that do not exist yet.
    pub new_conversations: u32,
    /// Existing conversations that would get new or changed messages.
    pub updated_conversations: u32,
    /// Existing conversations without changes.
    pub unchanged_conversations: u32,
    /// Messages that would be added or changed.
    pub messages: u32,
    /// Items that would be skipped.
    pub skipped: Vec<SkippedImport>,
    /// Number of conversations that cannot be read. The others are imported only if a user asks for it.
    pub refused: u32,
    /// The first 500 of them.
    pub refusals: Vec<RefusedImport>,
    /// Time of the first message.
    pub first_at: Option<String>,
    /// Time of the last message.
    pub last_at: Option<String>,
    /// Titles of the first conversations.
    pub titles: Vec<String>,
}

/// Result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationImportReport {
    pub conversations: u32,
    /// Messages added or changed.
    pub messages: u32,
    /// Existing conversations that were updated.
    pub updated: u32,
    /// Conversations that could not be read and were left out.
    pub refused: u32,
}

/// Converts a report to a preview.
pub fn preview(report: ImportReport) -> ConversationImportPreview {
    let format = match report.format {
        "claude" => ConversationFormat::Claude,
        "sillytavern" => ConversationFormat::Sillytavern,
        _ => ConversationFormat::Chatgpt,
    };
    ConversationImportPreview {
        format,
        conversations: count(report.conversations()),
        new_conversations: count(report.new),
        updated_conversations: count(report.updated),
        unchanged_conversations: count(report.unchanged),
        messages: count(report.added + report.replaced),
        skipped: report
            .skipped
            .iter()
            .map(|(reason, n)| SkippedImport { reason: (*reason).to_owned(), count: count(*n) })
            .collect(),
        refused: count(report.refused),
        refusals: report.refusals.into_iter().map(refused).collect(),
        first_at: report.first.map(time),
        last_at: report.last.map(time),
        titles: report.titles,
    }
}

/// Converts a report of a completed import.
pub fn done(report: &ImportReport) -> ConversationImportReport {
    ConversationImportReport {
        conversations: count(report.new),
        messages: count(report.added + report.replaced),
        updated: count(report.updated),
        refused: count(report.refused),
    }
}

fn refused(conversation: RefusedConversation) -> RefusedImport {
    let number = format!("conversation {}", conversation.number);
    let place = conversation.file.map_or_else(|| number.clone(), |file| format!("{file}, {number}"));
    RefusedImport { place, reason: conversation.reason }
}
