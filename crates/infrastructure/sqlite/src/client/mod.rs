//! Clients, and their writes besides memory.

pub(crate) mod clients;
pub(crate) mod writes;
