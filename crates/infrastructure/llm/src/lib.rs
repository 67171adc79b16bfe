//! Language models over HTTP, and where their keys are kept. The application's ports `ChatModels`, `ChatModel`
//! and `SecretStore` are what others see.
//!
//! Absent on purpose: traffic of its own. Requests go to the endpoint that the worldbuilder entered and nowhere
//! else, not even where that endpoint would redirect them. Nothing that was said, and no key, is in a log or an
//! error.

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
