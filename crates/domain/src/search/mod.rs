//! Parsing of queries and ranking of results.

pub mod date;
pub mod query;
pub mod ranking;
pub mod transcript;
