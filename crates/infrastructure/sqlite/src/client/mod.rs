//! Clients, and what they write besides memory.

pub(crate) mod clients;
pub(crate) mod writes;
