//! The MCP door: other agents reach memory through the same use cases as every other shell, as clients with grants.
//!
//! [`serve_stdio`] serves one client over standard input and output; [`http`] serves any client that shows its token, on this
//! machine alone. Both speak through [`server::McpServer`], which holds no rule of its own: what a client may do is decided
//! where the use cases are.

mod alone;
mod answer;
mod args;
pub mod control;
pub mod http;
mod news;
mod refusal;
mod resources;
mod server;
mod tools;

pub use alone::{serve as serve_stdio, serve_http};
pub use control::McpControl;
pub use news::News;
pub use server::McpServer;
