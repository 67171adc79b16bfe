//! What the worldbuilder does beside memory: facts, working notes, what is said, channels and conversations, the switch.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use inklings_api::NoopEvents;
use inklings_api::fact::view::{FactList, NewFact};
use inklings_domain::{
    ids::{ChannelId, ConversationId, MemoryId},
    provenance::ActorKind,
};

use super::{
    model::{By, Checked, Expected, Model, ModelConversation, Seat, Want},
    play::{Must, Play},
    story_time, subjects,
};

/// Conversations and channels that a sequence makes at most.
const MOST_PLACES: usize = 10;

pub async fn set_fact(play: &mut Play, a: u8) -> Checked {
    let (key, value) = (format!("k{}", a % 3), play.marker());
    play.log(format!("  the author sets the fact {key} to {value}"));
    let new =
        NewFact { category: "gate".to_owned(), key: key.clone(), value: value.clone(), ..NewFact::default() };
    let answer = play.stage.app.fact().set_fact(&new, ActorKind::Author).await;
    play.judge("set_fact", Must::Do, answer)?;
    let slot = play.model.facts.entry((play.model.here, format!("gate/{key}"))).or_default();
    slot.set(By::Author, Some(value), true);
    play.settle(&By::Author, Expected::nothing()).await.map(drop)
}

pub async fn change_fact(play: &mut Play, a: u8, b: u8) -> Checked {
    let app = Arc::clone(&play.stage.app);
    let request = FactList { limit: 50, ..FactList::default() };
    let facts = app.fact().list_facts(request).await.map_err(|error| error.to_string())?.rows;
    if facts.is_empty() {
        return Ok(());
    }
    let fact = &facts[usize::from(a) % facts.len()];
    let slot = (play.here(), format!("{}/{}", fact.category, fact.key));
    if let Some(claim) = fact.claims.first() {
        let accept = b.is_multiple_of(2);
        play.log(format!("  the author settles a claim against {}: {accept}", fact.key));
        let answer = app.fact().settle_claim(&claim.id, accept).await;
        play.judge("settle_claim", Must::Do, answer)?;
        if accept {
            let value = Some(claim.value.clone());
            play.model.facts.entry(slot).or_default().set(By::Author, value, true);
        }
    } else if b % 6 == 1 {
        subjects::set_fact_known_by(play, fact, b / 6).await?;
    } else if b % 6 == 4 {
        story_time::set_fact_time(play, fact, b / 6).await?;
    } else if b.is_multiple_of(3) {
        let value = play.marker();
        play.log(format!("  the author changes the fact {} to {value}", fact.key));
        let answer = app.fact().change_fact(&fact.id, &value, None).await;
        play.judge("change_fact", Must::Do, answer)?;
        play.model.facts.entry(slot).or_default().set(By::Author, Some(value), true);
    } else {
        play.log(format!("  the author removes the fact {}", fact.key));
        let answer = app.fact().remove_fact(&fact.id).await;
        play.judge("remove_fact", Must::Do, answer)?;
        play.model.facts.entry(slot).or_default().set(By::Author, None, true);
    }
    play.settle(&By::Author, Expected::nothing()).await.map(drop)
}

pub async fn note(play: &mut Play, a: u8, b: u8) -> Checked {
    let Some(conversation) = play.conversation(a, play.here()) else { return Ok(()) };
    let (code, key) = (play.model.conversations[&conversation].code.clone(), format!("n{}", b % 2));
    let slot = (conversation, key.clone());
    if b % 5 == 4 {
        let answer = play.stage.app.scratchpad().clear_scratchpad(&code, Some(&key), false).await;
        play.judge("clear_scratchpad", Must::Do, answer)?;
        if let Some(slot) = play.model.notes.get_mut(&slot) {
            slot.set(By::Author, None, true);
        }
    } else {
        let value = format!("\"{}\"", play.marker());
        let must = if play.model.is_open(&conversation) { Must::Do } else { Must::May };
        let answer = play.stage.app.scratchpad().write_scratchpad(&code, &key, &value, None).await;
        if play.judge("write_scratchpad", must, answer)?.is_some() {
            play.model.notes.entry(slot).or_default().set(By::Author, Some(value), true);
        }
    }
    Ok(())
}

