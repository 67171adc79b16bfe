//! Rules of imports.

pub mod import_source;
