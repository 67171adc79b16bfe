//! Clients let in and shut out, everything of theirs taken back, scrubs, files, a new start.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::Arc,
};

use inklings_api::NoopEvents;
use inklings_api::{
    scrub::view::{ScrubKind, ScrubMode, ScrubRequest, ScrubTarget},
    transfer::view::{ConflictChoice, ExportRequest, ExportScope, ImportRequest, TransferFormat},
    vocabulary::Scope,
};
use inklings_application::client::ClientChange;
use inklings_domain::{
    ids::{ConversationId, MemoryId},
    memory::MemoryKind,
    provenance::Curator,
};

use super::{
    model::{By, Checked, Expected, Granted, Seat},
    play::{Must, Play, markers},
    stage::grants,
};

pub async fn grant(play: &mut Play, a: u8, b: u8, c: u8) -> Checked {
    let n = usize::from(a) % play.model.clients.len();
    let world = play.model.clients[n].world;
    let bit = |at: u8| b & (1 << at) != 0;
    let channels = play.model.channels.iter().filter(|(_, (of, _))| *of == world).map(|(id, _)| *id);
    let conversations = play
        .model
        .conversations
        .iter()
        .filter(|(_, conversation)| conversation.world == world)
        .map(|(id, _)| *id);
    let granted = Granted {
        tiers: [0, 1, 2, 3].map(|at| (bit(at), bit(at + 4))),
        channels: channels.enumerate().filter(|(at, _)| c & (1 << (at % 2)) != 0).map(|(_, id)| id).collect(),
        conversations: conversations
            .enumerate()
            .filter(|(at, _)| c & (4 << (at % 2)) != 0)
            .map(|(_, id)| id)
            .collect(),
        propose: c & 16 != 0,
        scrub: c & 32 != 0,
        switch: c & 64 != 0,
    };
    play.log(format!("  client {n} is granted {granted:?}"));
    let id = play.model.clients[n].id.clone();
    let answer = play.stage.app.client().set_grants(&id, &grants(&granted)).await;
    let must = if play.model.clients[n].revoked { Must::May } else { Must::Do };
    if play.judge("set_grants", must, answer)?.is_some() {
        play.model.clients[n].grants = granted;
    }
    Ok(())
}

pub async fn revoke(play: &mut Play, a: u8) -> Checked {
    let n = usize::from(a) % play.model.clients.len();
    let id = play.model.clients[n].id.clone();
    play.log(format!("  client {n} is shut out"));
    let answer = play.stage.app.client().revoke_client(&id).await;
    play.judge("revoke_client", Must::May, answer)?;
    play.model.clients[n].revoked = true;
    Ok(())
}

pub async fn renew(play: &mut Play, a: u8) -> Checked {
    let n = usize::from(a) % play.model.clients.len();
    let id = play.model.clients[n].id.clone();
    let must = if play.model.clients[n].revoked { Must::May } else { Must::Do };
    let answer = play.stage.app.client().renew_token(&id).await;
    // A new token lets nobody in who was shut out, unless the program says so.
    if let Some(made) = play.judge("renew_token", must, answer)? {
        play.model.clients[n].revoked = made.client.revoked_at.is_some();
    }
    Ok(())
}

pub async fn undo_client(play: &mut Play, a: u8) -> Checked {
    let n = usize::from(a) % play.model.clients.len();
    let (id, world) = (play.model.clients[n].id.clone(), play.model.clients[n].world);
    let by = By::Client(n);
    let changes = play.model.taken_back(|one| *one == by, true);
    // What others made of its words goes back too, and what that stood for comes back.
    let made = made_of(play, &id, n);
    play.log(format!("  everything of client {n} is taken back: {:?}", changes.keys()));
    let answer = play.stage.app.client().undo_client(&id).await;
    let undone = play.judge("undo_client", Must::Do, answer)?.expect("done");
    play.log(format!("  kept: {:?}", undone.writes.not_undone));
    for slot in play.model.facts.iter_mut().filter(|((of, _), _)| *of == world).map(|(_, slot)| slot) {
        slot.take_back(&by);
    }
    let conversations: Vec<ConversationId> = play
        .model
        .conversations
        .iter()
        .filter(|(_, conversation)| conversation.world == world)
        .map(|(id, _)| *id)
        .collect();
    for ((of, _), slot) in &mut play.model.notes {
        if conversations.contains(of) {
            slot.take_back(&by);
        }
    }
    play.model.switches[world].take_back(&by);
    play.model.on[world] = play.model.switches[world].value.as_deref() != Some("false");
    for conversation in conversations {
        let spoken_in = play.model.conversations.get_mut(&conversation).expect("known");
        let own: Vec<String> =
            spoken_in.texts.iter().filter(|(_, who)| *who == Some(n)).map(|(text, _)| text.clone()).collect();
        spoken_in.texts.retain(|(_, who)| *who != Some(n));
        let summed_up = spoken_in.summed_up;
        let there = play.stage.messages(world, conversation).await;
        if let Some(left) = own.iter().find(|text| there.contains(text))
            && !summed_up
        {
            return Err(format!("client {n} said this, and it was not taken back: {left:?}"));
        }
    }
    play.model.mark_undone(|write| write.by == by);
    let expected = Expected { changes, also: made, undoes: true, ..Expected::default() };
    play.settle_in(world, &By::Author, expected).await?;
    nothing_stands(play, n, world, &id).await
}

