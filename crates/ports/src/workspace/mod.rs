//! The data folder with its databases, settings, and notifications of changes.

pub mod catalogue;
pub mod settings;
