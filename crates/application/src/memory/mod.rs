//! Use cases on memory entries: each is a method of [`crate::session::Session`], grouped by what it is for.

pub mod access;
pub mod agent_texts;
pub mod browse;
pub mod decay;
pub mod embed;
pub mod history;
pub mod import;
pub mod search;
pub(crate) mod split;
pub mod undo;
pub mod write;
