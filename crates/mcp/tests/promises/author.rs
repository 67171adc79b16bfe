//! What the worldbuilder does to memory.

use std::collections::{BTreeMap, BTreeSet};

use inklings_api::{
    named_entry::view::NewNamedEntry,
    proposal::view::{Decision, ProposalKind, ProposalRequest, ProposalState},
    view::memory::{BulkProperties, MemoryPatch, NewMemory},
    vocabulary::{Lifetime, Scope},
};
use inklings_domain::{
    ids::{ChangeId, MemoryId},
    memory::MemoryKind,
    provenance::Curator,
    scope::MemoryLifetime,
};

use super::{
    model::{By, Checked, EntryState, Expected, Model, Seat, Want},
    play::{Must, Play},
};

fn new(seat: Seat, content: &str) -> NewMemory {
    let channel = if let Seat::Channel(_, id) = seat { Some(id.to_string()) } else { None };
    let conversation = if let Seat::Conversation(_, id) = seat { Some(id.to_string()) } else { None };
    NewMemory {
        scope: seat.scope().into(),
        channel_id: channel,
        conversation_id: conversation,
        lifetime: Lifetime::LongTerm,
        title: None,
        keys: Vec::new(),
        content: content.to_owned(),
        importance: 0.5,
        tags: Vec::new(),
        made_of: Vec::new(),
    }
}

/// A text that the author wrote over another.
fn rewritten(entry: &EntryState, content: &str) -> EntryState {
    EntryState { content: content.to_owned(), curator: Curator::Author, ..entry.clone() }
}

pub async fn create(play: &mut Play, a: u8) -> Checked {
    let (seat, text) = (play.seat(a, play.here()), play.text());
    play.log(format!("  the author notes {text:?} in {seat:?}"));
    let answer = play.stage.app.memory().create_memory(new(seat, &text)).await;
    let done = play.judge("create_memory", Must::Do, answer)?;
    play.settle_if(done, &By::Author, Expected::fresh(seat, Curator::Author, &text)).await
}

pub async fn edit(play: &mut Play, a: u8, b: u8) -> Checked {
    let Some(id) = play.near(a) else { return Ok(()) };
    let (entry, version) = (play.expected_entry(id), play.model.entries[&id].version);
    let (text, importance) = (play.text(), f64::from(b % 10) / 10.0);
    let (mut patch, mut after) = (MemoryPatch::default(), entry.clone());
    match b % 4 {
        0 => {
            patch.importance = Some(importance);
            after.importance = importance;
        }
        1 if entry.name.is_none() => {
            patch.pinned = Some(!entry.pinned);
            after.pinned = !entry.pinned;
        }
        _ => {
            patch.content = Some(text.clone());
            after = rewritten(&entry, &text);
        }
    }
    // An archive stays as it was made.
    let rewrites = patch.content.is_some() && entry.kind == MemoryKind::Archive;
    let must = Must::do_if(entry.active() && after != entry && !rewrites);
    play.log(format!("  the author edits {id} of {:?} into {:?}", entry.content, after.content));
    let answer = play.stage.app.memory().update_memory(&id.to_string(), narrow(version), patch).await;
    let done = play.judge("update_memory", must, answer)?;
    play.settle_if(done, &By::Author, Expected::change(id, after)).await
}

pub(super) fn narrow(version: u64) -> u32 {
    u32::try_from(version).expect("few versions")
}

pub async fn edit_stale(play: &mut Play, a: u8) -> Checked {
    let Some(id) = play.near(a) else { return Ok(()) };
    let (version, content) = (play.model.entries[&id].version, play.text());
    let patch = MemoryPatch { content: Some(content), ..MemoryPatch::default() };
    let answer = play.stage.app.memory().update_memory(&id.to_string(), narrow(version + 1), patch).await;
    play.judge("update_memory", Must::Refuse, answer)?;
    play.settle(&By::Author, Expected::nothing()).await.map(drop)
}

