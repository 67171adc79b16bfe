//! Test support shared by tests of use cases, stores and shells. Compiled only for tests.
//!
//! - [`clock`]: a stopped clock, and deterministic ids and tokens.
//! - [`builders`]: short constructors for actors, drafts, entries and change sets.
//! - [`embedder`], [`chat`]: test doubles of the embedding model and the language model.
//! - [`world`]: a session on any store, with a controllable clock and model.
//! - [`folder`]: locations of data folders, and copies of a prepared template.
//! - [`pages`]: pages of a linked vault without files.
//! - [`places`]: a workspace with an open and a secret channel, and content in every place.
//! - [`oracle`]: simple reference implementations of filters and text queries.
//! - [`laundering`], [`import_attack`]: attacks on text provenance, and by third-party files.

pub mod builders;
pub mod chat;
pub mod clock;
pub mod embedder;
pub mod folder;
pub mod import_attack;
pub mod laundering;
pub mod oracle;
pub mod pages;
pub mod places;
pub mod random;
pub mod world;
