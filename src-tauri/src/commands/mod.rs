//! The commands the page can call. Each hands its arguments to the application and its answer back.

pub mod backup;
pub mod channel;
pub mod chat;
pub mod client;
pub mod conversation;
pub mod fact;
pub mod memory;
pub mod model;
pub mod named;
pub mod orientation;
pub mod proposal;
pub mod run;
pub mod scratchpad;
pub mod scrub;
pub mod settings;
pub mod transcript;
pub mod transfer;
pub mod workspace;

use tauri::State;

use crate::state::AppState;

/// The state as commands receive it.
pub type Core<'a> = State<'a, AppState>;

/// The answer of a command.
pub type Answer<T> = Result<T, inklings_api::error::CommandError>;