pub async fn forget(play: &mut Play, a: u8, b: u8) -> Checked {
    let (Some(one), Some(other)) = (play.near(a), play.near(b)) else { return Ok(()) };
    let ids: BTreeSet<MemoryId> = [one, other].into();
    let all: Vec<EntryState> = ids.iter().map(|id| play.expected_entry(*id)).collect();
    let must = if all.iter().all(EntryState::active) {
        Must::Do
    } else if all.iter().any(EntryState::active) {
        Must::May
    } else {
        Must::Refuse
    };
    let changes = ids.iter().zip(&all).map(|(id, entry)| (*id, Want::Like(Model::forgotten(entry))));
    let expected = Expected { changes: changes.collect(), ..Expected::default() };
    play.log(format!("  the author forgets {ids:?}"));
    let texts: Vec<String> = ids.iter().map(MemoryId::to_string).collect();
    let answer = play.stage.app.memory().forget_memories(&texts, "old").await;
    let done = play.judge("forget_memories", must, answer)?;
    play.settle_if(done, &By::Author, expected).await
}

pub async fn restore(play: &mut Play, a: u8) -> Checked {
    let here = play.here();
    let near = |seat: Seat| seat.world().is_none_or(|world| world == here);
    let Some(id) = play.pick(a, |known| near(known.seat) && !known.state.active()) else { return Ok(()) };
    let entry = play.expected_entry(id);
    // Its name may be taken by now.
    let must = if entry.name.is_some() { Must::May } else { Must::Do };
    play.log(format!("  the author brings {id} back"));
    let answer = play.stage.app.memory().restore_memories(&[id.to_string()]).await;
    let done = play.judge("restore_memories", must, answer)?;
    play.settle_if(done, &By::Author, Expected::change(id, EntryState { forgotten: None, ..entry })).await
}

pub async fn tag(play: &mut Play, a: u8, b: u8) -> Checked {
    let Some(id) = play.near(a) else { return Ok(()) };
    let (entry, tag) = (play.expected_entry(id), format!("tag{}", b % 3));
    let mut after = entry.clone();
    let (mut add, mut remove) = (Vec::new(), Vec::new());
    if entry.tags.contains(&tag) {
        after.tags.retain(|one| *one != tag);
        remove.push(tag);
    } else {
        after.tags.push(tag.clone());
        after.tags.sort();
        add.push(tag);
    }
    let answer = play.stage.app.memory().tag_memories(&[id.to_string()], &add, &remove).await;
    let done = play.judge("tag_memories", Must::do_if(entry.active()), answer)?;
    play.settle_if(done, &By::Author, Expected::change(id, after)).await
}

pub async fn lifetime(play: &mut Play, a: u8, b: u8) -> Checked {
    let Some(id) = play.near(a) else { return Ok(()) };
    let entry = play.expected_entry(id);
    let (view, lifetime) = if b.is_multiple_of(2) {
        (Lifetime::LongTerm, MemoryLifetime::LongTerm)
    } else {
        (Lifetime::ShortTerm, MemoryLifetime::ShortTerm)
    };
    let after = EntryState { lifetime, ..entry.clone() };
    let must = Must::do_if(entry.active() && after != entry);
    let properties = BulkProperties { lifetime: Some(view), ..BulkProperties::default() };
    let answer = play.stage.app.memory().set_memory_properties(&[id.to_string()], properties).await;
    let done = play.judge("set_memory_properties", must, answer)?;
    play.settle_if(done, &By::Author, Expected::change(id, after)).await
}

/// Whether the author's undo of a change must be done, and what every entry says then.
fn undoing(play: &Play, change: ChangeId) -> (Must, Expected) {
    let mut expected = Expected { undoes: true, ..Expected::default() };
    let (mut stale, mut named, mut moves) = (false, false, false);
    for (id, known) in &play.model.entries {
        let Some(write) = known.writes.iter().find(|write| write.change == change) else { continue };
        if write.undone {
            return (Must::Refuse, Expected::nothing());
        }
        // What a later undo brought back to the same words is as if nobody had written.
        stale |= known.state != write.after;
        let before = write.before.as_ref();
        named |= known.state.name.is_some() || before.is_some_and(|before| before.name.is_some());
        let want = match before {
            Some(before) => Want::Exactly(before.clone()),
            None => Want::Like(Model::forgotten(&known.state)),
        };
        moves |= before.is_some_and(|before| *before != known.state) || known.state.active();
        expected.changes.insert(*id, want);
    }
    let must = match (stale, named, moves) {
        (true, ..) => Must::Refuse,
        // A name may be taken by now; where nothing would change there is nothing to do.
        (false, true, _) | (false, _, false) => Must::May,
        (false, false, true) => Must::Do,
    };
    (must, expected)
}

