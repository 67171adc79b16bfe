//! The rules of Inklings' memory as pure types and functions.
//!
//! Nothing here does I/O, reads a clock, draws random numbers or depends on a wire format. Every function is
//! deterministic. Times and ids are passed in as arguments.

pub mod agent_telemetry;
pub mod audit;
pub mod backup;
pub mod calendar;
pub mod channel;
pub mod client;
pub mod consolidation;
pub mod conversation;
pub mod derivation;
pub mod digest;
pub mod drift;
pub mod extraction;
pub mod fact;
pub mod forget_reason;
pub mod hidden;
pub mod ids;
mod language;
pub mod lens;
pub mod memory;
pub mod named_entry;
pub mod orientation;
pub mod proposal;
pub mod provenance;
pub mod recall_test;
pub mod schedule;
pub mod scope;
pub mod scratchpad;
pub mod scrub;
pub mod search;
pub mod subject;
pub mod text;
mod text_error;
pub mod transfer;
pub mod unspaced;
pub mod vault;
pub mod words;
pub mod workspace;
