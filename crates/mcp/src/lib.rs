//! The MCP server: gives other agents access to memory through the same use cases as every other shell, as
//! clients with permissions.
//!
//! [`serve_stdio`] serves one client over standard input and output; [`http`] serves any client with a token,
//! on this machine only. Both use [`server::McpServer`], which has no rules of its own: the use cases check
//! permissions.

mod answer;
mod change_notifier;
pub mod control;
pub mod http;
mod refusal;
mod resources;
mod server;
mod standalone;
mod telemetry;
mod tools;

pub use change_notifier::ChangeNotifier;
pub use control::McpControl;
pub use server::McpServer;
pub use standalone::{serve as serve_stdio, serve_http};
