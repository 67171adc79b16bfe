//! Runs of tasks, and their leases.

pub(crate) mod leases;
pub(crate) mod runs;
