//! Search, as it crosses the boundary.

pub mod convert;
pub mod view;