/// Entries that hold a client's words by another's hand, and those that they stand for.
fn made_of(play: &Play, id: &str, n: usize) -> BTreeSet<MemoryId> {
    let source = format!("client:{id}");
    let holds = |known: &super::model::ModelEntry| {
        known.state.derived_from.iter().any(|one| one.to_string() == source)
            && !known.writes.iter().any(|write| write.by == By::Client(n))
    };
    let made: BTreeSet<MemoryId> =
        play.model.entries.iter().filter(|(_, known)| holds(known)).map(|(id, _)| *id).collect();
    let stood_for = play
        .model
        .entries
        .iter()
        .filter(|(_, known)| known.state.into.is_some_and(|into| made.contains(&into)));
    let stood_for: Vec<MemoryId> = stood_for.map(|(id, _)| *id).collect();
    made.into_iter().chain(stood_for).collect()
}

/// What was taken back is listed as taken back; what stands was kept for a reason.
async fn nothing_stands(play: &mut Play, n: usize, world: usize, id: &str) -> Checked {
    let session = play.stage.session(world).await;
    let client = id.parse().map_err(|_| "no id of a client".to_owned())?;
    let all = session.client_writes().changes_of_client(client).await.map_err(|error| error.to_string())?;
    for change in all {
        let ClientChange::Memory(_, row) = &change else { continue };
        let conflict = play.model.entries.values().any(|known| {
            let own = known.writes.iter().position(|write| write.change == row.change);
            own.is_some_and(|at| known.writes[at + 1..].iter().any(|later| later.by != By::Client(n)))
        });
        if change.stands() && !conflict {
            return Err(format!("the change {} of client {n} stands", row.change));
        }
    }
    Ok(())
}

pub async fn revert_run(play: &mut Play, a: u8) -> Checked {
    if play.runs.is_empty() {
        return Ok(());
    }
    let at = usize::from(a) % play.runs.len();
    let (world, run) = play.runs[at].clone();
    if world != play.here() {
        return Ok(());
    }
    play.runs.remove(at);
    let by = By::Import(run.clone());
    let changes = play.model.taken_back(|one| *one == by, false);
    play.log(format!("  the run {run} is taken back: {:?}", changes.keys()));
    let answer = play.stage.app.consolidation().revert_run(&run).await;
    play.judge("revert_run", Must::Do, answer)?;
    play.model.mark_undone(|write| write.by == by);
    let named = |id: &MemoryId| play.model.entries[id].state.name.is_some();
    // A name may be taken by now.
    let (open, fixed): (BTreeMap<_, _>, BTreeMap<_, _>) = changes.into_iter().partition(|(id, _)| named(id));
    let also = open.into_keys().collect();
    let expected = Expected { changes: fixed, also, undoes: true, ..Expected::default() };
    play.settle(&By::Author, expected).await.map(drop)
}

/// What a scrub takes: entries, facts, working notes.
fn scrub_targets(play: &Play, target: &ScrubTarget, mode: ScrubMode) -> BTreeSet<MemoryId> {
    let world = play.here();
    let id = target.id.clone().unwrap_or_default();
    let keeps = mode == ScrubMode::KeepNamed;
    let is_kept_by_mode = |known: &super::model::ModelEntry| {
        keeps && known.state.name.is_some() && known.state.kind == MemoryKind::Note
    };
    let says = |known: &super::model::ModelEntry| {
        let ever = known.writes.iter().map(|write| &write.after.content).chain([&known.state.content]);
        ever.into_iter().any(|content| content.contains(&id))
    };
    let takes = |(entry, known): &(&MemoryId, &super::model::ModelEntry)| match (target.kind, known.seat) {
        (ScrubKind::Entry, _) => entry.to_string() == id,
        (ScrubKind::Conversation, Seat::Conversation(_, conversation)) => {
            conversation.to_string() == id && !is_kept_by_mode(known)
        }
        (ScrubKind::Channel, Seat::Channel(_, channel)) => {
            channel.to_string() == id && !is_kept_by_mode(known)
        }
        (ScrubKind::Workspace, Seat::Workspace(of)) => of == world && !is_kept_by_mode(known),
        (ScrubKind::Account, Seat::Account) => !is_kept_by_mode(known),
        (ScrubKind::Subject, seat) => seat.world() == Some(world) && says(known) && !is_kept_by_mode(known),
        _ => false,
    };
    play.model.entries.iter().filter(takes).map(|(id, _)| *id).collect()
}

