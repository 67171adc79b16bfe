//! What clients, the World Agent and tasks do.

use std::sync::Arc;

use inklings_api::NoopEvents;
use inklings_application::schedule;
use inklings_domain::{
    ids::{ConversationId, MemoryId},
    provenance::Curator,
};
use rmcp::model::CallToolResult;
use serde_json::{Value, json};

use super::{
    clients, conversations,
    model::{By, Checked, Client, EntryState, Expected, Model, Seat, Verb},
    play::{Must, Play, markers},
};

/// The arguments that name a place.
fn at(play: &Play, seat: Seat) -> Value {
    match seat {
        Seat::Account => json!({ "tier": "account" }),
        Seat::Workspace(_) => json!({ "tier": "workspace" }),
        Seat::Channel(_, id) => json!({ "tier": "channel", "channel": id.to_string() }),
        Seat::Conversation(_, id) => {
            let code = play
                .model
                .conversations
                .get(&id)
                .map_or("zzzzzzzzzz", |conversation| conversation.code.as_str());
            json!({ "tier": "conversation", "conversation": code })
        }
    }
}

fn with(mut arguments: Value, more: &Value) -> Value {
    let (Value::Object(all), Value::Object(more)) = (&mut arguments, more) else { panic!("objects") };
    all.extend(more.clone());
    arguments
}

/// A room that takes things in as usual.
fn ordinary(play: &Play, seat: Seat) -> bool {
    match seat {
        Seat::Account | Seat::Workspace(_) => true,
        Seat::Channel(_, id) => !play.model.archived.contains(&id),
        Seat::Conversation(_, id) => {
            let channel = play.model.conversations.get(&id).map(|conversation| conversation.channel);
            play.model.is_open(&id) && channel.is_some_and(|id| !play.model.archived.contains(&id))
        }
    }
}

struct Calling {
    n: usize,
    client: Client,
}

impl Play {
    fn calling(&mut self, n: u8) -> Calling {
        let n = usize::from(n) % self.model.clients.len();
        Calling { n, client: self.model.clients[n].clone() }
    }

    async fn ask(&mut self, who: &Calling, tool: &'static str, arguments: Value) -> CallToolResult {
        let asked = arguments.to_string();
        let answer = self.stage.call(who.n, &who.client, tool, arguments).await;
        let refused = answer.is_error == Some(true);
        self.log(format!(
            "  client {} calls {tool} {asked}{}",
            who.n,
            if refused { ": refused" } else { "" }
        ));
        answer
    }

    /// Calls a tool and holds the answer against what it had to be.
    async fn calls(
        &mut self,
        who: &Calling,
        tool: &'static str,
        must: Must,
        arguments: Value,
    ) -> Result<Option<Value>, String> {
        let answer = self.ask(who, tool, arguments).await;
        let reported = answer.structured_content.clone().unwrap_or(Value::Null);
        if reported["error"]["code"] == "internal" {
            return Err(format!("'{tool}' failed: {reported}"));
        }
        let answer =
            if answer.is_error == Some(true) { Err(reported["error"].to_string()) } else { Ok(reported) };
        self.judged(tool, must, answer)
    }
}

pub async fn put(play: &mut Play, a: u8, b: u8) -> Checked {
    let who = play.calling(a);
    let seat = play.seat(b, who.client.world);
    let text = if seat == Seat::Account { play.preference() } else { play.text() };
    let allowed = who.client.may(Verb::Write, seat) && play.model.on[who.client.world];
    let must = if allowed && !ordinary(play, seat) { Must::May } else { Must::do_if(allowed) };
    let arguments = with(at(play, seat), &json!({ "content": text }));
    let done = play.calls(&who, "memory_put", must, arguments).await?;
    let expected =
        if done.is_some() { Expected::fresh(seat, Curator::Agent, &text) } else { Expected::nothing() };
    play.settle_in(who.client.world, &By::Client(who.n), expected).await.map(drop)
}

