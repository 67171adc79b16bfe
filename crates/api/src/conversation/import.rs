//! Imports conversations from `ChatGPT` and Claude.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use inklings_application::{
    conversation::import::{ImportEnd, ImportReport},
    error::AppError,
};
use inklings_domain::{backup::BackupReason, ids::ChannelId};
use inklings_ports::progress::Progress;

use crate::{
    Event, Events,
    commands::ConversationCommands,
    conversation::{
        import_view as view,
        import_view::{ConversationImportPreview, ConversationImportReport},
    },
    error::{CommandError, ErrorCode, sentence},
    events::ImportStep,
};

/// Forwards the progress of an import.
struct Reporter {
    events: Arc<dyn Events>,
    cancel: Arc<AtomicBool>,
    conversations: AtomicU32,
}

impl Progress for Reporter {
    fn report(&self, read: u64, total: u64) {
        let conversations = self.conversations.fetch_add(1, Ordering::Relaxed) + 1;
        // A file can contain thousands of small conversations; the page needs no event for each.
        if conversations.is_multiple_of(16) || conversations < 16 {
            let step = ImportStep { read_bytes: read as f64, total_bytes: total as f64, conversations };
            self.events.send(Event::ImportProgress(step));
        }
    }

    fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// What happens with the conversations of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Nothing is stored.
    Preview,
    /// All or none.
    Whole,
    /// Those that can be read.
    Partial,
}

impl ConversationCommands<'_> {
    /// Previews the import of a file. Stores nothing. Conversations that cannot be read are listed.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid`, field `file`, if it cannot be read; `cancelled`.
    pub async fn preview_conversation_import(
        &self,
        path: &Path,
        events: Arc<dyn Events>,
    ) -> Result<ConversationImportPreview, CommandError> {
        Ok(view::preview(self.read_conversations(path.to_owned(), None, events, Mode::Preview).await?))
    }

    /// Imports a file completely or not at all, after a backup. With `partial`, imports what can be read if some conversations cannot.
    ///
    /// # Errors
    /// As [`Self::preview_conversation_import`]; `invalid`, field `file`, if a conversation cannot be read and `partial`
    /// is false.
    pub async fn import_conversations(
        &self,
        path: &Path,
        channel: Option<&str>,
        partial: bool,
        events: Arc<dyn Events>,
    ) -> Result<ConversationImportReport, CommandError> {
        let channel = channel.map(|id| crate::wire::id("channelId", id)).transpose()?;
        let mode = if partial { Mode::Partial } else { Mode::Whole };
        let report = self.read_conversations(path.to_owned(), channel, events, mode).await?;
        Ok(view::done(&report))
    }

    /// Cancels the running import; nothing of it is retained.
    pub fn cancel_conversation_import(&self) {
        self.app.import_cancel.store(true, Ordering::Relaxed);
    }

    async fn read_conversations(
        &self,
        path: PathBuf,
        channel: Option<ChannelId>,
        events: Arc<dyn Events>,
        mode: Mode,
    ) -> Result<ImportReport, CommandError> {
        let session = self.app.session()?;
        let cancel = Arc::clone(&self.app.import_cancel);
        cancel.store(false, Ordering::Relaxed);
        let progress = Reporter { events, cancel, conversations: AtomicU32::new(0) };
        let runtime = tokio::runtime::Handle::current();
        let source = apart(move || {
            let source = if mode == Mode::Whole {
                inklings_formats::open(&path)
            } else {
                inklings_formats::open_partly(&path)
            };
            source.map_err(|error| AppError::Input { field: "file", message: error.to_string() })
        })
        .await?;
        if mode != Mode::Preview {
            self.app.backup().back_up(BackupReason::Import).await?;
        }
        let report = apart(move || {
            let imports = session.conversation_imports();
            runtime.block_on(imports.import(source, channel, &progress, mode != Mode::Preview))
        })
        .await?;
        if let (0, Some(first)) = (report.conversations(), report.refusals.first()) {
            return Err(CommandError::invalid("file", sentence(&first.reason)));
        }
        if report.end == ImportEnd::Cancelled {
            return Err(CommandError::new(ErrorCode::Cancelled, "The import was stopped; nothing was kept."));
        }
        Ok(report)
    }
}

/// Reading and unpacking a file blocks, so it runs on its own thread.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, AppError> + Send + 'static,
) -> Result<T, CommandError> {
    let done = tokio::task::spawn_blocking(work).await;
    let stopped = |_| CommandError::new(ErrorCode::Internal, "The import stopped unexpectedly.");
    Ok(done.map_err(stopped)??)
}
