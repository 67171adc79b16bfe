//! How other agents, other programs and the worldbuilder's own hand reach memory from outside.

pub mod args;
pub mod audit;
pub mod backup;
pub mod client;
mod file;
pub mod mcp;
pub mod scrub;
mod transfer;
pub mod transfer_args;

pub use self::{
    file::run as file,
    transfer::{export, import},
};