fn target(play: &Play, a: u8, b: u8) -> Option<ScrubTarget> {
    let world = play.here();
    let of = |kind, id: Option<String>| Some(ScrubTarget { kind, id, account: None });
    match a % 8 {
        0 | 1 => of(ScrubKind::Entry, play.near(b).map(|id| id.to_string()))?.id.is_some().then(|| {
            ScrubTarget { kind: ScrubKind::Entry, id: play.near(b).map(|id| id.to_string()), account: None }
        }),
        2 => of(ScrubKind::Conversation, Some(play.conversation(b, world)?.to_string())),
        3 => of(ScrubKind::Channel, Some(play.channel(b, world).to_string())),
        4 => of(ScrubKind::Workspace, None),
        5 => of(ScrubKind::Account, None),
        6 => of(ScrubKind::PurgeConversation, Some(play.conversation(b, world)?.to_string())),
        _ => {
            let id = play.pick(b, |known| known.seat.world() == Some(world))?;
            let term = markers(&play.expected_entry(id).content).into_iter().next()?;
            of(ScrubKind::Subject, Some(term))
        }
    }
}

pub async fn scrub(play: &mut Play, a: u8, b: u8) -> Checked {
    let Some(target) = target(play, a, b) else { return Ok(()) };
    let mode = if b.is_multiple_of(2) { ScrubMode::Full } else { ScrubMode::KeepNamed };
    let mut gone = scrub_targets(play, &target, mode);
    let (app, world) = (Arc::clone(&play.stage.app), play.here());
    play.log(format!("  the author scrubs {target:?} in {mode:?}: {gone:?}"));
    let manifest = app.scrub().preview_scrub(target.clone(), mode).await;
    let manifest = play.judge("preview_scrub", Must::Do, manifest)?.expect("done");
    let (hash, phrase) = (manifest.hash.clone(), manifest.phrase.clone());
    let order = |hash: String, phrase: &str| ScrubRequest {
        target: target.clone(),
        mode,
        hash,
        phrase: phrase.to_owned(),
        backup: false,
    };
    let refused = app.scrub().execute_scrub(order(hash.clone(), "scrub it")).await;
    play.judge("execute_scrub", Must::Refuse, refused)?;
    let done = app.scrub().execute_scrub(order(hash, &phrase)).await;
    let done = play.judge("execute_scrub", Must::Do, done)?.expect("done");
    if !done.proof.ok {
        return Err(format!("the scrub left something: {:?}", done.proof));
    }
    let id = target.id.clone().unwrap_or_default();
    match target.kind {
        ScrubKind::Workspace => play.model.facts.retain(|(of, _), _| *of != world),
        ScrubKind::Conversation | ScrubKind::PurgeConversation => {
            play.model.notes.retain(|(of, _), _| of.to_string() != id);
        }
        ScrubKind::Subject => {
            play.model.facts.retain(|(of, _), slot| {
                *of != world || !slot.writes.iter().any(|(_, _, (value, _))| holds(value.as_ref(), &id))
            });
            let conversations: Vec<ConversationId> = play
                .model
                .conversations
                .iter()
                .filter(|(_, conversation)| conversation.world == world)
                .map(|(id, _)| *id)
                .collect();
            play.model
                .notes
                .retain(|(of, _), slot| !conversations.contains(of) || !holds(slot.value.as_ref(), &id));
        }
        _ => {}
    }
    if target.kind == ScrubKind::PurgeConversation {
        let conversation: ConversationId = id.parse().map_err(|_| "no id of a conversation".to_owned())?;
        play.model.remove_conversation(conversation);
        // The archives of what was said.
        let known: Vec<MemoryId> = play.model.entries.keys().copied().collect();
        let there = play.stage.snapshot(&known).await;
        gone.extend(known.into_iter().filter(|id| !there.contains_key(id) && play.is_archive(*id)));
    }
    play.settle(&By::Author, Expected { gone: gone.clone(), ..Expected::default() }).await?;
    nothing_is_left(play).await
}

