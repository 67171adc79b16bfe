//! How other programs and the worldbuilder's own hand reach memory from outside.

pub mod audit;
pub mod backup;
pub mod scrub;
