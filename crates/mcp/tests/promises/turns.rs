//! What the World Agent does in a turn.

use std::sync::Arc;

use inklings_application::turn::{TurnSink, stopper};
use inklings_domain::{
    conversation::message::Role,
    ids::{ConversationId, MessageId},
    provenance::{Actor, Curator, Interface},
};
use inklings_ports::{
    model::chat::ChatModel,
    testing::chat::{Play as Script, ScriptedModel},
};
use serde_json::{Value, json};

use super::{
    model::{By, Checked, EntryState, Expected, Model, Seat},
    others::{fact_was_set, target, workspace_texts},
    play::{Must, Play, markers},
};

/// Hears nothing of a turn.
struct Unheard;

impl TurnSink for Unheard {
    fn text(&self, _: MessageId, _: &str, _: usize) {}
    fn tool(&self, _: MessageId, _: &str) {}
}

/// A call of a tool by the World Agent, and what has to come of it.
struct Asked {
    tool: &'static str,
    arguments: Value,
    must: Must,
    expected: Expected,
}

/// The call of a turn, from two numbers.
fn tool_call(
    play: &mut Play,
    conversation: ConversationId,
    sees: impl Fn(Seat) -> bool,
    (b, c): (u8, u8),
) -> Asked {
    let (world, channel) = (play.here(), play.model.conversations[&conversation].channel);
    let on = play.model.on[world];
    let (key, text) = (format!("k{}", c % 3), play.text());
    let id = target(play, c, world);
    let entry = id.map(|id| play.expected_entry(id));
    let near = id.is_some_and(|id| sees(play.model.entries[&id].seat));
    let seat = id.map(|id| play.model.entries[&id].seat);
    let mut expected = Expected::nothing();
    let (tool, arguments, must) = match (b % 13, id, entry) {
        (1, Some(id), Some(entry)) => {
            let text = if seat == Some(Seat::Account) { play.preference() } else { text.clone() };
            let free = near && entry.active() && !entry.is_the_authors();
            if free {
                expected = Expected::change(id, EntryState { content: text.clone(), ..entry.clone() });
            }
            // What is the author's is proposed.
            let must = if free {
                Must::do_if(on)
            } else if near && on {
                Must::May
            } else {
                Must::Refuse
            };
            ("memory_update", json!({ "id": id.to_string(), "content": text }), must)
        }
        (2, Some(id), Some(entry)) => {
            let free = near && entry.active() && !entry.is_the_authors();
            if free {
                expected = Expected::change(id, Model::forgotten(&entry));
            }
            let must = if free {
                Must::Do
            } else if near && on {
                Must::May
            } else {
                Must::Refuse
            };
            ("memory_forget", json!({ "id": id.to_string(), "reason": "old" }), must)
        }
        (3, ..) => {
            let value = play.marker();
            let arguments = json!({ "action": "set", "category": "gate", "key": key, "value": value });
            ("fact", arguments, Must::do_if(on))
        }
        (4, ..) => {
            ("scratchpad", json!({ "action": "write", "key": "n0", "value": play.marker() }), Must::May)
        }
        (5, ..) => ("scratchpad", json!({ "action": "clear", "key": "n0" }), Must::May),
        (6, ..) => ("scratchpad", json!({ "action": "read" }), Must::May),
        (7, ..) => ("fact", json!({ "action": "get", "category": "gate" }), Must::May),
        (8, ..) => {
            ("memory_search", json!({ "query": "what stands beside the moor", "limit": 20 }), Must::Do)
        }
        (9, ..) => ("conversation", json!({ "action": "list" }), Must::Do),
        (10, ..) => {
            let other = play.conversation(c, world).unwrap_or(conversation);
            let known = &play.model.conversations[&other];
            let must = Must::do_if(known.channel == channel);
            ("conversation", json!({ "action": "read", "conversation": known.code }), must)
        }
        (11, ..) => {
            ("conversation", json!({ "action": "search", "query": "what stands beside the moor" }), Must::Do)
        }
        (12, Some(id), Some(_)) => {
            let must = if near { Must::May } else { Must::Refuse };
            ("memory_get", json!({ "id": id.to_string() }), must)
        }
        _ => {
            let (tier, seat) = [
                ("workspace", Seat::Workspace(world)),
                ("account", Seat::Account),
                ("channel", Seat::Channel(world, channel)),
                ("conversation", Seat::Conversation(world, conversation)),
            ][usize::from(c) % 4];
            let text = if tier == "account" { play.preference() } else { text.clone() };
            expected = Expected::fresh(seat, Curator::Agent, &text);
            ("memory_put", json!({ "tier": tier, "content": text }), Must::do_if(on))
        }
    };
    Asked { tool, arguments, must, expected }
}

