//! The rules of Inklings' memory as pure types and functions.
//!
//! Nothing here does I/O, reads a clock, draws randomness or knows a wire format: every function gives the
//! same answer for the same arguments. Times come in as arguments, ids come in ready-made.

pub mod account_guard;
pub mod audit;
pub mod backup;
pub mod change_set;
pub mod channel;
pub mod client;
pub mod client_write;
pub mod consolidation;
pub mod conversation;
pub mod coverage;
pub mod decay;
pub mod embedding;
pub mod episode;
pub mod fact;
pub mod filter;
pub mod forget_reason;
pub mod guard;
pub mod hidden;
pub mod ids;
pub mod import_source;
pub mod memory;
pub mod memory_switch;
pub mod message;
pub mod named_entry;
pub mod observation;
pub mod orientation;
pub mod proposal;
pub mod provenance;
pub mod query;
pub mod ranking;
mod reading;
pub mod ref_code;
pub mod run;
pub mod schedule;
pub mod scope;
pub mod scratchpad;
pub mod scrub;
pub mod shown;
pub mod similarity;
pub mod summary;
pub mod text;
pub mod text_source;
pub mod transcript;
pub mod workspace;
