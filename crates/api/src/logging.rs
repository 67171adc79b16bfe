//! Logging without memory text. Inklings crates log at the configured level; of libraries only warnings are
//! logged, without their fields.
//!
//! Libraries log requests, protocol messages and statements, which can contain memory text. Therefore no text
//! or span of a library is written to the log at any level.

use std::fmt;

use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::{
    Layer as _,
    filter::{Targets, filter_fn},
    fmt::{
        FmtContext, FormatEvent, FormatFields, MakeWriter,
        format::{Format, Full, Writer},
        time::{FormatTime as _, SystemTime},
    },
    layer::SubscriberExt as _,
    registry::LookupSpan,
    util::SubscriberInitExt as _,
};

/// The environment variable that sets the log level: a level, or levels by target
/// (`inklings_sqlite=debug,info`).
pub const VARIABLE: &str = "INKLINGS_LOG";

/// True for targets of Inklings crates.
fn is_ours(target: &str) -> bool {
    let name = target.split("::").next().unwrap_or_default();
    name == "inklings" || name.starts_with("inklings_")
}

fn is_logged(wanted: &Targets, metadata: &Metadata<'_>) -> bool {
    if is_ours(metadata.target()) {
        wanted.would_enable(metadata.target(), metadata.level())
    } else {
        metadata.is_event() && *metadata.level() <= Level::WARN
    }
}

/// Formats events of Inklings crates in full, and of other crates only target and level.
struct Lines(Format<Full, SystemTime>);

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let metadata = event.metadata();
        if is_ours(metadata.target()) {
            return self.0.format_event(context, writer, event);
        }
        SystemTime.format_time(&mut writer)?;
        writeln!(writer, " {:>5} {}: the library's words are not kept", metadata.level(), metadata.target())
    }
}

/// Starts logging into a writer. A filter that cannot be parsed is replaced by `info`. False if this process
/// logs already.
pub fn start<W>(words: &str, writer: W, ansi: bool) -> bool
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let wanted: Targets = words.parse().unwrap_or_else(|_| Targets::new().with_default(Level::INFO));
    let lines = tracing_subscriber::fmt::layer()
        .event_format(Lines(Format::default()))
        .with_ansi(ansi)
        .with_writer(writer)
        .with_filter(filter_fn(move |metadata| is_logged(&wanted, metadata)));
    tracing_subscriber::registry().with(lines).try_init().is_ok()
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use super::*;

    #[derive(Clone, Default)]
    struct Captured(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("not poisoned").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The log output at a level for sample events of all libraries and of Inklings crates.
    fn logged(words: &str) -> String {
        let captured = Captured::default();
        let writer = captured.clone();
        let wanted: Targets = words.parse().expect("words");
        let lines = tracing_subscriber::fmt::layer()
            .event_format(Lines(Format::default()))
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .with_filter(filter_fn(move |metadata| is_logged(&wanted, metadata)));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), || {
            let span = tracing::error_span!(target: "rmcp::service", "request", text = "canary");
            let _entered = span.enter();
            tracing::trace!(target: "rmcp::transport", "canary");
            tracing::debug!(target: "sqlx::query", statement = "canary");
            tracing::warn!(target: "inklingsy", "canary");
            tracing::error!(target: "hyper::proto", text = "canary", "canary");
            tracing::debug!(target: "inklings_mcp::server", id = 7, "ours");
            tracing::info!(target: "inklings", "of the shell");
        });
        let bytes = captured.0.lock().expect("not poisoned").clone();
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn texts_of_libraries_are_logged_at_no_level() {
        for words in ["error", "warn", "info", "debug", "trace", "rmcp=trace", "trace,hyper=trace"] {
            let log = logged(words);
            assert!(!log.contains("canary"), "{words}: {log}");
            assert!(log.contains("ERROR hyper::proto:") && log.contains("WARN inklingsy:"), "{words}: {log}");
        }
    }

    #[test]
    fn our_own_crates_log_at_the_level_that_is_asked_for() {
        for (words, debug, info) in [
            ("debug", true, true),
            ("info", false, true),
            ("error", false, false),
            ("inklings_mcp=debug,warn", true, false),
        ] {
            let log = logged(words);
            assert_eq!((log.contains("id=7"), log.contains("of the shell")), (debug, info), "{words}: {log}");
        }
    }
}
