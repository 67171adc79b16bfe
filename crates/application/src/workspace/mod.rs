//! Use cases on workspaces and their rooms.

pub mod catalogue;
pub mod manage;
pub mod sample;
pub mod settings;
