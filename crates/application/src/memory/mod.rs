//! Use cases on memory entries, as methods of [`crate::session::Session`] grouped by purpose.

pub mod access;
pub mod agent_texts;
pub mod browse;
pub mod decay;
pub mod derivable;
pub mod embed;
pub mod guard_refusal;
pub mod history;
pub mod import;
mod relocate;
pub mod remember;
pub(crate) mod split;
pub mod split_store;
pub mod store;
pub mod switch;
pub mod undo;
pub mod vector_store;
pub mod write;
