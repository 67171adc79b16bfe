//! The one way into Inklings for every shell: composes the adapters with the use cases, and speaks in typed views.
//!
//! [`App`] is what the window's commands and the command line's verbs call, line for line the same methods, so
//! that both give the same answers. Business rules do not live here; they are in `domain` and `application`.

mod app;
pub mod background;
pub mod bench;
pub mod bulk;
pub mod doctor;
pub mod doors;
pub mod error;
mod events;
mod import;
mod keeping;
pub mod logging;
mod memory;
mod models;
pub mod private;
pub mod reach;
mod sample;
mod scheduler;
mod settings;
pub mod system;
mod talk;
pub mod telemetry;
pub mod views;
mod workspaces;

pub use app::{App, Config};
pub use doors::{Keeper, MCP_PATH, MCP_PORT};
pub use events::{Event, Events, NoopEvents};
pub use inklings_application::memory::embed::BackfillProgress;
pub use inklings_application::ports::catalogue::CheckFinding;
pub use inklings_application::ports::settings::Topic;
pub use inklings_application::scrub::Operator;
pub use inklings_domain::provenance::{Door, Hand};
