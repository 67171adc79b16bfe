//! Use cases on workspaces and their rooms.
