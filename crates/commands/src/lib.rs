//! The commands that a page can call: one function each, listed in `registry.rs`.
//!
//! The list generates the permissions of the window (`src-tauri/build.rs`), the TypeScript ([`functions`])
//! and the calls ([`call`]), which the window and `inklings dev-serve` share.

mod agent_telemetry;
mod backup;
mod calendar;
mod channel;
mod chat;
mod client;
mod conversation;
mod core;
#[cfg(feature = "dev-serve")]
mod dev_serve;
mod dispatch;
mod drift;
mod fact;
mod lens;
mod memory;
mod model;
mod named;
mod orientation;
mod proposal;
mod recall_test;
mod run;
mod scratchpad;
mod scrub;
mod search;
mod settings;
mod subject;
mod transcript;
mod transfer;
mod update;
mod vault;
mod workspace;

#[cfg(feature = "dev-serve")]
pub use self::dev_serve::DevServer;
pub use self::{
    core::{Core, open},
    dispatch::{Json, call, names},
};

type Answer<T> = Result<T, inklings_api::error::CommandError>;

macro_rules! commands {
    ($($effect:ident $subject:ident :: $name:ident),* $(,)?) => {
        /// The signatures of all commands in list order; registers the types that they use.
        pub fn functions(types: &mut specta::Types) -> Vec<specta::datatype::Function> {
            specta::function::collect_functions![$($subject::$name),*](types)
        }

        /// The effects and handlers of all commands in list order.
        fn handlers() -> Vec<(&'static str, dispatch::Handler)> {
            vec![$((stringify!($effect), dispatch::handler($subject::$name))),*]
        }
    };
}
include!("registry.rs");
