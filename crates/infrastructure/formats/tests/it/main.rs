//! The readers on whole files: what real exports look like, and everything that can be wrong with one.

mod chatgpt;
mod claude;
mod containers;
mod malformed;
mod mutations;
mod own;
mod partly;
mod support;
mod tavern;
