//! Loads the ONNX Runtime library once per process.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use inklings_ports::model::embedding::EmbedError;
use ort::environment::Environment;
use ort::logging::LogLevel;

use crate::resources::library_path;

/// The environment of the process. It is never dropped, because ONNX Runtime allows only one per process.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

/// Loads the library from the resources folder, or returns the existing environment.
///
/// # Errors
/// [`EmbedError::Library`] if the file is missing, cannot be loaded, or is too old. The call can be repeated.
pub(crate) fn environment(resources: &Path) -> Result<Environment, EmbedError> {
    let library = library_path(resources);
    // The `ort` crate panics if it finds no library, so check first.
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

/// Sends the library's messages to the log instead of standard error.
fn log(level: LogLevel, category: &str, _id: &str, _location: &str, message: &str) {
    match level {
        LogLevel::Error | LogLevel::Fatal => tracing::error!(category, "ONNX Runtime: {message}"),
        LogLevel::Warning => tracing::debug!(category, "ONNX Runtime: {message}"),
        LogLevel::Info | LogLevel::Verbose => tracing::trace!(category, "ONNX Runtime: {message}"),
    }
}
