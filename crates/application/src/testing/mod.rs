//! What tests of use cases, stores and shells share. Compiled for tests alone: no shell can reach it.
//!
//! - [`clock`]: a clock that stands still, ids and tokens that can be foretold.
//! - [`builders`]: actors, drafts, entries and change sets in few words.
//! - [`embedder`], [`chat`]: test doubles for the embedding model and the language model.
//! - [`world`]: a session on any store, with hands on its clock and its model.
//! - [`folder`]: where data folders lie, and copies of one that was made once.
//! - [`places`]: a workspace with an open and a secret channel, and something in every place.
//! - [`oracle`]: filters and text queries, evaluated the slow and obvious way.
//! - [`laundering`], [`stranger`]: attacks on where a text comes from, and by a file from elsewhere.

pub mod builders;
pub mod chat;
pub mod clock;
pub mod embedder;
pub mod folder;
pub mod laundering;
pub mod oracle;
pub mod places;
pub mod random;
pub mod stranger;
pub mod world;
