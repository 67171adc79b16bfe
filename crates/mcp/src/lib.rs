//! The MCP server: other agents reach memory through the same use cases as every other shell, as clients with grants.
//!
//! [`serve_stdio`] serves one client over standard input and output; [`http`] serves any client that shows its token, on this
//! machine alone. Both speak through [`server::McpServer`], which holds no rule of its own: what a client may do is decided
//! where the use cases are.

mod answer;
mod args;
mod change_notifier;
pub mod control;
pub mod http;
mod refusal;
mod resources;
mod server;
mod standalone;
mod tools;

pub use change_notifier::ChangeNotifier;
pub use control::McpControl;
pub use server::McpServer;
pub use standalone::{serve as serve_stdio, serve_http};
