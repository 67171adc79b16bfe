//! Serves MCP without a window: one client over standard input and output, or any client over HTTP. Only the
//! protocol is written to standard output. The background work is that of a window, under the same leases.

use std::sync::Arc;

use inklings_api::{
    App,
    background::Background,
    error::{CommandError, ErrorCode},
};
use rmcp::{serve_server, transport::stdio};

use crate::{ChangeNotifier, McpServer};

/// Serves a named client on the open workspace, until its input ends.
///
/// # Errors
/// [`CommandError`] of code `locked` if the client was revoked, `invalid` if it is bound to another
/// workspace.
pub async fn serve(app: Arc<App>, client: &str) -> Result<(), CommandError> {
    let client_session = app.client().stdio_client(client).await?;
    let notifier = ChangeNotifier::default();
    Background::start(Arc::clone(&app), Arc::new(notifier.clone()));
    let server = McpServer::new(app, Some(client_session.id()), notifier);
    if let Ok(running) = Box::pin(serve_server(server, stdio())).await {
        running.waiting().await.map(|_| ()).map_err(|error| failed(&error))
    } else {
        // A client that disconnects before initialisation is not an error. The details are not logged,
        // because they may contain client data.
        tracing::debug!("a client left before it began");
        Ok(())
    }
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
    let notifier = ChangeNotifier::default();
    let running = crate::http::open(Arc::clone(&app), notifier.clone(), port).await;
    let running = running.map_err(|error| failed(&error))?;
    Background::start(Arc::clone(&app), Arc::new(notifier));
    ready(&running.url());
    stop.await;
    running.close().await;
    app.client().flush_telemetry().await;
    Ok(())
}
