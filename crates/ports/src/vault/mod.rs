//! The files of linked vaults, and the store of what they say.

pub mod files;
pub mod filter;
pub mod store;
