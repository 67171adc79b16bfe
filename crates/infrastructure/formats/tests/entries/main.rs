//! Entries of other programs: what real files look like, round trips, and everything that can be wrong with a file.

mod corpus;
mod folders;
mod malformed;
mod mutations;
mod programs;
mod readers;
mod roundtrip;
mod wrapped;

/// Good files.
mod samples {
    pub use inklings_formats::testing::{entries::*, zip};
}
