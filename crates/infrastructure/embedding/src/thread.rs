//! Threads for blocking work and for low-priority background work, outside the async executor.

use std::io;
use std::thread::Builder;

use inklings_ports::model::embedding::EmbedError;
use tokio::sync::oneshot;

/// Runs `work` on its own thread and waits for it without blocking the caller's executor.
///
/// # Errors
/// Those of `work`; [`EmbedError::Library`] if no thread could be started, or the thread ended unexpectedly.
pub(crate) async fn run<T, F>(name: &str, work: F) -> Result<T, EmbedError>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, EmbedError> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    start(name, move || {
        // The receiver may have been dropped, and then the result is not needed.
        let _ = reply.send(work());
    })?;
    answer.await.map_err(|_| EmbedError::Library("its thread stopped unexpectedly".into()))?
}

pub(crate) fn start(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), EmbedError> {
    let started: io::Result<_> = Builder::new().name(format!("inklings-{name}")).spawn(work);
    started.map(drop).map_err(|error| EmbedError::Library(format!("no thread could be started ({error})")))
}

/// Lowers the priority of the calling thread, on systems that support it per thread.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 10) {
        tracing::debug!(%error, "the embedding thread keeps the normal priority");
    }
}
