//! The crate from outside, against a real server on the loopback address: every promise for both protocols.

mod answers;
mod failures;
mod listing;
mod secrets;
mod support;
mod wire;