fn holds(value: Option<&String>, word: &str) -> bool {
    value.is_some_and(|value| value.contains(word))
}

/// No file holds a text that was scrubbed, unless it stands somewhere else as well.
async fn nothing_is_left(play: &mut Play) -> Checked {
    let mut alive = BTreeSet::new();
    for known in play.model.entries.values() {
        let before = known.writes.iter().filter_map(|write| write.before.as_ref());
        let after = known.writes.iter().map(|write| &write.after);
        for state in before.chain(after).chain([&known.state]) {
            alive.extend(markers(&state.content));
        }
    }
    for world in 0..2 {
        let session = play.stage.session(world).await;
        let failed = |error: inklings_application::error::AppError| error.to_string();
        for proposal in session.proposals().list(None, None, 500).await.map_err(failed)?.rows {
            alive.extend(markers(&format!("{proposal:?}")));
        }
        for known in session.facts().list(None, None, 500).await.map_err(failed)?.rows {
            let history = session.facts().history(known.fact.id).await.map_err(failed)?;
            alive.extend(markers(&format!("{known:?} {history:?}")));
        }
        let conversations: Vec<ConversationId> = play
            .model
            .conversations
            .iter()
            .filter(|(_, conversation)| conversation.world == world)
            .map(|(id, _)| *id)
            .collect();
        for conversation in conversations {
            let range = inklings_ports::conversation::transcript_store::MessageRange::Newest;
            let messages = session.transcripts().page(conversation, range, 500).await.map_err(failed)?;
            let episodes = session.episodes().list(conversation).await.map_err(failed)?;
            let notes = session.scratchpad().list(conversation).await.map_err(failed)?;
            alive.extend(markers(&format!("{messages:?} {episodes:?} {notes:?}")));
        }
    }
    let destroyed: BTreeSet<String> = play.model.destroyed.iter().flat_map(|text| markers(text)).collect();
    let dead: BTreeSet<String> = destroyed.difference(&alive).cloned().collect();
    let mut found = Vec::new();
    search(&play.stage.path().join("data"), &dead, &mut found);
    if found.is_empty() { Ok(()) } else { Err(format!("this was scrubbed and is left in a file: {found:?}")) }
}

fn search(folder: &Path, words: &BTreeSet<String>, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            // Backups hold what was there when they were made, and say so.
            if !path.ends_with("backups") {
                search(&path, words, found);
            }
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned();
        let left = markers(&text);
        found.extend(words.intersection(&left).map(|word| format!("{word} in {}", path.display())));
    }
}

fn import_request(path: &Path, conflicts: ConflictChoice) -> ImportRequest {
    let path = path.to_str().expect("a plain path").to_owned();
    ImportRequest {
        path,
        format: None,
        scope: Scope::Workspace,
        channel_id: None,
        conflicts,
        picks: Vec::new(),
        pick_all: true,
        whole: Vec::new(),
        same_book: None,
        new_book: false,
        partial: false,
        only_when_named: false,
    }
}

