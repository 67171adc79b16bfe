//! `inklings mcp`, `client`

pub mod args;
pub mod client;
pub mod mcp;