/// Memory is off, and a client that may write everywhere tries every tier. The account has no switch of its own, so its own
/// database would let the write in.
pub async fn put_while_off(play: &mut Play, a: u8) -> Checked {
    let here = play.here();
    let ours = (0..play.model.clients.len()).map(|n| (n + usize::from(a)) % play.model.clients.len());
    let Some(n) = ours.into_iter().find(|n| play.model.clients[*n].world == here) else { return Ok(()) };
    let n = u8::try_from(n).expect("few clients");
    clients::grant(play, n, u8::MAX, u8::MAX).await?;
    conversations::switch_memory(play, false).await?;
    for seat in 0..4 {
        put(play, n, seat).await?;
    }
    conversations::switch_memory(play, true).await
}

/// An entry to be changed: mostly one of an agent that can be changed, sometimes any.
pub fn target(play: &Play, n: u8, world: usize) -> Option<MemoryId> {
    let near = |seat: Seat| seat.world().is_none_or(|of| of == world);
    let fit =
        play.pick(n / 3, |known| near(known.seat) && known.state.active() && !known.state.is_the_authors());
    if !n.is_multiple_of(3) && fit.is_some() { fit } else { play.pick(n / 3, |_| true) }
}

pub async fn update(play: &mut Play, a: u8, b: u8) -> Checked {
    let who = play.calling(a);
    let Some(id) = target(play, b, who.client.world) else { return Ok(()) };
    let (entry, seat) = (play.expected_entry(id), play.model.entries[&id].seat);
    let text = if seat == Seat::Account { play.preference() } else { play.text() };
    let allowed = who.client.may(Verb::Write, seat)
        && play.model.on[who.client.world]
        && entry.active()
        && !entry.is_the_authors();
    let must = if allowed && !ordinary(play, seat) { Must::May } else { Must::do_if(allowed) };
    let arguments = json!({ "id": id.to_string(), "content": text });
    let done = play.calls(&who, "memory_update", must, arguments).await?;
    let after = EntryState { content: text, ..entry };
    let expected = if done.is_some() { Expected::change(id, after) } else { Expected::nothing() };
    play.settle_in(who.client.world, &By::Client(who.n), expected).await.map(drop)
}

pub async fn forget(play: &mut Play, a: u8, b: u8) -> Checked {
    let who = play.calling(a);
    let Some(id) = target(play, b, who.client.world) else { return Ok(()) };
    let (entry, seat) = (play.expected_entry(id), play.model.entries[&id].seat);
    let allowed = who.client.may(Verb::Write, seat) && entry.active() && !entry.is_the_authors();
    let must = if allowed && !ordinary(play, seat) { Must::May } else { Must::do_if(allowed) };
    let arguments = json!({ "id": id.to_string(), "reason": "old" });
    let done = play.calls(&who, "memory_forget", must, arguments).await?;
    let expected =
        if done.is_some() { Expected::change(id, Model::forgotten(&entry)) } else { Expected::nothing() };
    play.settle_in(who.client.world, &By::Client(who.n), expected).await.map(drop)
}

pub async fn propose(play: &mut Play, a: u8, b: u8) -> Checked {
    let who = play.calling(a);
    let Some(id) = play.pick(b / 2, |_| true) else { return Ok(()) };
    let (entry, seat) = (play.expected_entry(id), play.model.entries[&id].seat);
    let allowed = who.client.grants.propose
        && who.client.may(Verb::Read, seat)
        && play.model.on[who.client.world]
        && entry.active();
    let text = if seat == Seat::Account { play.preference() } else { play.text() };
    let arguments = if b.is_multiple_of(2) {
        json!({ "kind": "retire", "ids": [id.to_string()], "reason": "old" })
    } else {
        json!({ "kind": "edit", "ids": [id.to_string()], "reason": "wrong", "content": text })
    };
    let must = if allowed { Must::May } else { Must::Refuse };
    play.calls(&who, "proposal_create", must, arguments).await?;
    play.settle_in(who.client.world, &By::Client(who.n), Expected::nothing()).await.map(drop)
}

