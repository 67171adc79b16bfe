//! What the worldbuilder does to subjects and relations.

use std::sync::Arc;

use inklings_api::{fact::view::FactView, subject::view::NewRelation, view::lens::KnowerSpec};
use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryKind,
        link::{Link, LinkRole, sorted},
    },
    provenance::Curator,
    subject::KINDS,
};

use super::{
    author::narrow,
    model::{By, Checked, EntryState, Expected, Seat},
    play::{Must, Play},
};

/// The nth subject of the workspace in use.
fn subject(play: &Play, n: u8) -> Option<MemoryId> {
    let here = Seat::Workspace(play.here());
    play.pick(n, |known| known.seat == here && known.state.active() && known.state.subject.is_some())
}

pub async fn set_kind(play: &mut Play, a: u8, b: u8) -> Checked {
    if b.is_multiple_of(3) {
        return add(play, a).await;
    }
    let here = play.here();
    let near = |seat: Seat| seat.world().is_none_or(|world| world == here);
    let named = |entry: &EntryState| entry.name.is_some() && entry.active();
    let Some(id) = play.pick(a, |known| near(known.seat) && named(&known.state)) else { return Ok(()) };
    let (entry, known) = (play.expected_entry(id), &play.model.entries[&id]);
    let (seat, version) = (known.seat, narrow(known.version));
    let kind = (!b.is_multiple_of(4)).then(|| KINDS[usize::from(b) % KINDS.len()]);
    let after = EntryState { subject: kind.map(str::to_owned), ..entry.clone() };
    let stays = entry.calendar.is_some() || entry.reading_number.is_some();
    let can_be =
        entry.kind == MemoryKind::Note && seat == Seat::Workspace(here) && (kind.is_some() || !stays);
    play.log(format!("  the author makes {:?} of {seat:?} a subject: {kind:?}", entry.name));
    let app = Arc::clone(&play.stage.app);
    let answer = app.subject().set_subject(&id.to_string(), version, kind).await;
    let done = play.judge("set_subject", Must::do_if(can_be && after != entry), answer)?;
    play.settle_if(done, &By::Author, Expected::change(id, after)).await
}

async fn add(play: &mut Play, a: u8) -> Checked {
    let seat = Seat::Workspace(play.here());
    let (name, content) = (format!("Vesper {}", a % 6), play.text());
    let goes_by = |entry: &EntryState| {
        entry.active() && (entry.name.as_deref() == Some(&*name) || entry.aliases.contains(&name))
    };
    let free = !play.model.entries.values().any(|known| known.seat == seat && goes_by(&known.state));
    play.log(format!("  the author adds the subject {name:?} with {content:?}"));
    let app = Arc::clone(&play.stage.app);
    let done = play.judge(
        "add_subject",
        Must::do_if(free),
        app.subject().add_subject(&name, "place", &content).await,
    )?;
    play.settle_if(done, &By::Author, Expected::fresh(seat, Curator::Author, &content)).await
}

pub async fn relate(play: &mut Play, a: u8, b: u8) -> Checked {
    let (Some(from), Some(to)) = (subject(play, a), subject(play, b)) else { return Ok(()) };
    let (text, here) = (play.text(), play.here());
    // A word that stands in one relation alone.
    let relation = format!("stands beside {}", play.marker());
    play.log(format!("  the author relates {from} to {to}: {text:?}"));
    let new = NewRelation {
        from: from.to_string(),
        relation,
        to: to.to_string(),
        content: Some(text.clone()),
        channel_id: None,
    };
    let app = Arc::clone(&play.stage.app);
    let done = play.judge("add_relation", Must::do_if(from != to), app.subject().add_relation(new).await)?;
    play.settle_if(done, &By::Author, Expected::fresh(Seat::Workspace(here), Curator::Author, &text)).await
}

pub async fn set_about(play: &mut Play, a: u8, b: u8) -> Checked {
    let (Some(id), Some(about)) = (play.near(a), subject(play, b)) else { return Ok(()) };
    let (entry, known) = (play.expected_entry(id), &play.model.entries[&id]);
    let (seat, version) = (known.seat, narrow(known.version));
    let others = entry.links.iter().copied().filter(|link| link.role != LinkRole::About);
    let links = others.chain([Link::new(LinkRole::About, about)]).collect();
    let after = EntryState { links: sorted(links).expect("a few links"), ..entry.clone() };
    let can_be = entry.active() && entry.kind == MemoryKind::Note && seat != Seat::Account && id != about;
    play.log(format!("  the author says that {id} is about {about}"));
    let app = Arc::clone(&play.stage.app);
    let answer = app.subject().set_about(&id.to_string(), version, &[about.to_string()]).await;
    let done = play.judge("set_about", Must::do_if(can_be && after != entry), answer)?;
    play.settle_if(done, &By::Author, Expected::change(id, after)).await
}

/// Only of the worldbuilder's own entries: an agent that sees everything does not change what only some know.
pub async fn set_known_by(play: &mut Play, a: u8, b: u8) -> Checked {
    let (Some(id), Some(knower)) = (play.near(a), subject(play, b)) else { return Ok(()) };
    let (entry, known) = (play.expected_entry(id), &play.model.entries[&id]);
    let (seat, version) = (known.seat, narrow(known.version));
    if entry.curator == Curator::Agent {
        return Ok(());
    }
    let others = entry.links.iter().copied().filter(|link| link.role != LinkRole::KnownBy);
    let links = others.chain([Link::known_by(knower, None)]).collect();
    let after = EntryState { links: sorted(links).expect("a few links"), ..entry.clone() };
    let can_be = entry.active() && entry.kind == MemoryKind::Note && seat != Seat::Account && id != knower;
    play.log(format!("  the author says that {knower} knows of {id}"));
    let app = Arc::clone(&play.stage.app);
    let knowers = [KnowerSpec { subject: knower.to_string(), since: None }];
    let answer = app.lens().set_known_by(&id.to_string(), version, &knowers).await;
    let done = play.judge("set_known_by", Must::do_if(can_be && after != entry), answer)?;
    play.settle_if(done, &By::Author, Expected::change(id, after)).await
}

/// Who knows of a fact. The worldbuilder who says so makes the fact their own.
pub async fn set_fact_known_by(play: &mut Play, fact: &FactView, b: u8) -> Checked {
    let Some(knower) = subject(play, b) else { return Ok(()) };
    let can_be = !matches!(fact.known_by.as_slice(), [known] if known.id == knower.to_string());
    play.log(format!("  the author says that {knower} knows of the fact {}", fact.key));
    let app = Arc::clone(&play.stage.app);
    let knowers = [KnowerSpec { subject: knower.to_string(), since: None }];
    let answer = app.fact().set_fact_known_by(&fact.id, &knowers).await;
    if play.judge("set_fact_known_by", Must::do_if(can_be), answer)?.is_some() {
        let key = (play.here(), format!("{}/{}", fact.category, fact.key));
        let slot = play.model.facts.entry(key).or_default();
        slot.set(By::Author, slot.value.clone(), true);
    }
    Ok(())
}
