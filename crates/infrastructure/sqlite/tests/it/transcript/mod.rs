//! Conversations: sequences of writes, and how fast they are.

mod rates;
mod sequences;
