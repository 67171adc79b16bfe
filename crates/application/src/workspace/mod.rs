//! Use cases on workspaces and their rooms.

pub mod manage;
pub mod rooms;
pub mod sample;