pub async fn set_fact(play: &mut Play, a: u8, b: u8) -> Checked {
    let who = play.calling(a);
    let world = who.client.world;
    let (key, value) = (format!("k{}", b % 3), play.marker());
    let allowed = who.client.may(Verb::Write, Seat::Workspace(world)) && play.model.on[world];
    let arguments = json!({ "action": "set", "category": "gate", "key": key, "value": value });
    let done = play.calls(&who, "fact", Must::do_if(allowed), arguments).await?;
    if let Some(reported) = done {
        fact_was_set(play, world, &key, By::Client(who.n), value, reported["claimed"] == true)?;
    }
    Ok(())
}

pub fn fact_was_set(
    play: &mut Play,
    world: usize,
    key: &str,
    by: By,
    value: String,
    claimed: bool,
) -> Checked {
    let slot = play.model.facts.entry((world, format!("gate/{key}"))).or_default();
    if slot.value.is_some() && slot.authors != claimed {
        return Err(format!("the fact {key} is the author's: {}; kept as a claim: {claimed}", slot.authors));
    }
    if !claimed {
        slot.set(by, Some(value), false);
    }
    Ok(())
}

pub async fn append(play: &mut Play, a: u8, b: u8) -> Checked {
    let who = play.calling(a);
    let Some(conversation) = play.conversation(b, who.client.world) else { return Ok(()) };
    let allowed = who.client.may(Verb::Write, Seat::Conversation(who.client.world, conversation))
        && play.model.is_open(&conversation);
    let (text, code) = (play.text(), play.model.conversations[&conversation].code.clone());
    let arguments = json!({ "action": "append", "conversation": code, "text": text });
    let done = play.calls(&who, "conversation", Must::do_if(allowed), arguments).await?;
    if done.is_some() {
        play.model.conversations.get_mut(&conversation).expect("known").texts.push((text, Some(who.n)));
    }
    Ok(())
}

pub async fn note(play: &mut Play, a: u8, b: u8) -> Checked {
    let who = play.calling(a);
    let Some(conversation) = play.conversation(b / 2, who.client.world) else { return Ok(()) };
    let allowed = who.client.may(Verb::Write, Seat::Conversation(who.client.world, conversation));
    let must = if allowed && !play.model.is_open(&conversation) { Must::May } else { Must::do_if(allowed) };
    let (key, code) = (format!("n{}", b % 2), play.model.conversations[&conversation].code.clone());
    let slot = (conversation, key.clone());
    if b % 5 == 4 {
        let arguments = json!({ "action": "clear", "conversation": code, "key": key });
        if play.calls(&who, "scratchpad", must, arguments).await?.is_some()
            && let Some(slot) = play.model.notes.get_mut(&slot)
        {
            slot.set(By::Client(who.n), None, true);
        }
    } else {
        let value = play.marker();
        let arguments = json!({ "action": "write", "conversation": code, "key": key, "value": value });
        if play.calls(&who, "scratchpad", must, arguments).await?.is_some() {
            let value = Some(format!("\"{value}\""));
            play.model.notes.entry(slot).or_default().set(By::Client(who.n), value, true);
        }
    }
    Ok(())
}

pub async fn switch(play: &mut Play, a: u8, on: bool) -> Checked {
    let who = play.calling(a);
    let must = Must::do_if(who.client.grants.switch && !who.client.revoked);
    if play.calls(&who, "memory_switch", must, json!({ "enabled": on })).await?.is_some() {
        play.model.switch(who.client.world, By::Client(who.n), on);
    }
    Ok(())
}

/// What stands in the answers of every reading tool, for a client.
pub async fn look(play: &mut Play, a: u8) -> Checked {
    let reported = play.log.len();
    shown_only_what_it_may_see(play, a).await?;
    play.log.truncate(reported);
    Ok(())
}

