//! Views that several subjects show, and those that the error and the state of the App carry. A view of one subject alone is in its
//! own `view.rs`.

pub mod change;
pub mod chat;
pub mod journal;
pub mod lens;
pub mod memory;
pub mod model;
pub mod preview;
pub mod run;
pub mod story_time;
