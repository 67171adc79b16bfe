//! What an [`App`](crate::App) keeps for its subjects from one command to the next.

pub(crate) mod chat;
pub(crate) mod client_sessions;
pub(crate) mod models;
pub(crate) mod run_control;
pub(crate) mod turns;