async fn shown_only_what_it_may_see(play: &mut Play, a: u8) -> Checked {
    let who = play.calling(a);
    let (world, client) = (who.client.world, who.client.clone());
    let mut seats = vec![Seat::Account, Seat::Workspace(world)];
    let model = &play.model;
    seats.extend(
        model.channels.iter().filter(|(_, (of, _))| *of == world).map(|(id, _)| Seat::Channel(world, *id)),
    );
    let conversations: Vec<ConversationId> = model
        .conversations
        .iter()
        .filter(|(_, conversation)| conversation.world == world)
        .map(|(id, _)| *id)
        .collect();
    seats.extend(conversations.iter().map(|id| Seat::Conversation(world, *id)));
    let names: Vec<String> = model.entries.values().filter_map(|known| known.state.name.clone()).collect();
    let query = format!("what stands beside the moor {}", names.join(" "));
    let mut reported = String::new();
    for seat in seats {
        let must = Must::do_if(client.may(Verb::Read, seat));
        for query in ["", &query] {
            let arguments = with(at(play, seat), &json!({ "query": query, "limit": 50 }));
            let answer = play.calls(&who, "memory_search", must, arguments).await?;
            let Some(answer) = answer else { continue };
            reported.push_str(&answer.to_string());
            if query.is_empty() {
                finds_all(play, seat, &answer)?;
            }
        }
    }
    for conversation in &conversations {
        let must = Must::do_if(client.may(Verb::Read, Seat::Conversation(world, *conversation)));
        let code = play.model.conversations[conversation].code.clone();
        for tool in ["conversation", "scratchpad"] {
            let arguments = json!({ "action": "read", "conversation": code });
            let answer = play.calls(&who, tool, must, arguments).await?;
            reported.push_str(&answer.unwrap_or_default().to_string());
        }
    }
    let must = Must::do_if(client.may(Verb::Read, Seat::Workspace(world)));
    let facts = play.calls(&who, "fact", must, json!({ "action": "get", "category": "gate" })).await?;
    reported.push_str(&facts.unwrap_or_default().to_string());
    for (tool, arguments) in [
        ("orient", json!({ "query": query, "budget": 32_000 })),
        ("memory_get", json!({})),
        ("memory_search", json!({ "query": query, "limit": 50 })),
        ("conversation", json!({ "action": "list" })),
        ("conversation", json!({ "action": "search", "query": query, "limit": 50 })),
    ] {
        let answer = play.calls(&who, tool, Must::May, arguments).await?;
        reported.push_str(&answer.unwrap_or_default().to_string());
    }
    for name in &names {
        let answer = play.calls(&who, "memory_get", Must::May, json!({ "name": name })).await?;
        reported.push_str(&answer.unwrap_or_default().to_string());
    }
    let ids: Vec<MemoryId> = play.model.entries.keys().copied().collect();
    for id in ids {
        let seat = play.model.entries[&id].seat;
        let must = Must::do_if(client.may(Verb::Read, seat));
        let arguments = json!({ "id": id.to_string(), "history": true });
        let answer = play.calls(&who, "memory_get", must, arguments).await?;
        // Earlier texts of what it may read are its to read.
        drop(answer);
        let read = play.stage.resource(who.n, &client, &format!("inklings://memory/{id}")).await;
        if client.may(Verb::Read, seat) == read.is_empty() {
            return Err(format!("client {} reads {id} in {seat:?} as a resource: {read:?}", who.n));
        }
    }
    let mut may = play.visible(|seat| client.may(Verb::Read, seat));
    may.extend(workspace_texts(play, world, |seat| client.may(Verb::Read, seat)).await);
    let leaked: Vec<String> = markers(&reported).difference(&may).cloned().collect();
    if !leaked.is_empty() {
        return Err(format!("client {} was shown what it may not see: {leaked:?}\n{client:?}", who.n));
    }
    Ok(())
}

