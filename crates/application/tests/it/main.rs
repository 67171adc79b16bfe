//! Use cases, on SQLite in a temporary folder.

mod backup;
mod calendar;
mod client;
mod consolidation;
mod conversation;
mod documents;
mod drift;
mod extraction;
mod fact;
mod fact_lens;
mod memory;
mod memory_switch;
mod named_entry;
mod orientation;
mod proposal;
mod recall_test;
mod remember;
mod round_trips;
mod schedule;
mod scrub;
mod subject;
mod support;
mod tools;
mod transfer;
mod transfer_links;
mod why;
