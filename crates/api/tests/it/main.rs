//! What a shell is promised, kept by the real adapters.

mod books;
mod broken_files;
mod clients;
mod conflicts;
mod conversations;
mod corpus;
mod cross_format;
mod graph;
mod hidden;
mod knowers;
mod memory_off;
mod other_workspace;
mod own_model;
mod passages;
mod recall_tests;
mod round_trips;
mod same_names;
mod sample;
mod saved_searches;
mod support;
mod titles;
mod vaults;
mod what_comes_in;
