//! Use cases on conversations: life cycle, messages, and what of them is shown to the World Agent.

pub mod compact;
pub mod context;
pub mod episodes;
pub mod import;
pub mod lifecycle;
pub mod lookup;
pub mod settings;
pub mod summarise;
pub mod title;
pub mod transcript;
