//! Commands of MCP clients and the MCP server.

use inklings_api::{
    client::view::{ClientGrants, ClientUndone, ClientView, McpStatus, NewClient, Snippets},
    view::journal::JournalPage,
};

use crate::{Answer, Core};

/// All clients by name, including revoked ones.
#[specta::specta]
pub async fn list_clients(core: Core) -> Answer<Vec<ClientView>> {
    core.app()?.client().list_clients().await
}

/// Adds a client with read access to one workspace. Its token is shown only once.
#[specta::specta]
pub async fn add_client(core: Core, name: String, workspace_id: String) -> Answer<NewClient> {
    core.app()?.client().add_client(&name, &workspace_id).await
}

/// Replaces a client's permissions, effective with its next call.
#[specta::specta]
pub async fn set_grants(core: Core, id: String, grants: ClientGrants) -> Answer<ClientView> {
    core.app()?.client().set_grants(&id, &grants).await
}

/// Replaces a client's token and re-enables the client if it was revoked.
#[specta::specta]
pub async fn renew_token(core: Core, id: String) -> Answer<NewClient> {
    core.app()?.client().renew_token(&id).await
}

/// Revokes a client, effective with its next call.
#[specta::specta]
pub async fn revoke_client(core: Core, id: String) -> Answer<ClientView> {
    core.app()?.client().revoke_client(&id).await
}

/// A page of a client's changes, newest first; they are numbered from the oldest.
#[specta::specta]
pub async fn client_changes(core: Core, id: String, before: Option<u32>, limit: u32) -> Answer<JournalPage> {
    core.app()?.client().client_changes(&id, before, limit).await
}

/// Undoes everything that a client wrote to memory.
#[specta::specta]
pub async fn undo_client(core: Core, id: String) -> Answer<ClientUndone> {
    core.app()?.client().undo_client(&id).await
}

/// Status of the MCP server.
#[specta::specta]
pub async fn mcp_status(core: Core) -> Answer<McpStatus> {
    core.mcp()?.status().await
}

/// Switches the MCP server on or off, or to another port.
#[specta::specta]
pub async fn set_mcp(core: Core, enabled: bool, port: u16) -> Answer<McpStatus> {
    core.mcp()?.set(enabled, port).await
}

/// Configuration snippets for other programs to connect as a client.
#[specta::specta]
pub async fn client_snippets(core: Core, id: String, token: Option<String>) -> Answer<Snippets> {
    let url = core.mcp()?.url().await?;
    core.app()?.client().client_snippets(&id, token.as_deref(), &url).await
}

/// True if agents and tasks may add to the memory of the workspace in use.
#[specta::specta]
pub async fn memory_enabled(core: Core) -> Answer<bool> {
    core.app()?.client().memory_enabled().await
}

/// Switches memory on or off for agents and tasks.
#[specta::specta]
pub async fn set_memory_enabled(core: Core, enabled: bool) -> Answer<bool> {
    core.app()?.client().set_memory_enabled(enabled).await
}