/// Memory goes into a file, as far as it was asked for, and comes back out of it: nothing changes.
pub async fn export(play: &mut Play, a: u8, b: u8) -> Checked {
    let (app, world) = (Arc::clone(&play.stage.app), play.here());
    let path = play.stage.path().join(format!("export{world}.json"));
    let (account, channel) = (a.is_multiple_of(2), (a % 3 == 2).then(|| play.channel(b, world)));
    let scope = ExportScope {
        account: account && channel.is_none(),
        workspace: channel.is_none(),
        channel_id: channel.map(|id| id.to_string()),
        conversation_id: None,
    };
    play.log(format!("  the author exports {scope:?}"));
    let asked = scope.clone();
    let request = ExportRequest {
        path: path.to_str().expect("a plain path").to_owned(),
        format: TransferFormat::Inklings,
        scope,
        embeddings: false,
        journal: b.is_multiple_of(2),
        picture: None,
        replace: true,
        dry_run: false,
    };
    let answer = app.transfer().export_memory(request, Arc::new(NoopEvents)).await;
    play.judge("export_memory", Must::Do, answer)?;
    let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let out = |seat: Seat| match seat {
        Seat::Account => !asked.account,
        Seat::Channel(of, id) => of != world || channel.is_some_and(|only| only != id),
        Seat::Workspace(of) => of != world || channel.is_some(),
        Seat::Conversation(of, _) => of != world,
    };
    let kept_back = play.visible(out);
    let reported: BTreeSet<String> = play.visible(|seat| !out(seat));
    let in_text: BTreeSet<String> = markers(&text);
    let mut elsewhere = BTreeSet::new();
    for (id, conversation) in
        play.model.conversations.iter().filter(|(_, conversation)| conversation.world == world)
    {
        elsewhere.extend(conversation.asked.iter().cloned());
        elsewhere.extend(play.stage.messages(world, *id).await.iter().flat_map(|text| markers(text)));
    }
    let leaked: Vec<&String> = in_text
        .iter()
        .filter(|word| kept_back.contains(*word) && !reported.contains(*word) && !elsewhere.contains(*word))
        .collect();
    if !leaked.is_empty() {
        return Err(format!("the file holds what was not asked for: {leaked:?}"));
    }
    if channel.is_none() {
        let missing: Vec<&String> = reported.difference(&in_text).collect();
        if !missing.is_empty() {
            return Err(format!("the file does not hold what was asked for: {missing:?}"));
        }
    }
    let conflicts = if b.is_multiple_of(3) { ConflictChoice::Mine } else { ConflictChoice::Newer };
    let request = import_request(&path, conflicts);
    let looked_at = app.transfer().preview_import(request.clone(), Arc::new(NoopEvents)).await;
    let looked_at = play.judge("preview_import", Must::Do, looked_at)?.expect("done");
    let answer = app.transfer().import_memory(request, looked_at.hash, Arc::new(NoopEvents)).await;
    play.judge("import_memory", Must::Do, answer)?;
    play.settle(&By::Import(String::new()), Expected::nothing()).await.map(drop)
}

/// A note of another program comes in.
pub async fn import(play: &mut Play) -> Checked {
    let (app, text) = (Arc::clone(&play.stage.app), play.text());
    let folder = play.stage.path().join(format!("notes{}", play.log.len()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    fs::write(folder.join("A note.md"), format!("{text}\n")).map_err(|error| error.to_string())?;
    play.log(format!("  the author imports {text:?}"));
    let request = import_request(&folder, ConflictChoice::Newer);
    let looked_at = app.transfer().preview_import(request.clone(), Arc::new(NoopEvents)).await;
    let looked_at = play.judge("preview_import", Must::Do, looked_at)?.expect("done");
    play.settle(&By::Author, Expected::nothing()).await?;
    let answer = app.transfer().import_memory(request, looked_at.hash, Arc::new(NoopEvents)).await;
    let done = play.judge("import_memory", Must::Do, answer)?.expect("done");
    let world = play.here();
    play.runs.push((world, done.run_id.clone()));
    let expected = Expected::fresh(Seat::Workspace(world), Curator::Import, &text);
    play.settle(&By::Import(done.run_id), expected).await.map(drop)
}

pub async fn switch_world(play: &mut Play) -> Checked {
    let other = 1 - play.here();
    play.stage.switch(other).await;
    play.model.here = other;
    play.done.insert("switch_workspace");
    play.log(format!("  workspace {other} is opened"));
    play.settle(&By::Author, Expected::nothing()).await.map(drop)
}

/// Both processes end and begin again: everything is as it was.
pub async fn reopen(play: &mut Play) -> Checked {
    play.stage.reopen(play.model.here).await;
    play.settle(&By::Author, Expected::nothing()).await.map(drop)
}

/// Every word in use is found, and none that is forgotten.
pub async fn search_all(play: &mut Play) -> Checked {
    for world in 0..2 {
        let session = play.stage.session(world).await;
        let known: Vec<_> = play.model.entries.iter().map(|(id, known)| (*id, known.clone())).collect();
        for (id, known) in known {
            let near = known.seat.world().is_none_or(|of| of == world);
            for word in markers(&known.state.content) {
                let search = inklings_application::search::Search::new(
                    inklings_domain::search::query::QueryText::Typed(word.clone()),
                    inklings_domain::memory::filter::MemoryFilter::active(
                        inklings_domain::memory::filter::ScopeFilter::EVERYTHING,
                    ),
                    50,
                );
                let found = session.search().memories(search).await.map_err(|error| error.to_string())?;
                let hit = found.hits.iter().any(|hit| hit.stored.entry.id == id || hit.folded.contains(&id));
                if hit != (near && known.state.active()) {
                    let seat = known.seat;
                    return Err(format!(
                        "{word} of {id} in {seat:?} is found from {world}: {hit}; {:?}",
                        known.state
                    ));
                }
            }
        }
    }
    play.done.insert("search_memories");
    Ok(())
}