/// Changes that the workspace in use knows, the oldest first.
fn changes(play: &Play, fits: impl Fn(&super::model::Write) -> bool) -> Vec<ChangeId> {
    let here = play.here();
    let near = play.model.entries.values().filter(|known| known.seat.world().is_none_or(|of| of == here));
    let all = near.flat_map(|known| &known.writes).filter(|write| fits(write));
    let by_order: BTreeMap<usize, ChangeId> = all.map(|write| (write.order, write.change)).collect();
    by_order.into_values().collect()
}

pub async fn undo_change(play: &mut Play, a: u8) -> Checked {
    let all = changes(play, |_| true);
    if all.is_empty() {
        return Ok(());
    }
    // The newest are taken back most often.
    let change = all[all.len() - 1 - usize::from(a) % all.len()];
    let (must, expected) = undoing(play, change);
    play.log(format!("  the author takes {change} back, which touched {:?}", expected.changes.keys()));
    let answer = play.stage.app.memory().undo_change(&change.to_string()).await;
    let done = play.judge("undo_change", must, answer)?;
    if done.is_some() {
        play.model.mark_undone(|write| write.change == change);
    }
    play.settle_if(done, &By::Author, expected).await
}

pub async fn undo_last(play: &mut Play) -> Checked {
    let mut last = changes(play, |write| write.by == By::Author && !write.undone && !write.undoes);
    let newest = last.pop();
    play.log(format!("  the author takes the last change back: {newest:?}"));
    let answer = play.stage.app.memory().undo_last().await;
    let Some(change) = newest else {
        play.judge("undo_last", Must::Refuse, answer)?;
        return play.settle(&By::Author, Expected::nothing()).await.map(drop);
    };
    let (must, expected) = undoing(play, change);
    let done = play.judge("undo_last", must, answer)?;
    if done.is_some() {
        play.model.mark_undone(|write| write.change == change);
    }
    play.settle_if(done, &By::Author, expected).await
}

pub async fn restore_version(play: &mut Play, a: u8, b: u8) -> Checked {
    let Some(id) = play.near(a) else { return Ok(()) };
    let known = &play.model.entries[&id];
    if known.writes.is_empty() {
        return Ok(());
    }
    let write = &known.writes[usize::from(b) % known.writes.len()];
    let (earlier, version, now) = (write.after.clone(), write.version, known.version);
    let must = if earlier == known.state {
        Must::Refuse
    } else if earlier.name.is_some() || known.state.name.is_some() {
        Must::May
    } else {
        Must::Do
    };
    play.log(format!("  the author makes version {version} of {id} current again"));
    let answer = play.stage.app.memory().restore_version(&id.to_string(), narrow(version), narrow(now)).await;
    let done = play.judge("restore_version", must, answer)?;
    let expected = Expected { changes: [(id, Want::Exactly(earlier))].into(), ..Expected::default() };
    play.settle_if(done, &By::Author, expected).await
}

pub async fn add_named(play: &mut Play, a: u8) -> Checked {
    let (scope, seat) = if a.is_multiple_of(2) {
        (Scope::Workspace, Seat::Workspace(play.here()))
    } else {
        (Scope::Account, Seat::Account)
    };
    let (name, content) = (format!("Vesper {}", a % 6), play.text());
    let taken = |entry: &EntryState| {
        entry.active() && (entry.name.as_deref() == Some(&*name) || entry.aliases.contains(&name))
    };
    let free = !play.model.entries.values().any(|known| known.seat == seat && taken(&known.state));
    play.log(format!("  the author adds {name:?} with {content:?} in {seat:?}"));
    let new = NewNamedEntry { scope, name, content: content.clone() };
    let answer = play.stage.app.named_entry().add_named_entry(new).await;
    let done = play.judge("add_named_entry", Must::do_if(free), answer)?;
    play.settle_if(done, &By::Author, Expected::fresh(seat, Curator::Author, &content)).await
}

