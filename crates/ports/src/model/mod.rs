//! Language models, embedding models, and the count of the tokens that are used.

pub mod chat;
pub mod embedding;
pub mod usage;
