//! Serves MCP without a window: one client over standard input and output, or any client over HTTP. Only the
//! protocol is written to standard output.

use std::{sync::Arc, time::Duration};

use inklings_api::{
    App, NoProgress,
    error::{CommandError, ErrorCode},
};
use rmcp::{serve_server, transport::stdio};

use crate::{ChangeNotifier, McpServer};

/// Interval of embedding new entries, if there is a model.
const EMBED_EVERY: Duration = Duration::from_secs(20);

/// Serves a named client on the open workspace, until its input ends.
///
/// # Errors
/// [`CommandError`] of code `locked` if the client was revoked, `invalid` if it is bound to another
/// workspace.
pub async fn serve(app: Arc<App>, client: &str) -> Result<(), CommandError> {
    let client_session = app.client().stdio_client(client).await?;
    let notifier = ChangeNotifier::default();
    let following = tokio::spawn(notifier.clone().follow(Arc::clone(&app), true));
    let embedding = tokio::spawn(embed(Arc::clone(&app)));
    let server = McpServer::new(Arc::clone(&app), Some(client_session.id()), notifier);
    let ended = if let Ok(running) = serve_server(server, stdio()).await {
        running.waiting().await.map(|_| ()).map_err(|error| failed(&error))
    } else {
        // A client that disconnects before initialisation is not an error. The details are not logged,
        // because they may contain client data.
        tracing::debug!("a client left before it began");
        Ok(())
    };
    following.abort();
    embedding.abort();
    client_session.flush_telemetry().await;
    ended
}

fn failed(error: &dyn std::error::Error) -> CommandError {
    CommandError::new(ErrorCode::Internal, format!("The connection failed: {error}."))
}

/// Serves any client over HTTP without a window, until it is stopped. `ready` receives the URL when the
/// server is listening.
///
/// # Errors
/// [`CommandError`] if no port is free.
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

/// Loads the model in the background and embeds new entries. Calls use the full-text index until it is
/// loaded.
async fn embed(app: Arc<App>) {
    app.model().load_model().await;
    while app.model().has_model() {
        if let Err(error) = app.model().embed_pending(&NoProgress).await {
            tracing::debug!(%error, "vectors are made later");
        }
        tokio::time::sleep(EMBED_EVERY).await;
    }
}
