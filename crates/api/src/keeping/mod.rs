//! Memory that keeps itself, as a shell sees it.

mod journal;
mod named;
mod orientation;
mod proposals;
mod runs;
mod tasks;

pub(crate) use journal::journal_view;
pub use runs::RunControl;
pub(crate) use runs::known_vectors;
pub(crate) use tasks::run_task;
