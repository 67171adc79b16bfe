//! The indexes of entries, messages and pages, and saved searches.

pub mod page_store;
pub mod saved_store;
pub mod store;
pub mod transcript_store;
