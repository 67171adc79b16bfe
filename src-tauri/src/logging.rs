//! Logging to one file per day, the last fourteen of which are retained. Logs never contain memory text.

use std::path::Path;

use inklings_api::logging;
use tracing_appender::{
    non_blocking::WorkerGuard,
    rolling::{RollingFileAppender, Rotation},
};

/// Starts logging into a folder. Keep the guard: dropping it flushes the log. If the folder cannot be
/// written, there is no log and the window opens anyway.
pub fn start(folder: &Path) -> Option<WorkerGuard> {
    std::fs::create_dir_all(folder).ok()?;
    let appender = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("inklings")
        .filename_suffix("log")
        .max_log_files(14)
        .build(folder)
        .ok()?;
    let (writer, guard) = tracing_appender::non_blocking(appender);
    let words = std::env::var(logging::VARIABLE).unwrap_or_else(|_| "info".to_owned());
    logging::start(&words, writer, false).then_some(guard)
}
