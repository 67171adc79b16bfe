//! The promises of the ports.
