//! The promises of the use cases on conversations, kept on SQLite.

mod attachments;
mod branches;
mod compacting;
mod derivable;
mod earlier;
mod import;
mod living;
mod scope_filter;
mod titles;
mod turns;
mod while_off;

use std::sync::{Mutex, PoisonError};

use inklings_application::turn::TurnSink;
use inklings_domain::{
    ids::MessageId,
    provenance::{Actor, ActorKind, Interface},
};

use crate::support::World;

/// Keeps what it hears.
#[derive(Debug, Default)]
struct StreamedText(Mutex<String>);

impl TurnSink for StreamedText {
    fn text(&self, _message: MessageId, piece: &str, _length: usize) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(piece);
    }

    fn tool(&self, _message: MessageId, name: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(["<", name, ">"]);
    }
}

fn window() -> Actor {
    Actor::of_interface(Interface::Window)
}

fn agent() -> Actor {
    Actor::new(ActorKind::Agent, Interface::Window, None).expect("the window admits the agent")
}
