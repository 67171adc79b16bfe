//! Views that several subjects show, and those that the error carries. A view of one subject alone is in its own `view.rs`.

pub mod change;
pub mod lens;
pub mod memory;
pub mod preview;
pub mod story_time;
