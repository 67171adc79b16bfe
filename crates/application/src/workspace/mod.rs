//! Use cases on workspaces and their channels and conversations.

pub mod catalogue;
pub mod manage;
pub mod sample;
pub mod settings;
