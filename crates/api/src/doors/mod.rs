//! How other programs, other agents and the worldbuilder's own hand reach memory from outside, as a shell sees it.

pub mod file;
mod foreign;
mod transfer;
