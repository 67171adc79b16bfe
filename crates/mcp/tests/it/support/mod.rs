//! A client in the same process.

use std::sync::Arc;

use inklings_api::{App, Config, Interface, client::view::ClientGrants};
use inklings_mcp::{ChangeNotifier, McpServer};
use rmcp::{
    ClientHandler, RoleClient,
    model::{CallToolRequestParams, CallToolResult},
    serve_server,
    service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle},
};
use serde_json::Value;
use tempfile::TempDir;

pub type Connected = RunningService<RoleClient, ()>;

/// A data folder with a workspace and a client of it.
pub struct Stage {
    pub app: Arc<App>,
    pub client: String,
    /// The client's token.
    pub token: String,
    pub notifier: ChangeNotifier,
    _folder: TempDir,
}

impl Stage {
    pub async fn set() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config =
            Config { data_dir: folder.path().to_owned(), resources: None, interface: Interface::Window };
        let app = Arc::new(App::open(config).await.expect("the folder opens"));
        let workspace = app.workspace().create_workspace("Aldmoor").await.expect("a workspace");
        app.workspace().switch_workspace(&workspace.id).await.expect("it opens");
        let made = app.client().add_client("Editor", &workspace.id).await.expect("a client");
        Self {
            app,
            client: made.client.id,
            token: made.token,
            notifier: ChangeNotifier::default(),
            _folder: folder,
        }
    }

    /// The token of another client of the same workspace.
    pub async fn another_client(&self) -> String {
        let workspace = self.app.session().expect("a workspace is open").workspace.workspace.id;
        self.app.client().add_client("Another", &workspace.to_string()).await.expect("a client").token
    }

    pub async fn connect(&self, lifecycle: ClientLifecycleMode) -> Connected {
        self.connect_as((), lifecycle).await
    }

    /// Connects a client that handles notifications.
    pub async fn connect_as<H: ClientHandler>(
        &self,
        handler: H,
        lifecycle: ClientLifecycleMode,
    ) -> RunningService<RoleClient, H> {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let id = self.client.parse().expect("a client's id");
        let server = McpServer::new(Arc::clone(&self.app), Some(id), self.notifier.clone());
        tokio::spawn(async move {
            let running = serve_server(server, ours).await.expect("served");
            let _ = running.waiting().await;
        });
        serve_client_with_lifecycle(handler, theirs, lifecycle).await.expect("connected")
    }

    pub async fn grant(&self, grants: &ClientGrants) {
        self.app.client().set_grants(&self.client, grants).await.expect("granted");
    }
}

/// Calls a tool.
pub async fn call(client: &Connected, name: &str, arguments: Value) -> CallToolResult {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let request = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
    client.call_tool(request).await.expect("the tool answers")
}
