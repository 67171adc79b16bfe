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
mod turn_ends;
mod turn_requests;
mod turns;
mod while_off;

use std::sync::{Arc, Mutex, PoisonError};

use inklings_application::turn::{TurnEnd, TurnSink, stopper};
use inklings_domain::{
    conversation::Conversation,
    ids::MessageId,
    provenance::{Actor, ActorKind, Interface},
};
use inklings_ports::{
    model::chat::ChatModel,
    testing::chat::{Play, ScriptedModel},
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

/// A turn of a scripted model: how it ended, the model, and what the window received.
async fn play(
    world: &World,
    conversation: &Conversation,
    plays: Vec<Play>,
) -> (TurnEnd, Arc<ScriptedModel>, String) {
    let scripted = Arc::new(ScriptedModel::new(plays));
    let model: Arc<dyn ChatModel> = scripted.clone();
    let received = StreamedText::default();
    let (_stopper, stop) = stopper();
    let end = world
        .session
        .turns()
        .answer(conversation, &model, &stop, &received, window())
        .await
        .expect("the store works");
    let text = received.0.into_inner().expect("not poisoned");
    (end, scripted, text)
}
