//! The MCP server of the window: switched on and off by the worldbuilder, and running as long as the window.

use std::sync::Arc;

use inklings_api::{
    App,
    client::view::{McpSettings, McpStatus},
    error::CommandError,
};
use tokio::sync::Mutex;

use crate::{
    ChangeNotifier,
    http::{self, Running},
};

/// Starts and stops the MCP server of a window.
pub struct McpControl {
    app: Arc<App>,
    notifier: ChangeNotifier,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: Option<Running>,
    /// Reason why it is not running although it is switched on.
    failure: Option<String>,
}

impl McpControl {
    /// Creates a stopped server.
    pub fn new(app: Arc<App>, notifier: ChangeNotifier) -> Self {
        Self { app, notifier, state: Mutex::default() }
    }

    /// Starts the server if it is switched on in the settings.
    pub async fn resume(&self) {
        match self.app.client().mcp_settings().await {
            Ok(settings) if settings.enabled => self.open(&mut *self.state.lock().await, settings.port).await,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "whether the MCP door is to be open is not known"),
        }
    }

    /// The notifier of changes for client subscriptions.
    pub fn notifier(&self) -> &ChangeNotifier {
        &self.notifier
    }

    /// Status of the server.
    ///
    /// # Errors
    /// [`CommandError`] if the settings cannot be read.
    pub async fn status(&self) -> Result<McpStatus, CommandError> {
        let settings = self.app.client().mcp_settings().await?;
        Ok(status(settings, &*self.state.lock().await))
    }

    /// Switches the server on or off, or to another port, and stores the setting. If no port is free, the
    /// status reports it.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid port.
    pub async fn set(&self, enabled: bool, port: u16) -> Result<McpStatus, CommandError> {
        let settings = McpSettings { enabled, port };
        self.app.client().set_mcp_settings(settings).await?;
        let mut state = self.state.lock().await;
        state.failure = None;
        if let Some(running) = state.running.take() {
            running.close().await;
        }
        if enabled {
            self.open(&mut state, port).await;
        }
        Ok(status(settings, &state))
    }

    async fn open(&self, state: &mut State, port: u16) {
        match http::open(Arc::clone(&self.app), self.notifier.clone(), port).await {
            Ok(running) => state.running = Some(running),
            Err(error) => {
                tracing::warn!(%error, port, "the MCP door could not be opened");
                state.failure = Some(format!("No port from {port} on could be opened: {error}."));
            }
        }
    }

    /// URL of the server, also while it is stopped.
    ///
    /// # Errors
    /// [`CommandError`] if the settings cannot be read.
    pub async fn url(&self) -> Result<String, CommandError> {
        let status = self.status().await?;
        Ok(status
            .url
            .unwrap_or_else(|| format!("http://127.0.0.1:{}{}", status.wanted_port, inklings_api::MCP_PATH)))
    }
}

fn status(settings: McpSettings, state: &State) -> McpStatus {
    let port = state.running.as_ref().map(Running::port);
    let moved = port.filter(|port| *port != settings.port);
    let message = moved
        .map(|port| format!("Port {} is taken; the door is open on {port} instead.", settings.port))
        .or_else(|| state.failure.clone());
    McpStatus {
        enabled: settings.enabled,
        running: state.running.is_some(),
        port,
        wanted_port: settings.port,
        url: state.running.as_ref().map(Running::url),
        message,
    }
}
