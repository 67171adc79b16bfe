//! Stores of entries, of vectors, and of changes that write to two databases.

pub mod split_store;
pub mod store;
pub mod vector_store;
