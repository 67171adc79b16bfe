//! Threads: work that blocks, kept off the async executor, and background work kept out of the way.

use std::io;
use std::thread::Builder;

use inklings_application::model::embedding::EmbedError;
use tokio::sync::oneshot;

/// Runs `work` on a thread of its own and waits for it without blocking the caller's executor.
///
/// # Errors
/// Those of `work`; [`EmbedError::Inference`] when no thread could be started, or it died.
pub(crate) async fn run<T, F>(name: &str, work: F) -> Result<T, EmbedError>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, EmbedError> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    start(name, move || {
        // A caller that went away does not need the answer.
        let _ = reply.send(work());
    })?;
    answer.await.map_err(|_| EmbedError::Inference("its thread stopped unexpectedly".into()))?
}

/// Starts a named thread.
pub(crate) fn start(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), EmbedError> {
    let started: io::Result<_> = Builder::new().name(format!("inklings-{name}")).spawn(work);
    started.map(drop).map_err(|error| EmbedError::Inference(format!("no thread could be started ({error})")))
}

/// Makes the calling thread give way to every other, where the system can do that for one thread.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 10) {
        tracing::debug!(%error, "the embedding thread keeps the normal priority");
    }
}
