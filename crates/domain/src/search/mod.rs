//! How a query is read, and how what it finds is ordered.

pub mod query;
pub mod ranking;
pub mod transcript;
