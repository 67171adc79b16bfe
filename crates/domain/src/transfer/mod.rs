//! Rules for imports.

pub mod import_source;
