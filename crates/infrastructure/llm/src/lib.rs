//! Language models over HTTP, and the storage of their keys. Implements the application's ports `ChatModels`,
//! `ChatModel` and `SecretStore`.
//!
//! The crate makes no requests of its own accord. Requests go only to the endpoint that the worldbuilder entered, and
//! redirects are not followed. Logs and errors never contain conversation text or keys.

mod address;
mod answer;
mod anthropic;
mod client;
mod events;
mod failure;
mod model;
mod openai;
mod secrets;
#[cfg(feature = "testing")]
pub mod testing;
mod wire;

pub use client::Patience;
pub use model::HttpChatModels;
pub use secrets::Keychain;
