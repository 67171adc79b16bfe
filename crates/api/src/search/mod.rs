//! Views of search and their conversion.

pub mod convert;
pub mod view;
