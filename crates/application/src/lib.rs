//! The use cases of Inklings and their ports. Independent of SQL, the window and wire formats.

pub mod audit;
pub mod backup;
pub mod calendar;
pub mod channel;
pub mod client;
pub mod clock;
pub mod consolidation;
pub mod conversation;
mod deadline;
pub mod drift;
pub mod error;
pub mod extraction;
pub mod fact;
pub mod lens;
pub mod memory;
pub mod model;
pub mod named_entry;
pub mod orientation;
pub mod progress;
pub mod proposal;
pub mod recall_test;
pub mod review;
pub mod rule;
pub mod schedule;
pub mod scratchpad;
pub mod scrub;
pub mod search;
pub mod services;
pub mod session;
pub mod store_error;
pub mod subject;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tools;
pub mod transfer;
pub mod workspace;