pub async fn change_named(play: &mut Play, a: u8, b: u8) -> Checked {
    let here = play.here();
    let near = |seat: Seat| seat.world().is_none_or(|world| world == here);
    let named = |entry: &EntryState| entry.name.is_some() && entry.kind == MemoryKind::Note && entry.active();
    let Some(id) = play.pick(a, |known| near(known.seat) && named(&known.state)) else { return Ok(()) };
    let (entry, version) = (play.expected_entry(id), narrow(play.model.entries[&id].version));
    let (text, name, seat) = (play.text(), format!("Vesper {}", b % 7), play.model.entries[&id].seat);
    let own = entry.name.clone().unwrap_or_default();
    let goes_by = |entry: &EntryState| {
        entry.active() && (entry.name.as_deref() == Some(&*name) || entry.aliases.contains(&name))
    };
    let holder = play
        .model
        .entries
        .iter()
        .find(|(other, known)| **other != id && known.seat == seat && goes_by(&known.state));
    let taken = holder.is_some();
    let app = std::sync::Arc::clone(&play.stage.app);
    let key = id.to_string();
    play.log(format!("  the author changes the named entry {own:?} ({})", b % 4));
    match b % 4 {
        0 => {
            let answer = app.named_entry().write_named_entry(&key, version, &text).await;
            let done = play.judge("write_named_entry", Must::Do, answer)?;
            play.settle_if(done, &By::Author, Expected::change(id, rewritten(&entry, &text))).await
        }
        1 => {
            let mut after = entry.clone();
            after.aliases.retain(|alias| *alias != name);
            after.aliases.push(own.clone());
            after.name = Some(name.clone());
            let must = if own == name { Must::Refuse } else { Must::do_if(!taken) };
            let answer = app.named_entry().rename_named_entry(&key, version, &name).await;
            let done = play.judge("rename_named_entry", must, answer)?;
            play.settle_if(done, &By::Author, Expected::change(id, after)).await
        }
        2 => {
            let mut after = entry.clone();
            after.aliases.push(name.clone());
            let must = Must::do_if(!taken && !goes_by(&entry));
            let answer = app.named_entry().alias_named_entry(&key, version, &name, false).await;
            let done = play.judge("alias_named_entry", must, answer)?;
            play.settle_if(done, &By::Author, Expected::change(id, after)).await
        }
        _ => {
            let answer = app.named_entry().remove_named_entry(&key, version).await;
            let done = play.judge("remove_named_entry", Must::Do, answer)?;
            play.settle_if(done, &By::Author, Expected::change(id, Model::forgotten(&entry))).await
        }
    }
}

pub async fn decide(play: &mut Play, a: u8, b: u8) -> Checked {
    let app = std::sync::Arc::clone(&play.stage.app);
    let request = ProposalRequest { state: Some(ProposalState::Open), after: None, limit: 100 };
    let open = app.proposal().list_proposals(request).await.map_err(|error| error.to_string())?.rows;
    if open.is_empty() {
        return Ok(());
    }
    let proposal = &open[usize::from(a) % open.len()];
    let ids: Vec<MemoryId> = proposal.subjects.iter().map(|one| one.id.parse().expect("an id")).collect();
    play.log(format!("  the author decides {:?} about {ids:?}: {}", proposal.kind, b % 3));
    let (decision, expected) = match (b % 3, proposal.kind, &proposal.content) {
        (0, ..) => (Decision::Reject, Expected::nothing()),
        (_, ProposalKind::Edit, Some(content)) => (
            Decision::Accept,
            Expected::change(ids[0], EntryState { content: content.clone(), ..play.expected_entry(ids[0]) }),
        ),
        (_, ProposalKind::Retire, _) => {
            let changes = ids.iter().map(|id| (*id, Want::Like(Model::forgotten(&play.expected_entry(*id)))));
            (Decision::Accept, Expected { changes: changes.collect(), ..Expected::default() })
        }
        (_, ProposalKind::Conflict, _) => {
            (Decision::NewerWins, Expected { also: ids.iter().copied().collect(), ..Expected::default() })
        }
        _ => (Decision::Accept, Expected::anything()),
    };
    let decided = app.proposal().decide_proposals(std::slice::from_ref(&proposal.id), decision).await;
    let decided = play.judge("decide_proposals", Must::Do, decided)?.expect("done");
    let failed = decided.failed.first().map(|undecided| undecided.message.clone());
    if let Some(why) = &failed {
        play.log(format!("  not decided: {why}"));
    }
    play.settle_if(failed.is_none().then_some(()), &By::Author, expected).await
}
