//! Rows of exports and imports: their fields, their files and their store.

pub mod derivations;
pub mod fields;
pub mod file;
pub mod links;
pub mod shape;
pub mod store;
pub mod story_time;
pub mod vector;
