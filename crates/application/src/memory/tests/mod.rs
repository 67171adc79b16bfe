//! The promises of the use cases on memory, kept on the in-memory fakes.

mod browsing;
mod embedding;
mod importing;
mod reach;
mod searching;
mod writing;

use crate::testing::world::{World, everything};
