//! How other agents, other programs and the worldbuilder's own hand reach memory from outside.

pub mod args;
pub mod audit;
pub mod client;
pub mod mcp;
