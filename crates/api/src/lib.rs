//! The one way into Inklings for every shell: composes the adapters with the use cases, and speaks in typed views.
//!
//! [`App`] is what the window's commands and the command line's verbs call, line for line the same methods, so
//! that both give the same answers. Business rules do not live here; they are in `domain` and `application`.

mod app;
pub(crate) mod audit;
pub mod background;
pub(crate) mod backup;
pub mod bench;
pub(crate) mod channel;
pub(crate) mod client;
pub(crate) mod consolidation;
pub(crate) mod conversation;
pub mod doctor;
pub mod error;
mod events;
pub(crate) mod fact;
pub mod logging;
mod memory;
mod model;
pub(crate) mod named_entry;
pub(crate) mod orientation;
pub mod private;
pub(crate) mod proposal;
mod schedule;
pub(crate) mod scratchpad;
pub(crate) mod scrub;
pub mod search;
mod settings;
pub mod system;
pub mod telemetry;
pub(crate) mod transfer;
pub mod vocabulary;
pub mod wire;
mod workspace;

pub use app::{App, Config};
pub use events::{Event, Events, NoopEvents};
pub use inklings_application::memory::embed::BackfillProgress;
pub use inklings_application::scrub::Operator;
pub use inklings_application::workspace::catalogue::CheckFinding;
pub use inklings_application::workspace::settings::Topic;
pub use inklings_domain::provenance::{ActorKind, Interface};
pub use {
    backup::BackupService,
    client::snippets::{MCP_PATH, MCP_PORT},
};
