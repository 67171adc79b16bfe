//! The interface of the window: switched on and off by the worldbuilder, and open as long as the window is.

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

/// Opens and closes the interface inside a window.
pub struct McpControl {
    app: Arc<App>,
    notifier: ChangeNotifier,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: Option<Running>,
    /// Why it is not open although it is switched on.
    failure: Option<String>,
}

impl McpControl {
    /// A door that is closed.
    pub fn new(app: Arc<App>, notifier: ChangeNotifier) -> Self {
        Self { app, notifier, state: Mutex::default() }
    }

    /// Opens the interface if the worldbuilder had it open last.
    pub async fn resume(&self) {
        match self.app.mcp_settings().await {
            Ok(settings) if settings.enabled => self.open(&mut *self.state.lock().await, settings.port).await,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "whether the MCP door is to be open is not known"),
        }
    }

    /// Something changed that a client may be subscribed to.
    pub fn notifier(&self) -> &ChangeNotifier {
        &self.notifier
    }

    /// How it stands.
    ///
    /// # Errors
    /// [`CommandError`] if the settings cannot be read.
    pub async fn status(&self) -> Result<McpStatus, CommandError> {
        let settings = self.app.mcp_settings().await?;
        Ok(status(settings, &*self.state.lock().await))
    }

    /// Switches it on or off, or to another port; remembered for the next start.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a port that is none. That no port is free is told in the status.
    pub async fn set(&self, enabled: bool, port: u16) -> Result<McpStatus, CommandError> {
        let settings = McpSettings { enabled, port };
        self.app.set_mcp_settings(settings).await?;
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
        match http::open(Arc::clone(&self.app), self.notifier.clone(), port, false).await {
            Ok(running) => state.running = Some(running),
            Err(error) => {
                tracing::warn!(%error, port, "the MCP door could not be opened");
                state.failure = Some(format!("No port from {port} on could be opened: {error}."));
            }
        }
    }

    /// Where programs find it, or would.
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
