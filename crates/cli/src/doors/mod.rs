//! How other programs and the worldbuilder's own hand reach memory from outside.

pub mod audit;
