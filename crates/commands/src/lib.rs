//! The commands that a page can call, listed in `registry.rs`.
//!
//! The list generates the functions of most commands, the permissions of the window (`src-tauri/build.rs`), the
//! TypeScript ([`functions`]) and the calls ([`call`]), which the window and `inklings dev-serve` share. The functions of
//! the others are in the files of their subjects.

mod backup;
mod client;
mod core;
#[cfg(feature = "dev-serve")]
mod dev_serve;
mod dispatch;
mod fact;
mod generated;
mod handler;
mod memory;
mod model;
mod run;
mod settings;
mod update;
mod workspace;

#[cfg(feature = "dev-serve")]
pub use self::dev_serve::DevServer;
pub use self::{
    core::{Core, open},
    dispatch::{call, names},
    generated::functions,
    handler::Json,
};

type Answer<T> = Result<T, inklings_api::error::CommandError>;
