//! The ports: what the use cases need from the world outside. Adapters implement them; nothing here knows how.

pub mod audit_store;
pub mod backup_store;
pub mod catalogue;
pub mod chat;
pub mod client_store;
pub mod client_write_store;
pub mod clock;
pub mod conversation_import;
pub mod derivable;
pub mod embedding;
pub mod error;
pub mod fact_store;
pub mod ledger_store;
pub mod memory_search;
pub mod memory_store;
pub mod proposal_store;
pub mod room_store;
pub mod run_store;
pub mod scratchpad_store;
pub mod scrub_store;
pub mod settings;
pub mod summariser;
pub mod transcript_search;
pub mod transcript_store;
pub mod transfer_store;
pub mod vector_store;
