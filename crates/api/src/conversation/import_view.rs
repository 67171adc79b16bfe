//! Bringing conversations in from elsewhere, as it crosses the boundary.

use inklings_application::conversation::import::ImportReport;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::wire::{count, time};

/// Which program wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ConversationFormat {
    /// `ChatGPT`.
    Chatgpt,
    /// Claude.
    Claude,
}

/// What is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SkippedImport {
    /// Why.
    pub reason: String,
    /// How many.
    pub count: u32,
}

/// What an import would bring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationImportPreview {
    /// Which program wrote the file.
    pub format: ConversationFormat,
    /// Conversations in it.
    pub conversations: u32,
    /// Those that are not here yet.
    pub new_conversations: u32,
    /// Those that are here and would get new or changed messages.
    pub updated_conversations: u32,
    /// Those that are here just so.
    pub unchanged_conversations: u32,
    /// Messages that would be added or changed.
    pub messages: u32,
    /// What would be left out.
    pub skipped: Vec<SkippedImport>,
    /// When the first message was said.
    pub first_at: Option<String>,
    /// When the last one was said.
    pub last_at: Option<String>,
    /// Titles of the first conversations.
    pub titles: Vec<String>,
}

/// What an import brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationImportReport {
    /// New conversations.
    pub conversations: u32,
    /// Messages added or changed.
    pub messages: u32,
    /// Conversations brought up to date.
    pub updated: u32,
}

/// How an import goes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportStep {
    /// Bytes read so far.
    #[specta(type = Number)]
    pub read_bytes: f64,
    /// Of how many.
    #[specta(type = Number)]
    pub total_bytes: f64,
    /// Conversations so far.
    pub conversations: u32,
}

/// A report as a preview.
pub fn preview(report: ImportReport) -> ConversationImportPreview {
    let format =
        if report.format == "claude" { ConversationFormat::Claude } else { ConversationFormat::Chatgpt };
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
        first_at: report.first.map(time),
        last_at: report.last.map(time),
        titles: report.titles,
    }
}

/// A report of what is done.
pub fn done(report: &ImportReport) -> ConversationImportReport {
    ConversationImportReport {
        conversations: count(report.new),
        messages: count(report.added + report.replaced),
        updated: count(report.updated),
    }
}
