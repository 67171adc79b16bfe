//! Storage of keys in the system keychain, or in a file if there is no keychain.

mod file;
mod keychain;

pub use keychain::Keychain;
