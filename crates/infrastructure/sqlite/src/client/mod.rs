//! Clients, and their writes besides memory.

pub(crate) mod clients;
pub(crate) mod expired_notes;
pub(crate) mod writes;