pub async fn say(play: &mut Play, a: u8) -> Checked {
    let Some(conversation) = play.conversation(a, play.here()) else { return Ok(()) };
    let (code, text) = (play.model.conversations[&conversation].code.clone(), play.text());
    let text = format!("I decided: {text}");
    play.log(format!("  the author says {text:?} in {conversation}"));
    let answer = play.stage.app.conversation().say(&code, &text, &[], Arc::new(NoopEvents)).await;
    let must = Must::do_if(play.model.is_open(&conversation));
    if play.judge("say", must, answer)?.is_some() {
        play.model.conversations.get_mut(&conversation).expect("known").texts.push((text, None));
    }
    play.settle(&By::Author, Expected::nothing()).await.map(drop)
}

pub async fn switch_memory(play: &mut Play, on: bool) -> Checked {
    play.log(format!("  the author switches memory to {on}"));
    let answer = play.stage.app.client().set_memory_enabled(on).await;
    play.judge("set_memory_enabled", Must::Do, answer)?;
    play.model.switch(play.model.here, By::Author, on);
    Ok(())
}

async fn register_conversation(play: &mut Play, id: &str) -> Checked {
    let view = play.stage.app.conversation().get_conversation(id).await.map_err(|error| error.to_string())?;
    let channel = view.channel_id.parse().map_err(|_| "no id of a channel".to_owned())?;
    let (world, code) = (play.here(), view.ref_code);
    let conversation = ModelConversation {
        world,
        channel,
        code,
        open: true,
        summed_up: false,
        asked: BTreeSet::new(),
        texts: Vec::new(),
    };
    play.model.conversations.insert(view.id.parse().expect("an id"), conversation);
    Ok(())
}

pub async fn begin_conversation(play: &mut Play, a: u8) -> Checked {
    if play.model.conversations.len() >= MOST_PLACES {
        return Ok(());
    }
    let channel = play.channel(a, play.here());
    let must = Must::do_if(!play.model.archived.contains(&channel));
    let answer = play.stage.app.conversation().start_conversation(Some(&channel.to_string()), "A talk").await;
    if let Some(made) = play.judge("start_conversation", must, answer)? {
        register_conversation(play, &made.id).await?;
    }
    Ok(())
}

pub async fn change_conversation(play: &mut Play, a: u8, b: u8) -> Checked {
    let Some(conversation) = play.conversation(a, play.here()) else { return Ok(()) };
    let (app, code) = (Arc::clone(&play.stage.app), play.model.conversations[&conversation].code.clone());
    match b % 6 {
        0 => {
            let must = Must::do_if(play.model.is_open(&conversation));
            let answer = app.conversation().idle_conversation(&code).await;
            if play.judge("idle_conversation", must, answer)?.is_some() {
                play.model.conversations.get_mut(&conversation).expect("known").open = false;
            }
        }
        1 => {
            let answer = app.conversation().archive_conversation(&code).await;
            if play.judge("archive_conversation", Must::May, answer)?.is_some() {
                play.model.conversations.get_mut(&conversation).expect("known").open = false;
            }
        }
        2 => {
            if play.model.conversations.len() >= MOST_PLACES {
                return Ok(());
            }
            let answer = app.conversation().continue_conversation(&code).await;
            if let Some(made) = play.judge("continue_conversation", Must::Do, answer)? {
                play.model.conversations.get_mut(&conversation).expect("known").open = false;
                register_conversation(play, &made.id).await?;
            }
        }
        3 => {
            if play.model.conversations.len() >= MOST_PLACES {
                return Ok(());
            }
            // Whether something was said at this position is not part of the model.
            let answer = app.conversation().branch_conversation(&code, 1 + u32::from(b / 6 % 2)).await;
            if let Some(made) = play.judge("branch_conversation", Must::May, answer)? {
                register_conversation(play, &made.id).await?;
            }
        }
        4 => {
            let channel = play.channel(b / 6, play.here());
            let must = Must::do_if(!play.model.archived.contains(&channel));
            play.log(format!("  {conversation} moves to {channel}"));
            let answer = app.conversation().move_conversation(&code, &channel.to_string()).await;
            if play.judge("move_conversation", must, answer)?.is_some() {
                play.model.conversations.get_mut(&conversation).expect("known").channel = channel;
            }
        }
        _ => {
            let answer = app.conversation().rename_conversation(&code, "Another title").await;
            play.judge("rename_conversation", Must::Do, answer)?;
        }
    }
    play.settle(&By::Author, Expected::nothing()).await.map(drop)
}

