//! Searchable documents, parsing of queries, passages of texts, and ranking of results.

pub mod conversation_query;
pub mod date;
pub mod document;
pub mod passage;
pub mod people;
pub mod query;
pub mod ranking;
pub mod saved;
pub mod spelling;
pub mod time_words;
pub mod transcript;
