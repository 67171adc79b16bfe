//! The commands that a page can call: one function each, listed once in `registry.rs`.
//!
//! From that list come the permissions of the window (`src-tauri/build.rs`), the TypeScript ([`functions`]) and the calls
//! ([`call`]), which the window and `inklings dev-serve` share.

mod backup;
mod channel;
mod chat;
mod client;
mod conversation;
mod core;
#[cfg(feature = "dev-serve")]
mod dev_serve;
mod dispatch;
mod fact;
mod memory;
mod model;
mod named;
mod orientation;
mod proposal;
mod run;
mod scratchpad;
mod scrub;
mod settings;
mod transcript;
mod transfer;
mod workspace;

#[cfg(feature = "dev-serve")]
pub use self::dev_serve::DevServer;
pub use self::{
    core::{Core, open},
    dispatch::{Json, call, names},
};

/// The answer of a command.
type Answer<T> = Result<T, inklings_api::error::CommandError>;

macro_rules! commands {
    ($($effect:ident $subject:ident :: $name:ident),* $(,)?) => {
        /// The signatures of all commands, in the order of the list; registers the types they use.
        pub fn functions(types: &mut specta::Types) -> Vec<specta::datatype::Function> {
            specta::function::collect_functions![$($subject::$name),*](types)
        }

        /// The commands, in the order of the list.
        fn handlers() -> Vec<dispatch::Handler> {
            vec![$(dispatch::handler($subject::$name)),*]
        }
    };
}
include!("registry.rs");
