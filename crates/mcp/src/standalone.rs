//! Serving without a window: one client over standard input and output, or any client over HTTP. Nothing but the protocol
//! goes to standard output.

use std::{sync::Arc, time::Duration};

use inklings_api::{
    App, BackfillProgress,
    error::{CommandError, ErrorCode},
};
use rmcp::{serve_server, transport::stdio};

use crate::{ChangeNotifier, McpServer};

/// How often what was written gets its vectors, if there is a model.
const EMBED_EVERY: Duration = Duration::from_secs(20);

struct Silent;

impl BackfillProgress for Silent {
    fn report(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        false
    }
}

/// Serves the client of a name on the workspace that is open, until its input ends.
///
/// # Errors
/// [`CommandError`] of code `locked` if the client was revoked, `invalid` if it is bound to another workspace.
pub async fn serve(app: Arc<App>, client: &str) -> Result<(), CommandError> {
    let client_session = app.stdio_client(client).await?;
    let notifier = ChangeNotifier::default();
    let following = tokio::spawn(notifier.clone().follow(Arc::clone(&app), true));
    let embedding = tokio::spawn(embed(Arc::clone(&app)));
    let server = McpServer::new(Arc::clone(&app), Some(client_session.id()), notifier);
    let ended = if let Ok(running) = serve_server(server, stdio()).await {
        running.waiting().await.map(|_| ()).map_err(|error| failed(&error))
    } else {
        // A client that goes away before it has said hello is no fault. What went wrong may hold what it sent.
        tracing::debug!("a client left before it began");
        Ok(())
    };
    following.abort();
    embedding.abort();
    ended
}

fn failed(error: &dyn std::error::Error) -> CommandError {
    CommandError::new(ErrorCode::Internal, format!("The connection failed: {error}."))
}

/// Serves any client over HTTP without a window, until it is told to stop. `ready` hears where, once the interface is open.
///
/// # Errors
/// [`CommandError`] if no port can be had.
pub async fn serve_http(
    app: Arc<App>,
    port: u16,
    ready: impl FnOnce(&str),
    stop: impl Future<Output = ()>,
) -> Result<(), CommandError> {
    let running = crate::http::open(Arc::clone(&app), ChangeNotifier::default(), port, true);
    let running = running.await.map_err(|error| failed(&error))?;
    let embedding = tokio::spawn(embed(app));
    ready(&running.url());
    stop.await;
    embedding.abort();
    running.close().await;
    Ok(())
}

/// Loads the model beside the first calls, which go by words until it is there, and gives what is written its vectors.
async fn embed(app: Arc<App>) {
    app.load_model().await;
    while app.has_model() {
        if let Err(error) = app.embed_pending(&Silent).await {
            tracing::debug!(%error, "vectors are made later");
        }
        tokio::time::sleep(EMBED_EVERY).await;
    }
}
