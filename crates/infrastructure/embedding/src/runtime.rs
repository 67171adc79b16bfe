//! The ONNX Runtime library, loaded once per process.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use inklings_application::model::embedding::EmbedError;
use ort::environment::Environment;
use ort::logging::LogLevel;

use crate::resources::library_path;

/// The process's one environment. It is never dropped: ONNX Runtime allows a single one per process, ever.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

/// Loads the library from the resources folder, or returns the environment that already runs on it.
///
/// # Errors
/// [`EmbedError::Library`] when the file is missing, cannot be loaded, or is too old. It can be tried again.
pub(crate) fn environment(resources: &Path) -> Result<Environment, EmbedError> {
    let library = library_path(resources);
    // The `ort` crate panics when it has to look for a library itself and finds none; so look first.
    if !library.is_file() {
        return Err(EmbedError::Library(format!(
            "{} is missing (in a source tree, run scripts/setup-model.sh)",
            library.display()
        )));
    }
    let mut slot = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = &*slot {
        return Ok(environment.clone());
    }
    let environment = ort::init_from(&library)
        .map_err(|error| EmbedError::Library(error.to_string()))?
        .with_name("inklings")
        .with_telemetry(false)
        .with_logger(Arc::new(log))
        .build()
        .map_err(|error| EmbedError::Library(error.to_string()))?;
    environment.set_log_level(LogLevel::Warning);
    tracing::debug!(library = %library.display(), "ONNX Runtime loaded");
    Ok(slot.insert(environment).clone())
}

/// Sends the library's own messages to the log instead of the standard error stream.
fn log(level: LogLevel, category: &str, _id: &str, _location: &str, message: &str) {
    match level {
        LogLevel::Error | LogLevel::Fatal => tracing::error!(category, "ONNX Runtime: {message}"),
        LogLevel::Warning => tracing::debug!(category, "ONNX Runtime: {message}"),
        LogLevel::Info | LogLevel::Verbose => tracing::trace!(category, "ONNX Runtime: {message}"),
    }
}
