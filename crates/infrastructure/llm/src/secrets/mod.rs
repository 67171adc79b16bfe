//! Where keys are kept: in the keychain of the system, and where there is none, in a file.

mod file;
mod keychain;

pub use keychain::Keychain;
