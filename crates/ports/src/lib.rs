//! The ports of the use cases: what they ask of databases, models, files and clocks, with the types that pass
//! through them. An adapter depends on this crate and not on the use cases.

pub mod agent_telemetry;
pub mod audit;
pub mod backup;
pub mod calendar;
pub mod client;
pub mod clock;
pub mod conversation;
pub mod derivation;
pub mod drift;
pub mod fact;
pub mod lens;
pub mod memory;
pub mod model;
pub mod orientation;
pub mod progress;
pub mod proposal;
pub mod recall_test;
pub mod rule;
pub mod schedule;
pub mod scratchpad;
pub mod scrub;
pub mod search;
pub mod store_error;
pub mod subject;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod transfer;
pub mod update;
pub mod vault;
pub mod workspace;
