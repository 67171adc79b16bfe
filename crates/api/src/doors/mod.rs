//! How other programs, other agents and the worldbuilder's own hand reach memory from outside, as a shell sees it.

mod audit;
mod clients;
mod guests;
mod snippets;

pub use self::snippets::{MCP_PATH, MCP_PORT};
pub(crate) use guests::GuestSessions;
mod backup;
pub(crate) mod exports;
pub mod file;
mod foreign;
mod overview;
mod scrub;
mod transfer;

pub use backup::Keeper;
pub(crate) use backup::keep_backups;
