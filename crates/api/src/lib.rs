//! The API of Inklings for every shell: composes the adapters with the use cases and exposes typed views.
//!
//! The window's commands and the command line call the same methods of [`App`], so that both give the same
//! answers. Business rules are in `domain` and `application`.

pub mod agent_telemetry;
mod app;
pub mod audit;
pub mod background;
pub mod backup;
pub mod bench;
pub mod calendar;
pub mod channel;
pub mod client;
pub mod commands;
pub mod consolidation;
pub mod conversation;
pub mod derivation;
pub mod doctor;
mod download_control;
pub mod drift;
pub mod error;
pub mod events;
mod exports;
pub mod fact;
mod file_hash;
mod format;
pub mod layer;
pub mod lens;
pub mod logging;
pub mod memory;
pub mod model;
pub mod named_entry;
pub mod orientation;
pub mod private;
pub mod proposal;
pub mod recall_test;
mod reference;
pub mod schedule;
pub(crate) mod scratchpad;
pub mod scrub;
pub mod search;
pub mod settings;
mod state;
mod stored;
pub mod subject;
pub mod system;
pub mod telemetry;
pub mod transfer;
pub mod update;
pub mod vault;
pub mod view;
pub mod vocabulary;
pub mod wire;
pub mod workspace;

pub use app::{App, Config};
pub use events::{ChangeTopic, Event, Events, NoopEvents};
pub use inklings_application::scrub::Operator;
pub use inklings_domain::provenance::{ActorKind, Interface};
pub use inklings_ports::progress::{NoProgress, Progress};
pub use inklings_ports::update::{UpdateError, UpdateSource, VerifiedRelease};
pub use inklings_ports::workspace::catalogue::CheckFinding;
pub use inklings_ports::workspace::settings::Topic;
pub use {
    backup::BackupService,
    client::snippets::{MCP_PATH, MCP_PORT},
};
