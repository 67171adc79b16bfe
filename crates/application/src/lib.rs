//! The use cases of Inklings and the ports they need. Knows no SQL, no window, no wire format.

pub mod channel;
pub mod conversation;
pub mod error;
pub mod memory;
pub mod ports;
pub mod session;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod workspace;