/// Facts, working notes and what was said, where somebody may read.
pub async fn workspace_texts(
    play: &Play,
    world: usize,
    sees: impl Fn(Seat) -> bool,
) -> std::collections::BTreeSet<String> {
    let mut all = std::collections::BTreeSet::new();
    if sees(Seat::Workspace(world)) {
        let facts = play.model.facts.iter().filter(|((of, _), _)| *of == world);
        all.extend(facts.filter_map(|(_, slot)| slot.value.clone()).flat_map(|value| markers(&value)));
    }
    for id in play
        .model
        .conversations
        .iter()
        .filter(|(_, conversation)| conversation.world == world)
        .map(|(id, _)| *id)
    {
        if sees(Seat::Conversation(world, id)) {
            all.extend(play.stage.messages(world, id).await.iter().flat_map(|text| markers(text)));
            let notes = play.model.notes.iter().filter(|((of, _), _)| *of == id);
            all.extend(notes.filter_map(|(_, slot)| slot.value.clone()).flat_map(|value| markers(&value)));
        }
    }
    all
}

/// A list of a place holds all that is in use there, and nothing else.
fn finds_all(play: &Play, seat: Seat, answer: &Value) -> Checked {
    let there = play.model.entries.iter().filter(|(_, known)| known.seat == seat && known.state.active());
    let must: Vec<String> =
        there.filter(|(_, known)| !known.state.content.is_empty()).map(|(id, _)| id.to_string()).collect();
    let listed = answer["memories"].as_array().cloned().unwrap_or_default();
    let listed: Vec<&str> = listed.iter().filter_map(|one| one["id"].as_str()).collect();
    match must.iter().find(|id| !listed.contains(&id.as_str())) {
        Some(missing) if must.len() <= 50 => {
            Err(format!("{missing} is in use in {seat:?} and is not listed"))
        }
        _ => Ok(()),
    }
}

/// A task, or what makes something of a conversation.
pub async fn task(play: &mut Play, a: u8) -> Checked {
    let (app, on) = (Arc::clone(&play.stage.app), play.model.on[play.here()]);
    let tasks = schedule::all();
    let task = &tasks[usize::from(a) % tasks.len()];
    let must = Must::do_if(on || !task.adds_to_memory());
    play.log(format!("  the task {} runs", task.name()));
    let answer = app.schedule().run_task(task.name(), Arc::new(NoopEvents)).await;
    let done = play.judge(task.name(), must, answer)?;
    if let Some(view) = &done {
        play.log(format!("  it ended: {view:?}"));
    }
    settle_task(play, done.is_some()).await
}

async fn settle_task(play: &mut Play, done: bool) -> Checked {
    let expected = if done { Expected::anything() } else { Expected::nothing() };
    play.settle(&By::Task, expected).await.map(drop)
}

pub async fn consolidate(play: &mut Play) -> Checked {
    let must = Must::do_if(play.model.on[play.here()]);
    let app = Arc::clone(&play.stage.app);
    let answer = app.consolidation().consolidate_and_wait(Arc::new(NoopEvents)).await;
    let done = play.judge("run_consolidation", must, answer)?;
    settle_task(play, done.is_some()).await
}

pub async fn sum_up(play: &mut Play, a: u8, b: u8) -> Checked {
    let Some(conversation) = play.conversation(a, play.here()) else { return Ok(()) };
    let (app, code) = (Arc::clone(&play.stage.app), play.model.conversations[&conversation].code.clone());
    let on = play.model.on[play.here()];
    let done = if b.is_multiple_of(2) {
        let answer = app.conversation().compact_conversation(&code, Some(1), None).await;
        play.judge("compact_conversation", if on { Must::May } else { Must::Refuse }, answer)?.is_some()
    } else {
        let answer = app.conversation().summarise_old_turns(&code, Some(0), Some(0)).await;
        play.judge("summarise_old_turns", if on { Must::May } else { Must::Refuse }, answer)?.is_some()
    };
    if done {
        play.model.conversations.get_mut(&conversation).expect("known").summed_up = true;
    }
    settle_task(play, done).await
}
