//! The embedding crate from outside, with the real model. Nothing here is faked but the hub, and nothing is
//! skipped: without the resources these tests fail and say what to run.

mod download;
mod folder;
mod hub;
mod model;
mod support;
