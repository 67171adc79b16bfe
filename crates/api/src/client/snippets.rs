//! Configuration snippets for other programs to connect to the MCP server.

use serde_json::{Value, json};

use crate::{
    client::{
        install::Program,
        view::{Snippet, Snippets},
    },
    commands::ClientCommands,
    error::CommandError,
};

/// Default port of the MCP server, used unless another is configured or it is in use.
pub const MCP_PORT: u16 = 7862;
/// URL path of the MCP server.
pub const MCP_PATH: &str = "/mcp";
/// Placeholder for a token that is not available any more.
const NO_TOKEN: &str = "THE_TOKEN_OF_THIS_CLIENT";
/// Name of the server in configurations.
pub(super) const NAME: &str = "inklings";

impl ClientCommands<'_> {
    /// Configuration snippets for a client. Includes `token` if the caller still has it; `url` is the address
    /// of the window's MCP server.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn client_snippets(
        &self,
        id: &str,
        token: Option<&str>,
        url: &str,
    ) -> Result<Snippets, CommandError> {
        let client = self.app.clients.named(id).await?;
        // The id, because a new name must not disconnect the program.
        let workspace = self.app.workspaces.find(&client.workspace.to_string()).await?.id.to_string();
        let data_dir = self.app.data_dir.display().to_string();
        let arguments = ["mcp", "--data-dir", &data_dir, "--workspace", &workspace, "--client", &client.name];
        Ok(Snippets {
            http: over_http(url, token.unwrap_or(NO_TOKEN)),
            stdio: over_stdio(&command(), &arguments),
        })
    }
}

/// Path of the command line program: next to this one, else its name for a lookup by the system.
pub(super) fn command() -> String {
    let file = if cfg!(windows) { "inklings.exe" } else { "inklings" };
    let sibling = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join(file)));
    sibling.filter(|path| path.is_file()).map_or_else(|| NAME.to_owned(), |path| path.display().to_string())
}

/// The configuration of a program with one server.
fn snippet(program: Program, server: &Value) -> Snippet {
    let content = json!({ program.key(): { NAME: server } });
    Snippet {
        program: program.title().to_owned(),
        file: program.project_file().unwrap_or("claude_desktop_config.json").to_owned(),
        text: serde_json::to_string_pretty(&content).unwrap_or_default(),
    }
}

fn over_http(url: &str, token: &str) -> Vec<Snippet> {
    let bearer = format!("Bearer {token}");
    let server = |program: Program| match program {
        // This client only starts processes, so `mcp-remote` forwards to the server. The header is read from
        // the environment because some systems split arguments at spaces.
        Program::ClaudeDesktop => json!({
            "command": "npx",
            "args": ["-y", "mcp-remote", url, "--allow-http", "--header", "Authorization:${INKLINGS_BEARER}"],
            "env": { "INKLINGS_BEARER": bearer },
        }),
        program if program.names_transport() => {
            json!({ "type": "http", "url": url, "headers": { "Authorization": bearer } })
        }
        _ => json!({ "url": url, "headers": { "Authorization": bearer } }),
    };
    Program::ALL.iter().map(|program| snippet(*program, &server(*program))).collect()
}

fn over_stdio(command: &str, arguments: &[&str]) -> Vec<Snippet> {
    Program::ALL.iter().map(|program| snippet(*program, &program.entry(command, arguments))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_snippet_is_json_for_its_program_and_carries_what_it_needs() {
        let http = over_http("http://127.0.0.1:7862/mcp", "abc");
        let stdio = over_stdio("inklings", &["mcp", "--client", "A \"quoted\" name"]);
        let programs = ["Claude Desktop", "Claude Code", "Cursor", "VS Code"];
        for list in [&http, &stdio] {
            assert_eq!(list.iter().map(|s| s.program.as_str()).collect::<Vec<_>>(), programs);
            for snippet in list {
                let read: Value = serde_json::from_str(&snippet.text).expect("it is JSON");
                let key = if snippet.program == "VS Code" { "servers" } else { "mcpServers" };
                assert!(read[key][NAME].is_object(), "{}", snippet.program);
            }
        }
        assert!(http.iter().all(|s| s.text.contains("Bearer abc") && s.text.contains(":7862/mcp")));
        assert!(stdio.iter().all(|s| s.text.contains("A \\\"quoted\\\" name")));
    }
}
