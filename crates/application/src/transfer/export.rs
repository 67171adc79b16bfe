//! Exports memory in the Inklings format, row by row, so that memory use does not grow with the file.

use std::io::{self, Write};

use chrono::SecondsFormat;
use inklings_domain::ids::{ChannelId, ConversationId};
use inklings_ports::transfer::{
    file::{TransferError, TransferProgress},
    shape::{SCHEMA_VERSION, Section},
    store::{TransferRow, Within},
};
use serde_json::{Value, json};

use super::pages::ExportSource;
use crate::services::Transfers;

/// Rows per read; each may have a megabyte of text and a history.
const PAGE: usize = 64;

/// What to export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExportScope {
    /// The account's memory.
    pub account: bool,
    /// The whole workspace.
    pub workspace: bool,
    /// Only this channel of the workspace.
    pub channel: Option<ChannelId>,
    /// Only this conversation of the workspace.
    pub conversation: Option<ConversationId>,
}

/// Options of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExportOptions {
    pub scope: ExportScope,
    /// Include vectors.
    pub embeddings: bool,
    /// Include the journal.
    pub journal: bool,
}

/// Number of exported rows by section, in the order of the file.
pub type ExportCounts = Vec<(Section, u64)>;

impl ExportScope {
    /// The exported part of the workspace, if any.
    pub fn within(&self) -> Option<Within> {
        match (self.conversation, self.channel) {
            (Some(id), _) => Some(Within::Conversation(id)),
            (None, Some(id)) => Some(Within::Channel(id)),
            (None, None) => self.workspace.then_some(Within::All),
        }
    }

    fn to_json(self) -> Value {
        let mut description =
            json!({ "account": self.account, "workspace": self.within() == Some(Within::All) });
        if let (Some(id), None) = (self.channel, self.conversation) {
            description["channel_id"] = id.to_string().into();
        }
        if let Some(id) = self.conversation {
            description["conversation_id"] = id.to_string().into();
        }
        description
    }
}

/// Number of rows of each section that is written, in the order of the file.
async fn counted(
    sources: &mut [ExportSource],
    options: ExportOptions,
) -> Result<ExportCounts, TransferError> {
    let mut counts = ExportCounts::new();
    for section in Section::ALL {
        if section == Section::Journal && !options.journal {
            continue;
        }
        let mut rows = 0;
        for source in &mut *sources {
            rows += source.count(section).await?;
        }
        counts.push((section, rows));
    }
    Ok(counts)
}

impl Transfers<'_> {
    /// What an export would write. Writes nothing.
    ///
    /// # Errors
    /// [`TransferError`] if nothing was chosen, it was cancelled, or a database fails.
    pub async fn preview_export(
        &self,
        options: ExportOptions,
        progress: &dyn TransferProgress,
    ) -> Result<ExportCounts, TransferError> {
        let expected = counted(&mut self.export_sources(&options.scope).await?, options).await?;
        if progress.cancelled() { Err(TransferError::Cancelled) } else { Ok(expected) }
    }

    /// Exports memory to `out` from one snapshot per database. The order is stable: by section, then the
    /// account's rows before the workspace's, then by id.
    ///
    /// # Errors
    /// [`TransferError`] if nothing was chosen, the export was cancelled, or a database or `out` fails. `out`
    /// is not a valid export then.
    pub async fn export(
        &self,
        out: &mut (dyn Write + Send),
        options: ExportOptions,
        progress: &dyn TransferProgress,
    ) -> Result<ExportCounts, TransferError> {
        let mut sources = self.export_sources(&options.scope).await?;
        let expected = counted(&mut sources, options).await?;
        let total = expected.iter().map(|(_, rows)| rows).sum();
        let now = self.session.clock.now().to_rfc3339_opts(SecondsFormat::Micros, true);
        write!(out, "{{\"schema_version\":{SCHEMA_VERSION},\"exported_at\":\"{now}\"")?;
        write!(out, ",\"scope\":{}", options.scope.to_json())?;
        let (mut counts, mut done) = (ExportCounts::new(), 0);
        for (section, _) in expected {
            write!(out, ",\n\"{}\":[", section.name())?;
            let before = done;
            for source in &mut sources {
                let mut write = |rows: Vec<TransferRow>| {
                    for row in &rows {
                        out.write_all(if done == before { b"\n" } else { b",\n" })?;
                        serde_json::to_writer(&mut *out, &row.fields).map_err(io::Error::from)?;
                        done += 1;
                    }
                    progress.report(done, total, section.name());
                    if progress.cancelled() { Err(TransferError::Cancelled) } else { Ok(()) }
                };
                source.pages(section, PAGE, options.embeddings, &mut write).await?;
            }
            out.write_all(if done == before { b"]" } else { b"\n]" })?;
            counts.push((section, done - before));
        }
        if let Some(source) = sources.last_mut() {
            for (name, value) in source.members().await? {
                if Section::from_name(&name).is_none() {
                    write!(out, ",\n{}:{value}", Value::String(name))?;
                }
            }
        }
        out.write_all(b"}\n")?;
        Ok(counts)
    }
}
