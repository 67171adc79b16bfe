//! Fakes, builders and the contract suite that every store must pass. Compiled for tests alone: no shell can
//! reach it.
//!
//! - [`clock`]: a clock that stands still and ids that can be foretold.
//! - [`builders`]: actors, drafts, entries and change sets in few words.
//! - [`memory_store`] and its neighbours: [`memory_store::InMemoryDatabase`] keeps every port of one database in
//!   plain collections; [`catalogue::InMemoryCatalogue`] is a data folder of them.
//! - [`embedder`]: a test double for the embedding model.
//! - [`places`]: a workspace with an open and a secret channel, and something in every place.
//! - [`oracle`]: filters and text queries, evaluated the slow and obvious way.
//! - [`contract`]: the promises of the ports, each a check of its own name.

pub mod audit_store;
pub mod backup_store;
pub mod builders;
pub mod catalogue;
pub mod chat;
pub mod client_store;
pub mod client_write_store;
pub mod clock;
pub mod contract;
pub mod conversation_import;
pub mod embedder;
pub mod fact_store;
mod faults;
pub mod laundering;
pub mod ledger_store;
pub mod memory_search;
pub mod memory_store;
pub mod oracle;
pub mod places;
pub mod proposal_store;
pub mod random;
pub mod room_store;
pub mod run_store;
pub mod scratchpad_store;
pub mod scrub_store;
pub mod split_store;
pub mod stranger;
mod text_sources;
pub mod transcript_search;
pub mod transcript_store;
mod transfer_rows;
mod transfer_snapshot;
pub mod transfer_store;
pub mod vector_store;
pub mod world;

#[cfg(test)]
mod fakes_keep_the_contract;
