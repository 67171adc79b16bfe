//! Ports of the language and embedding models.

pub mod chat;
pub mod embedding;
