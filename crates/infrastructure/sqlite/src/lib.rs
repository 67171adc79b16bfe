//! The two `agents.db` stores on SQLite: schema, entries with journal and history, rooms, settings, search.

mod backup;
mod catalogue;
mod connection;
mod convert;
mod error;
mod filter_sql;
mod layout;
mod lock;
mod migrate;
mod probe;
mod pulse;
mod read_only;
mod reading;
mod room;
mod row_numbers;
#[cfg(test)]
mod schema_tests;
pub mod search;
mod store;

pub use catalogue::SqliteCatalogue;
