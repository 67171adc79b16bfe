//! The promises of consolidation, kept on SQLite.

mod promises;

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use chrono::Duration;
use inklings_application::{
    consolidation::{
        ConsolidationSettings, MOST_CLUSTERS, MOST_CONFLICTS, MOST_LOOKED_UP, QueueDepths, RunSink, TASK,
    },
    conversation::summarise::{ByModel, Extractive},
    error::AppError,
};
use inklings_domain::{
    consolidation::{
        INSTRUCTIONS, MOST_INSTRUCTIONS,
        run::{Run, RunAct, RunState, RunTrigger},
    },
    forget_reason::ForgetReason,
    ids::MemoryId,
    memory::{
        MemoryDraft, MemoryEntry,
        decay::DecayConfig,
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    proposal::{ProposalKind, ProposalState},
    provenance::{Actor, Curator, Interface},
    scope::{MemoryLifetime, Place},
};
use inklings_ports::{
    conversation::summariser::{Material, Summariser, Summary},
    model::chat::ChatModel,
    testing::{
        builders::{Scribe, agent, author, draft, import, new_text, task},
        chat::{Play, ScriptedModel},
        clock::SequentialIds,
    },
};

use crate::support::World;

/// Hears nothing; stops after so many steps.
struct Steps(AtomicUsize);

impl Steps {
    const fn all() -> Self {
        Self(AtomicUsize::new(usize::MAX))
    }
}

impl RunSink for Steps {
    fn progress(&self, _run: &Run, _stage: &'static str) {}

    fn cancelled(&self) -> bool {
        self.0.fetch_sub(1, Ordering::SeqCst) == 0
    }
}

/// Says what a test wants it to say.
struct Says(Mutex<String>);

#[async_trait::async_trait]
impl Summariser for Says {
    async fn summarise(
        &self,
        _: Material<'_>,
        _turns: &[inklings_domain::conversation::summary::Turn],
        _max_words: usize,
    ) -> Summary {
        let text = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Summary { text, maker: inklings_domain::conversation::episode::SummaryMaker::Model }
    }
}

async fn run_with(world: &World, summariser: &dyn Summariser) -> Run {
    world.clock.tick();
    world
        .session
        .consolidation()
        .consolidate(RunTrigger::Asked, Interface::Cli, summariser, &Steps::all())
        .await
        .expect("a run")
}

pub async fn run(world: &World) -> Run {
    run_with(world, &Extractive).await
}

fn short(text: &str, importance: f64) -> MemoryDraft {
    MemoryDraft { lifetime: MemoryLifetime::ShortTerm, importance, ..draft(Place::Workspace, text) }
}

pub async fn note(world: &World, text: &str, importance: f64, actor: Actor) -> MemoryId {
    world.remember(short(text, importance), actor).await
}

/// Days of use one after the other, so that the decay clock runs.
pub async fn use_for_days(world: &World, days: i64) {
    for _ in 0..days {
        world.clock.advance(Duration::days(1));
        world.session.reload_decay(DecayConfig::BRISK, true).await.expect("decay loads");
    }
}

async fn all(world: &World) -> Vec<MemoryEntry> {
    let filter = MemoryFilter {
        terms: vec![inklings_ports::testing::builders::only(
            inklings_domain::memory::filter::Facet::Forgotten,
            "any",
        )],
        scope_filter: ScopeFilter::EVERYTHING,
    };
    let page = world.session.memories().list(&filter, Sort::CreatedAsc, None, 500).await.expect("a list");
    page.entries.into_iter().map(|stored| stored.entry).collect()
}

#[tokio::test]
async fn faded_entries_are_forgotten_with_reason_and_run_and_useful_ones_are_promoted() {
    let world = World::new().await;
    let faded = note(&world, "The innkeeper coughs.", 0.3, agent()).await;
    let mine = note(&world, "The innkeeper limps.", 0.3, author()).await;
    let brought = note(&world, "The innkeeper sings.", 0.3, import()).await;
    use_for_days(&world, 60).await;
    let useful = note(&world, "The gate opens at dawn.", 0.9, agent()).await;
    for _ in 0..4 {
        world
            .session
            .orientations()
            .note_uses([(useful, inklings_domain::scope::MemoryScope::Workspace)])
            .await;
    }
    let run = run(&world).await;
    assert_eq!((run.state, run.counts.faded, run.counts.promoted), (RunState::Done, 1, 1));
    let mark = world.entry(faded).await.forgotten.expect("forgotten");
    assert_eq!((mark.reason, mark.run), (ForgetReason::Faded, Some(run.id)));
    assert_eq!(world.entry(useful).await.lifetime, MemoryLifetime::LongTerm);
    assert!(world.entry(mine).await.is_active() && world.entry(brought).await.is_active());
    let items = world.session.consolidation().run_items(run.id).await.expect("a report");
    let acts: Vec<_> = items.iter().map(|item| (item.entry.id, item.act)).collect();
    assert!(acts.contains(&(faded, RunAct::Faded)) && acts.contains(&(useful, RunAct::Promoted)), "{acts:?}");
}

#[tokio::test]
async fn a_preview_reports_the_actions_of_a_run_and_changes_nothing() {
    let world = World::new().await;
    note(&world, "The gate is iron.", 0.5, agent()).await;
    note(&world, "the gate is iron", 0.5, agent()).await;
    let before = all(&world).await;
    let preview = world.session.consolidation().preview().await.expect("a preview");
    assert_eq!(all(&world).await, before);
    let run = run(&world).await;
    assert_eq!((preview.counts.merged, run.counts.merged), (1, 1));
    assert_eq!(preview.items.len(), 1);
}

#[tokio::test]
async fn a_second_run_changes_nothing_and_reverting_a_run_restores_every_entry() {
    let world = World::new().await;
    for n in 0..6 {
        note(&world, &format!("The harbour gate of Veyra has guard number {n} at night."), 0.5, agent())
            .await;
    }
    note(&world, "The gate is iron.", 0.5, author()).await;
    note(&world, "the gate is iron", 0.5, agent()).await;
    note(&world, "A passing thought.", 0.02, agent()).await;
    use_for_days(&world, 20).await;
    world.embed().await;
    let before = all(&world).await;
    let first = run(&world).await;
    assert!(!first.counts.is_idle());
    let after = all(&world).await;
    let second = run(&world).await;
    assert!(second.counts.is_idle(), "{:?}", second.counts);
    assert_eq!(all(&world).await, after);
    let reverted = world.session.consolidation().revert_run(first.id, author()).await.expect("taken back");
    assert!(reverted.conflicts.is_empty());
    for entry in before {
        assert!(world.entry(entry.id).await.same_body(&entry), "{:?}", entry.id);
    }
    assert_eq!(reverted.run.state, RunState::Reverted);
    let again = world.session.consolidation().revert_run(first.id, author()).await;
    assert!(matches!(again, Err(AppError::AlreadyUndone)), "{again:?}");
}

#[tokio::test]
async fn reverting_a_run_leaves_and_reports_entries_edited_since() {
    let world = World::new().await;
    let a = note(&world, "A passing thought.", 0.001, agent()).await;
    let b = note(&world, "Another passing thought of hers.", 0.001, agent()).await;
    let run = run(&world).await;
    assert_eq!(run.counts.faded, 2);
    world.session.memories().restore(&[a], author()).await.expect("restored");
    let version = world.entry(a).await.version;
    world
        .session
        .memories()
        .edit(a, version, new_text("It mattered after all."), author())
        .await
        .expect("edited");
    let reverted = world.session.consolidation().revert_run(run.id, author()).await.expect("taken back");
    assert_eq!((reverted.restored, reverted.conflicts.len()), (1, 1));
    assert_eq!(world.entry(a).await.content, "It mattered after all.");
    assert!(world.entry(b).await.is_active());
}

#[tokio::test]
async fn a_contradiction_becomes_a_proposal_and_both_stay() {
    let world = World::new().await;
    let a = note(&world, "Her favourite colour is purple.", 0.5, agent()).await;
    let b = note(&world, "Her favourite colour is cyan.", 0.5, agent()).await;
    // Without vectors the words decide.
    world.session.embedder.set(None);
    let run = run(&world).await;
    assert_eq!((run.counts.merged, run.counts.proposed), (0, 1));
    assert!(world.entry(a).await.is_active() && world.entry(b).await.is_active());
    let open =
        world.session.proposals().list(Some(ProposalState::Open), None, 10).await.expect("a page").rows;
    assert_eq!((open.len(), open[0].kind), (1, ProposalKind::Conflict));
}

#[tokio::test]
async fn a_rewrite_that_loses_a_name_becomes_a_proposal() {
    for (text, complete) in
        [("Behind the mill Mira keeps her bees.", true), ("Bees are kept behind the mill.", false)]
    {
        let world = World::new().await;
        for text in [
            "Mira keeps bees.",
            "Mira keeps bees behind the mill.",
            "Behind the mill Mira keeps bees of hers.",
        ] {
            note(&world, text, 0.5, agent()).await;
        }
        world.embed().await;
        let run = run_with(&world, &Says(Mutex::new(text.into()))).await;
        let expected = if complete { (1, 0) } else { (0, 1) };
        assert_eq!((run.counts.created, run.counts.proposed), expected, "{text}");
        let open =
            world.session.proposals().list(Some(ProposalState::Open), None, 10).await.expect("a page").rows;
        let proposed: Vec<_> = open.iter().map(|row| (row.kind, row.content.as_deref())).collect();
        let expected = if complete { vec![] } else { vec![(ProposalKind::Merge, Some(text))] };
        assert_eq!(proposed, expected);
    }
}

#[tokio::test]
async fn a_consolidated_text_belongs_to_the_agent_and_is_not_consolidated_again() {
    let world = World::new().await;
    for text in
        ["Mira keeps bees.", "Mira keeps bees behind the mill.", "Behind the mill Mira keeps her bees."]
    {
        note(&world, text, 0.5, agent()).await;
    }
    world.embed().await;
    let first = run_with(&world, &Says(Mutex::new("Mira keeps bees behind the mill.".into()))).await;
    if first.counts.created > 0 {
        let made = all(&world).await.into_iter().find(|entry| entry.source == "consolidation").expect("made");
        assert_eq!(made.curator, Curator::Agent);
    }
    let second = run_with(&world, &Says(Mutex::new("Mira.".into()))).await;
    assert!(second.counts.is_idle(), "{:?}", second.counts);
}

#[tokio::test]
async fn a_model_cannot_write_a_scrubbed_text_again_in_consolidation() {
    use inklings_domain::scrub::{ScrubMode, ScrubTarget};
    let gate =
        "At night the old harbour gate of Veyra under the northern tower is shut with a heavy iron bar";
    let reported = &format!("{gate} since the smugglers came, and lanterns burn there.");
    for scrubbed in [false, true] {
        let world = World::new().await;
        if scrubbed {
            world.write(Place::Workspace, reported).await;
            let (target, mode) = (ScrubTarget::Workspace, ScrubMode::Full);
            let hash = world.session.scrubs().preview(&target, mode).await.expect("a manifest").hash;
            let request = inklings_application::scrub::ScrubRequest {
                target,
                mode,
                hash,
                phrase: "scrub workspace".into(),
            };
            let operator = inklings_application::scrub::Operator::author(author());
            world.session.scrubs().execute(&request, &operator).await.expect("scrubbed");
        }
        for more in ["", " since the smugglers came", " and lanterns burn there"] {
            note(&world, &format!("{gate}{more}."), 0.5, agent()).await;
        }
        world.embed().await;
        let run = run_with(&world, &Says(Mutex::new(reported.clone()))).await;
        let proposed = world.session.proposals().list(None, None, 9).await.expect("a page").rows;
        let texts = proposed.iter().filter_map(|proposal| proposal.content.as_ref());
        let kept = all(&world).await;
        let mut texts = texts.chain(kept.iter().map(|entry| &entry.content));
        assert_eq!(texts.any(|text| text == reported), !scrubbed, "{:?}", run.counts);
    }
}

#[tokio::test]
async fn a_cancelled_run_keeps_its_changes_and_an_interrupted_run_is_resumed() {
    let world = World::new().await;
    for n in 0..450 {
        note(&world, &format!("Passing thought number {n} of many."), 0.001, agent()).await;
    }
    let sink = Steps(AtomicUsize::new(2));
    let cancelled = world
        .session
        .consolidation()
        .consolidate(RunTrigger::Asked, Interface::Cli, &Extractive, &sink)
        .await
        .expect("a run");
    assert_eq!((cancelled.state, cancelled.counts.faded), (RunState::Cancelled, 200));
    // As a crash leaves it.
    let cut_off = Run { state: RunState::Running, finished_at: None, ..cancelled.clone() };
    world.session.workspace.runs.put(&cut_off).await.expect("kept");
    let resumed = run(&world).await;
    assert_eq!((resumed.id, resumed.state), (cancelled.id, RunState::Done));
    let reverted = world.session.consolidation().revert_run(resumed.id, author()).await.expect("taken back");
    assert_eq!(reverted.restored, 450, "both halves are one run");
}

#[tokio::test]
async fn an_agent_neither_reverts_nor_pins() {
    let world = World::new().await;
    note(&world, "A passing thought.", 0.001, agent()).await;
    let run = run(&world).await;
    for actor in [agent(), task()] {
        assert!(world.session.consolidation().revert_run(run.id, actor).await.is_err());
    }
    assert!(world.session.workspace.runs.latest(TASK).await.expect("read").is_some());
}

#[tokio::test]
async fn settings_that_make_no_sense_are_refused_by_field() {
    let world = World::new().await;
    let bad = ConsolidationSettings { cap: 5, ..ConsolidationSettings::default() };
    let refused = world.session.consolidation().set_settings(bad).await;
    assert!(matches!(refused, Err(AppError::Input { field: "cap", .. })), "{refused:?}");
    let long = Some("a".repeat(MOST_INSTRUCTIONS + 1));
    let bad = ConsolidationSettings { instructions: long, ..ConsolidationSettings::default() };
    let refused = world.session.consolidation().set_settings(bad).await;
    assert!(matches!(refused, Err(AppError::Input { field: "instructions", .. })), "{refused:?}");
}

#[tokio::test]
async fn the_depth_that_was_stored_for_all_tiers_stays_in_force() {
    let world = World::new().await;
    let stored = r#"{"automatic":true,"idle_minutes":10,"queue_depth":7,"cap":100,"rewrite":false}"#;
    world.session.workspace.settings.set_setting("consolidation", stored).await.expect("set");
    let read = world.session.consolidation().settings().await.expect("read");
    assert_eq!((read.queue_depths, read.cap, read.rewrite), (QueueDepths::all(7), 100, false));
}

#[tokio::test]
async fn a_model_gets_the_instructions_of_the_worldbuilder_and_never_without_the_guard() {
    const OWN: &str = "Write one sentence in the present tense.";
    for (own, expected) in [(Some(OWN), OWN), (Some("  "), INSTRUCTIONS), (None, INSTRUCTIONS)] {
        let world = World::new().await;
        let settings = ConsolidationSettings {
            instructions: own.map(str::to_owned),
            ..ConsolidationSettings::default()
        };
        world.session.consolidation().set_settings(settings).await.expect("set");
        for text in [
            "Mira keeps bees.",
            "Mira keeps bees behind the mill.",
            "Behind the mill Mira keeps bees of hers.",
        ] {
            note(&world, text, 0.5, agent()).await;
        }
        world.embed().await;
        let model = Arc::new(ScriptedModel::new([Play::Says(vec!["Behind the mill Mira keeps her bees."])]));
        run_with(&world, &ByModel(vec![Arc::clone(&model) as Arc<dyn ChatModel>])).await;
        let asked = model.requests();
        let system = &asked.first().expect("asked").system;
        assert!(system.starts_with(expected), "{system}");
        assert!(system.contains("never an instruction to you"), "{system}");
    }
}

/// Every act of a run, each taken back in every way there is.
#[tokio::test]
async fn a_reverted_act_is_not_repeated_until_the_text_changes() {
    for whole in [true, false] {
        let world = World::new().await;
        let faded = note(&world, "The innkeeper coughs.", 0.001, agent()).await;
        let messages = note(&world, "The gate is iron.", 0.5, agent()).await;
        let again = note(&world, "the gate is iron", 0.5, agent()).await;
        let useful = note(&world, "The bridge opens at dawn.", 0.9, agent()).await;
        for _ in 0..4 {
            world
                .session
                .orientations()
                .note_uses([(useful, inklings_domain::scope::MemoryScope::Workspace)])
                .await;
        }
        let mut reported = Vec::new();
        for text in BEES {
            reported.push(note(&world, text, 0.5, agent()).await);
        }
        world.embed().await;
        let says = Says(Mutex::new("Mira keeps bees and goats behind the mill of Soln.".into()));
        let first = run_with(&world, &says).await;
        let counts = (first.counts.faded, first.counts.merged, first.counts.promoted, first.counts.rewritten);
        assert_eq!(counts, (1, 1, 1, 3), "the run does one of each");
        if whole {
            world.session.consolidation().revert_run(first.id, author()).await.expect("taken back");
        } else {
            let restored = [faded, messages, again, reported[0], reported[1], reported[2]];
            world.session.memories().restore(&restored, author()).await.expect("restored");
            for entry in all(&world).await.iter().filter(|entry| entry.source == "consolidation") {
                world.session.memories().forget(&[entry.id], "no", author()).await.expect("forgotten");
            }
            let patch = inklings_domain::memory::MemoryPatch {
                lifetime: Some(MemoryLifetime::ShortTerm),
                ..Default::default()
            };
            let version = world.entry(useful).await.version;
            world.session.memories().edit(useful, version, patch, author()).await.expect("edited");
        }
        world.embed().await;
        let second = run_with(&world, &says).await;
        assert!(second.counts.is_idle(), "whole: {whole}: {:?}", second.counts);
    }
}

/// Three texts near enough to be told in one.
const BEES: [&str; 3] = [
    "Mira keeps bees and goats behind the mill.",
    "Mira keeps bees and goats behind the mill of Soln.",
    "Behind the mill of Soln Mira keeps bees and goats.",
];

#[tokio::test]
async fn a_changed_text_is_worked_on_again_after_a_revert() {
    let world = World::new().await;
    let one = note(&world, "The gate is iron.", 0.5, agent()).await;
    let other = note(&world, "the gate is iron", 0.5, agent()).await;
    let first = run(&world).await;
    assert_eq!(first.counts.merged, 1);
    world.session.consolidation().revert_run(first.id, author()).await.expect("taken back");
    assert_eq!(run(&world).await.counts.merged, 0);
    // An agent does not note again what is noted already; the worldbuilder may.
    for (id, text, actor) in [(one, "The door is oak.", agent()), (other, "the door is oak", author())] {
        let version = world.entry(id).await.version;
        world.session.memories().edit(id, version, new_text(text), actor).await.expect("edited");
    }
    assert_eq!(run(&world).await.counts.merged, 1);
}

#[tokio::test]
async fn reverting_a_run_withdraws_its_proposals_and_they_are_not_repeated_until_a_text_changes() {
    let world = World::new().await;
    let a = note(&world, "The favourite colour of Anselm is purple.", 0.5, agent()).await;
    note(&world, "The favourite colour of Anselm is cyan.", 0.5, agent()).await;
    note(&world, "A passing thought.", 0.001, agent()).await;
    let first = run(&world).await;
    assert_eq!((first.counts.proposed, first.counts.faded), (1, 1));
    world.session.consolidation().revert_run(first.id, author()).await.expect("taken back");
    assert_eq!(world.session.proposals().count_open().await.expect("counted"), 0);
    // Another version of the same text.
    let version = world.entry(a).await.version;
    world
        .session
        .memories()
        .edit(a, version, inklings_ports::testing::builders::new_tags(&["colour"]), author())
        .await
        .expect("tagged");
    assert_eq!(run(&world).await.counts.proposed, 0);
    let preview = world.session.consolidation().preview().await.expect("a preview");
    assert_eq!(preview.counts.proposed, 0);
    let version = world.entry(a).await.version;
    world
        .session
        .memories()
        .edit(a, version, new_text("The favourite colour of Anselm is red."), author())
        .await
        .expect("edited");
    assert_eq!(run(&world).await.counts.proposed, 1);
}

/// More of each than one run does.
#[tokio::test]
async fn runs_continue_where_the_last_one_reached_its_limits_until_nothing_is_left() {
    let syllables = ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu"];
    let name =
        |n: usize| format!("{}{}{}", syllables[n % 10], syllables[n / 10 % 10], syllables[(n * 7 + 3) % 10]);
    let world = World::new().await;
    let clusters = MOST_CLUSTERS + 5;
    for n in 0..clusters {
        let words: Vec<String> =
            ["ra", "se", "ti", "vo", "wu", "ya"].iter().map(|end| name(n) + end).collect();
        for turn in [0, 2, 4] {
            let mut messages = words.clone();
            messages.rotate_left(turn);
            note(&world, &messages.join(" "), 0.5, agent()).await;
        }
    }
    let conflicts = MOST_CONFLICTS + 20;
    for n in 0..conflicts {
        for colour in ["purple", "cyan"] {
            let text = format!("The banner of {}nor is {colour}.", name(n).to_uppercase());
            note(&world, &text, 0.5, agent()).await;
        }
    }
    world.embed().await;
    let (mut created, mut proposed, mut runs) = (0, 0, 0);
    let preview = world.session.consolidation().preview().await.expect("a preview").counts;
    loop {
        let run = run(&world).await;
        world.embed().await;
        runs += 1;
        assert!(run.counts.created <= MOST_CLUSTERS as u64);
        if runs == 1 {
            assert_eq!((preview.created, preview.proposed), (run.counts.created, run.counts.proposed));
        }
        created += run.counts.created;
        proposed += run.counts.proposed;
        if run.counts.is_idle() {
            break;
        }
        assert!(runs < 10, "it comes to an end");
    }
    assert_eq!((created, proposed), (clusters as u64, conflicts as u64), "{runs} runs");
}

/// Two contradict each other in front of what one run compares, and two behind it.
#[tokio::test]
async fn more_entries_than_one_run_compares_are_all_compared() {
    let world = World::new().await;
    world.session.embedder.set(None);
    let settings = ConsolidationSettings { cap: 0, ..ConsolidationSettings::default() };
    world.session.consolidation().set_settings(settings).await.expect("set");
    let scribe = Scribe::new(Arc::clone(&world.clock), Arc::new(SequentialIds::seeded(7)));
    let conflict = |of: &str| ["red", "blue"].map(|colour| format!("The banner of {of} is {colour}."));
    let texts = conflict("Aldmoor")
        .into_iter()
        .chain((0..MOST_LOOKED_UP + 46).map(|n| format!("w{n}a w{n}b.")))
        .chain(conflict("Brennholt"));
    let (change, entries) = scribe.create(agent(), texts.map(|text| short(&text, 0.5)));
    world.session.workspace.memory.store.commit(&change).await.expect("written");
    assert_eq!(entries.len(), MOST_LOOKED_UP + 50);
    for proposed in [1, 1, 0] {
        assert_eq!(run(&world).await.counts.proposed, proposed);
    }
}
