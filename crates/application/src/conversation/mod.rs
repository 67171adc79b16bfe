//! Use cases on conversations: their life, what is said in them, what of it is shown to the World Agent.

pub mod compact;
pub mod context;
pub mod episodes;
pub mod facts;
pub mod import;
pub mod life;
pub mod scratchpad;
pub mod search;
pub mod settings;
pub mod summarise;
pub mod transcript;
pub mod turn;
pub mod working;