/// One turn of the World Agent that calls one tool.
pub async fn turn(play: &mut Play, a: u8, b: u8, c: u8) -> Checked {
    let world = play.here();
    let Some(chosen) = play.conversation(a, world) else { return Ok(()) };
    let channel = play.model.conversations[&chosen].channel;
    let sees = move |seat: Seat| match seat {
        Seat::Account => true,
        Seat::Workspace(of) => of == world,
        Seat::Channel(_, id) => id == channel,
        Seat::Conversation(_, id) => id == chosen,
    };
    let Asked { tool, arguments, must, expected } = tool_call(play, chosen, sees, (b, c));
    let mut may = play.visible(sees);
    may.extend(workspace_texts(play, world, sees).await);
    if tool == "conversation" {
        // What was said in its channel.
        for (id, known) in &play.model.conversations {
            if (known.world, known.channel) == (world, channel) {
                may.extend(play.stage.messages(world, *id).await.iter().flat_map(|text| markers(text)));
            }
        }
    }
    // What it says itself.
    let own = &mut play.model.conversations.get_mut(&chosen).expect("known").asked;
    own.extend(markers(&arguments.to_string()));
    may.extend(own.iter().cloned());
    play.log(format!("  the World Agent calls {tool} {arguments} in {chosen}"));
    let script = [Script::Calls(tool, arguments.to_string()), Script::Says(vec!["So be it."])];
    let model = Arc::new(ScriptedModel::new(script));
    let asked: Arc<dyn ChatModel> = Arc::clone(&model) as Arc<dyn ChatModel>;
    let session = play.stage.session(world).await;
    let conversation = session.conversations().by_id(chosen).await.map_err(|error| error.to_string())?;
    if play.model.is_open(&chosen) {
        let asked = session.transcripts().add(&conversation, Role::User, "Go on.").await;
        asked.map_err(|error| error.to_string())?;
    }
    let (_stopper, stop) = stopper();
    let actor = Actor::of_interface(Interface::Window);
    let answered = session.turns().answer(&conversation, &asked, &stop, &Unheard, actor).await;
    if !play.model.is_open(&chosen) {
        play.judged("the World Agent", Must::Refuse, answered.map(drop))?;
        return play.settle(&By::Agent, Expected::nothing()).await.map(drop);
    }
    play.judged("the World Agent", Must::Do, answered.map(drop))?;
    let requests = model.requests();
    let shown = format!("{requests:?}");
    let leaked: Vec<String> = markers(&shown).difference(&may).cloned().collect();
    if !leaked.is_empty() {
        return Err(format!("the World Agent was shown in {chosen} what it may not see: {leaked:?}"));
    }
    let reported = last_tool_answer(play, world, chosen).await?;
    let done =
        if reported["error"].is_null() { Ok(reported.clone()) } else { Err(reported["error"].to_string()) };
    let done = play.judged(tool, must, done)?;
    if done.is_some() {
        let value = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
        match (tool, value("action").as_str()) {
            ("fact", "set") => {
                fact_was_set(
                    play,
                    world,
                    &value("key"),
                    By::Agent,
                    value("value"),
                    reported["claimed"] == true,
                )?;
            }
            ("scratchpad", "write") => {
                let note = play.model.notes.entry((chosen, "n0".into())).or_default();
                note.set(By::Agent, Some(arguments["value"].to_string()), true);
            }
            ("scratchpad", "clear") => {
                if let Some(note) = play.model.notes.get_mut(&(chosen, "n0".into())) {
                    note.set(By::Agent, None, true);
                }
            }
            _ => {}
        }
    }
    play.settle_if(done, &By::Agent, expected).await
}

/// What the last tool told the World Agent.
async fn last_tool_answer(play: &Play, world: usize, conversation: ConversationId) -> Result<Value, String> {
    let message = play.stage.messages(world, conversation).await;
    let last = message.iter().rev().find_map(|text| serde_json::from_str::<Value>(text).ok());
    last.filter(Value::is_object).ok_or_else(|| "the tool told nothing".to_owned())
}
