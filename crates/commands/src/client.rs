//! Commands of the MCP server.

use inklings_api::client::view::{McpStatus, Snippets};

use crate::{Answer, Core};

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
