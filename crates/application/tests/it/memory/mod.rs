//! The promises of the use cases on memory, kept on SQLite.

mod browsing;
mod embedding;
mod importing;
mod lens;
mod other_world;
mod relocate;
mod scope_filter;
mod searching;
mod writing;

use inklings_application::testing::world::everything;

use crate::support::World;