pub async fn delete_conversation(play: &mut Play, a: u8) -> Checked {
    let Some(conversation) = play.conversation(a, play.here()) else { return Ok(()) };
    let code = play.model.conversations[&conversation].code.clone();
    let seat = Seat::Conversation(play.here(), conversation);
    let active = play.model.entries.iter().filter(|(_, known)| known.seat == seat && known.state.active());
    let changes: BTreeMap<MemoryId, Want> =
        active.map(|(id, known)| (*id, Want::Like(Model::forgotten(&known.state)))).collect();
    play.log(format!("  the author deletes {conversation}"));
    let answer = play.stage.app.conversation().delete_conversation(&code).await;
    play.judge("delete_conversation", Must::Do, answer)?;
    play.model.remove_conversation(conversation);
    let expected = Expected { changes, ..Expected::default() };
    play.settle(&By::Author, expected).await.map(drop)
}

pub async fn begin_channel(play: &mut Play, a: u8) -> Checked {
    if play.model.channels.len() >= MOST_PLACES {
        return Ok(());
    }
    let (world, name) = (play.here(), format!("room{}", a % 4));
    let taken = play.model.channels.values().any(|known| *known == (world, name.clone()));
    let answer = play.stage.app.channel().create_channel(&name, "").await;
    if let Some(made) = play.judge("create_channel", Must::do_if(!taken), answer)? {
        play.model.channels.insert(made.id.parse().expect("an id"), (world, name));
    }
    Ok(())
}

pub async fn change_channel(play: &mut Play, a: u8, b: u8) -> Checked {
    let channel = play.channel(a, play.here());
    let general = play.model.channels[&channel].1 == "general";
    let away = play.model.archived.contains(&channel);
    let (app, id) = (Arc::clone(&play.stage.app), channel.to_string());
    match b % 3 {
        0 => {
            let answer = app.channel().update_channel(&id, None, Some("What is talked about here.")).await;
            play.judge("update_channel", Must::May, answer)?;
        }
        1 => {
            let answer = app.channel().archive_channel(&id).await;
            if play.judge("archive_channel", Must::do_if(!general && !away), answer)?.is_some() {
                play.model.archived.insert(channel);
            }
        }
        _ => {
            let answer = app.channel().restore_channel(&id).await;
            if play.judge("restore_channel", Must::do_if(away), answer)?.is_some() {
                play.model.archived.remove(&channel);
            }
        }
    }
    play.settle(&By::Author, Expected::nothing()).await.map(drop)
}

pub async fn delete_channel(play: &mut Play, a: u8, b: u8) -> Checked {
    let world = play.here();
    let (channel, move_to) = (play.channel(a, world), play.channel(b, world));
    let general = play.model.channels[&channel].1 == "general";
    let fit = !play.model.archived.contains(&move_to) && move_to != channel && !general;
    play.log(format!("  the author deletes {channel}; {move_to} takes over"));
    let answer =
        play.stage.app.channel().delete_channel(&channel.to_string(), Some(&move_to.to_string())).await;
    let must = if general || move_to == channel {
        Must::Refuse
    } else if fit {
        Must::Do
    } else {
        Must::May
    };
    let mut expected = Expected::nothing();
    if play.judge("delete_channel", must, answer)?.is_some() {
        expected.moved = moved(play, channel, move_to);
        play.model.channels.remove(&channel);
        play.model.archived.remove(&channel);
        play.model
            .conversations
            .values_mut()
            .filter(|conversation| conversation.channel == channel)
            .for_each(|conversation| {
                conversation.channel = move_to;
            });
    }
    play.settle(&By::Author, expected).await.map(drop)
}

fn moved(play: &Play, from: ChannelId, to: ChannelId) -> BTreeMap<MemoryId, Seat> {
    let world = play.here();
    let there = play.model.entries.iter().filter(|(_, known)| known.seat == Seat::Channel(world, from));
    there.map(|(id, _)| (*id, Seat::Channel(world, to))).collect()
}

impl Model {
    /// A conversation that is gone, with its working notes.
    pub fn remove_conversation(&mut self, conversation: ConversationId) {
        self.conversations.remove(&conversation);
        self.notes.retain(|(of, _), _| *of != conversation);
    }

    pub fn switch(&mut self, world: usize, by: By, on: bool) {
        self.switches[world].set(by, Some(on.to_string()), false);
        self.on[world] = on;
    }
}
