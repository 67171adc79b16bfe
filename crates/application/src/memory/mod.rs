//! Use cases on memory entries, as methods of [`crate::session::Session`] grouped by purpose.

pub mod agent_texts;
pub mod browse;
pub mod decay;
pub mod embed;
pub mod history;
pub mod import;
mod relocate;
pub(crate) mod split;
pub mod switch;
pub mod undo;
pub mod write;
