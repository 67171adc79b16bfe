//! Conversations as a shell sees them: thin steps from request to use case to view.

mod channels;
mod chat;
mod conversations;
mod facts;
mod import;
mod notes;
mod transcript;
mod turns;

pub use self::{chat::Chat, conversations::known, turns::Turns};
