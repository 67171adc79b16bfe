//! The use cases of Inklings and the ports they need. Knows no SQL, no window, no wire format.

pub mod audit;
pub mod backup;
pub mod capture;
pub mod channel;
pub mod client;
pub mod consolidate;
pub mod conversation;
mod deadline;
pub mod error;
pub mod memory;
pub mod named;
pub mod orient;
pub mod persist;
pub mod ports;
pub mod proposal;
pub mod remember;
pub mod schedule;
pub mod scrub;
pub mod session;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod transfer;
pub mod workspace;
