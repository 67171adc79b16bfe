//! Stores of MCP clients, and of what they wrote outside memory.

pub mod store;
pub mod write_store;
