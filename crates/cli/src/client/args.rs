//! Arguments of `inklings mcp` and `inklings client`.

use std::path::PathBuf;

use crate::shared_args::LensArgs;
use clap::{Args, Subcommand, ValueEnum};
use inklings_api::client::install::Program;

/// Serve memory to an agent over MCP: on standard input and output, or HTTP on this machine
#[derive(Debug, Args)]
pub struct Mcp {
    #[command(subcommand)]
    pub verb: Option<McpVerb>,
    /// Client whose permissions apply; created if it does not exist
    #[arg(long, default_value = "stdio", value_name = "NAME", conflicts_with = "http")]
    pub client: String,
    /// Serve any client with a token, over HTTP on 127.0.0.1
    #[arg(long)]
    pub http: bool,
    /// Port, or the next free one above it
    #[arg(long, default_value_t = inklings_api::MCP_PORT, requires = "http", value_parser = clap::value_parser!(u16).range(1024..))]
    pub port: u16,
}

#[derive(Debug, Subcommand)]
pub enum McpVerb {
    /// Add this server to the configuration of another program, after showing the change
    ///
    /// A copy of the old file is kept beside it. The program reads its configuration when it starts.
    Install {
        /// The program
        program: ProgramWord,
        /// Name of the client whose permissions apply; added if it does not exist [default: the program's name]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// Configure the project in this folder instead of the user
        #[arg(long, value_name = "DIR")]
        project: Option<PathBuf>,
        /// Write without asking
        #[arg(long)]
        yes: bool,
        /// Only show the change
        #[arg(long, conflicts_with = "yes")]
        dry_run: bool,
    },
}

/// A program that can start MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgramWord {
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    #[value(name = "vscode", alias = "vs-code")]
    VsCode,
}

impl From<ProgramWord> for Program {
    fn from(word: ProgramWord) -> Self {
        match word {
            ProgramWord::ClaudeDesktop => Self::ClaudeDesktop,
            ProgramWord::ClaudeCode => Self::ClaudeCode,
            ProgramWord::Cursor => Self::Cursor,
            ProgramWord::VsCode => Self::VsCode,
        }
    }
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

#[derive(Debug, Args)]
pub struct Grant {
    /// Name or id
    pub client: String,
    /// Permission to grant: `TIER:read`, `TIER:write`, `propose`, `memory_switch`, `scrub_preview`,
    /// `scrub_execute`, `agent_telemetry` or `read_pages`
    #[arg(long = "allow", value_name = "GRANT")]
    pub allow: Vec<String>,
    /// Permission to remove
    #[arg(long = "deny", value_name = "GRANT")]
    pub deny: Vec<String>,
    /// Give access to this channel
    #[arg(long = "join", value_name = "CHANNEL")]
    pub join: Vec<String>,
    /// Remove access to this channel
    #[arg(long = "leave", value_name = "CHANNEL")]
    pub leave: Vec<String>,
    /// Give access to this conversation; access to a channel does not include its conversations
    #[arg(long, value_name = "REF")]
    pub join_conversation: Vec<String>,
    /// Remove access to this conversation
    #[arg(long, value_name = "REF")]
    pub leave_conversation: Vec<String>,
    #[command(flatten)]
    pub lens: LensArgs,
    /// Show everything that the permissions allow again
    #[arg(long, conflicts_with_all = ["knower", "at"])]
    pub no_lens: bool,
}

#[derive(Debug, Subcommand)]
pub enum ClientVerb {
    /// List clients with their permissions
    List,
    /// Add a client to a workspace; shows its token only once
    Add { name: String },
    /// Change a client's permissions; shows the new permissions
    Grant(Grant),
    /// Revoke a client
    Revoke {
        /// Name or id
        client: String,
    },
    /// Replace a client's token, which invalidates the old one, and re-enable a revoked client
    Token {
        /// Name or id
        client: String,
    },
    /// List a client's changes, newest first
    Changes {
        /// Name or id
        client: String,
        /// Maximum number of changes
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
        /// Only changes before this number
        #[arg(long)]
        before: Option<u32>,
    },
    /// List the recorded reads of a client, newest first
    Shown {
        /// Name or id
        client: String,
        /// Maximum number of reads
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
        /// Cursor that the previous page ended with
        #[arg(long)]
        after: Option<String>,
    },
    /// Undo everything that a client wrote to memory
    Undo {
        /// Name or id
        client: String,
    },
    /// Print configuration snippets of other programs for this client
    Snippets {
        /// Name or id
        client: String,
        /// Token to insert
        #[arg(long)]
        token: Option<String>,
    },
}
