//! Use cases on workspaces.

pub mod catalogue;
pub mod manage;
pub mod sample;
pub mod settings;
