//! Test support shared by tests of use cases, stores and shells. Compiled only for tests.
//!
//! - [`clock`]: a stopped clock, and deterministic ids and tokens.
//! - [`builders`]: short constructors for actors, drafts, entries and change sets.
//! - [`embedder`], [`chat`]: test doubles of the embedding model and the language model.
//! - [`folder`]: locations of data folders, and copies of a prepared template.
//! - [`oracle`]: simple reference implementations of filters and text queries.
//! - [`random`]: repeatable random numbers.

pub mod builders;
pub mod chat;
pub mod clock;
pub mod embedder;
pub mod folder;
pub mod oracle;
pub mod random;
