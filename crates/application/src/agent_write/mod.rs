//! Writes of agents and tasks, behind the rules for what may be remembered.

pub mod access;
mod derivable;
pub mod remember;
