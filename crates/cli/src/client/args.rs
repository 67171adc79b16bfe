//! What can be typed about the MCP server and its clients.

use clap::{Args, Subcommand, ValueEnum};

/// Serve memory to an agent over MCP: standard input and output, or HTTP on this machine
#[derive(Debug, Args)]
pub struct Mcp {
    /// The client whose grants hold; made if there is none of this name
    #[arg(long, default_value = "stdio", value_name = "NAME", conflicts_with = "http")]
    pub client: String,
    /// Serve any client that shows its token, over HTTP on 127.0.0.1
    #[arg(long)]
    pub http: bool,
    /// Port, or the next free one behind it
    #[arg(long, default_value_t = inklings_api::MCP_PORT, requires = "http", value_parser = clap::value_parser!(u16).range(1024..))]
    pub port: u16,
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

#[derive(Debug, Subcommand)]
pub enum ClientVerb {
    /// List clients with their grants
    List,
    /// Add a client to a workspace; shows its token this once
    Add { name: String },
    /// Grant a client more, or take grants away; shows what holds then
    Grant {
        /// Its name or id
        client: String,
        /// Grant this: `TIER:read`, `TIER:write`, `propose`, `memory_switch`, `scrub_preview` or `scrub_execute`
        #[arg(long = "allow", value_name = "GRANT")]
        allow: Vec<String>,
        /// Take this away
        #[arg(long = "deny", value_name = "GRANT")]
        deny: Vec<String>,
        /// Let it take part in this channel
        #[arg(long = "join", value_name = "CHANNEL")]
        join: Vec<String>,
        /// Let it take part in this channel no more
        #[arg(long = "leave", value_name = "CHANNEL")]
        leave: Vec<String>,
        /// Let it take part in this conversation; joining a channel opens none of its conversations
        #[arg(long, value_name = "REF")]
        join_conversation: Vec<String>,
        /// Let it take part in this conversation no more
        #[arg(long, value_name = "REF")]
        leave_conversation: Vec<String>,
    },
    /// Shut a client out
    Revoke {
        /// Its name or id
        client: String,
    },
    /// Give a client a new token, and let it in again if it was shut out; the old one is worth nothing then
    Token {
        /// Its name or id
        client: String,
    },
    /// List what a client changed, the newest first
    Changes {
        /// Its name or id
        client: String,
        /// The most changes
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Only those before this number
        #[arg(long)]
        before: Option<u32>,
    },
    /// List what a client was shown, the newest first
    Shown {
        /// Its name or id
        client: String,
        /// The most reads
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Where the page before ended
        #[arg(long)]
        after: Option<String>,
    },
    /// Take back everything a client wrote to memory
    Undo {
        /// Its name or id
        client: String,
    },
    /// What to put into other programs' configuration for this client
    Snippets {
        /// Its name or id
        client: String,
        /// Its token, to be put in
        #[arg(long)]
        token: Option<String>,
    },
}
