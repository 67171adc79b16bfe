//! Use cases on memory entries.
