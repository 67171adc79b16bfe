//! Test support shared by tests of use cases, stores and shells. Compiled only for tests.
//!
//! - [`world`]: a session on any store, with a controllable clock and model.
//! - [`pages`]: pages of a linked vault without files.
//! - [`places`]: a workspace with an open and a secret channel, and content in every place.
//! - [`laundering`], [`import_attack`]: attacks on text provenance, and by third-party files.

pub mod import_attack;
pub mod laundering;
pub mod pages;
pub mod places;
pub mod world;
