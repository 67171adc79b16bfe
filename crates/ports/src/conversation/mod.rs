//! Stores of conversations and messages, imports of whole conversations, and summaries.

pub mod import_store;
pub mod store;
pub mod summariser;
pub mod transcript_store;
