//! How other programs, other agents and the worldbuilder's own hand reach memory from outside, as a shell sees it.

mod audit;
mod backup;
mod overview;
mod scrub;

pub use backup::Keeper;
pub(crate) use backup::keep_backups;
