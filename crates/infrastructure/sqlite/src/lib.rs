//! The SQLite stores of memory and world content: schema, entries with journal and history, channels and
//! conversations, settings, search, scrubs, backups and transfer.

mod agent_telemetry;
pub mod audit;
mod calendar;
mod catalogue;
mod checksum;
pub(crate) mod client;
mod connection;
pub(crate) mod conversation;
mod derivation;
mod drift;
mod error;
pub(crate) mod fact;
pub mod functions;
mod intent;
mod layout;
pub(crate) mod lens;
pub mod memory;
mod migrate;
pub(crate) mod orientation;
pub(crate) mod proposal;
mod recall_test;
mod rows;
pub(crate) mod schedule;
#[cfg(test)]
mod schema_tests;
pub(crate) mod scratchpad;
pub(crate) mod scrub;
pub mod search;
pub(crate) mod settings;
mod split;
mod store;
mod subject;
mod token_usage;
pub(crate) mod transfer;
mod vault;
mod vector;

pub use catalogue::SqliteCatalogue;
