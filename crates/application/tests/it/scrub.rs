//! Who may scrub and what they must type, on SQLite.

use inklings_application::{
    agent_write::remember::Observed,
    error::{AppError, GuardRefusal},
    proposal::subject,
    scrub::{Operator, ScrubRequest},
};
use inklings_domain::{
    forget_reason::ForgetReason,
    memory::MemoryPatch,
    proposal::{Decision, ProposalDraft, ProposalKind},
    provenance::{Actor, Interface},
    scope::Place,
    scrub::{ScrubFile, ScrubMode, ScrubTarget, SubjectName},
};
use inklings_ports::{
    store_error::StoreError,
    testing::builders::{agent, author, change, draft, new_text, task},
};

use crate::support::World;

async fn request(world: &World, phrase: &str) -> ScrubRequest {
    let (target, mode) = (ScrubTarget::Workspace, ScrubMode::Full);
    let manifest = world.session.scrubs().preview(&target, mode).await.expect("a manifest");
    ScrubRequest { target, mode, hash: manifest.hash, phrase: phrase.to_owned() }
}

#[tokio::test]
async fn only_the_worldbuilder_or_an_allowed_operator_scrubs() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The gate is iron.").await;
    let request = request(&world, "scrub workspace").await;
    for actor in [agent(), task(), Actor::of_interface(Interface::Mcp)] {
        let operator = Operator { actor, name: "somebody".into(), granted: false };
        assert!(matches!(
            world.session.scrubs().execute(&request, &operator).await,
            Err(AppError::ActorKind(_))
        ));
    }
    world.entry(id).await;
    let allowed =
        Operator { actor: Actor::of_interface(Interface::Mcp), name: "harness".into(), granted: true };
    let done = world.session.scrubs().execute(&request, &allowed).await.expect("scrubbed");
    assert_eq!((done.audit.entry.operator.as_str(), done.audit.entry.interface), ("harness", Interface::Mcp));
}

#[tokio::test]
async fn a_scrub_needs_the_right_phrase_and_the_current_hash() {
    let world = World::new().await;
    world.write(Place::Workspace, "The gate is iron.").await;
    let wrong = request(&world, "scrub account").await;
    let operator = Operator::author(author());
    let refused = world.session.scrubs().execute(&wrong, &operator).await;
    assert!(matches!(refused, Err(AppError::Input { field: "phrase", .. })));
    let stale = ScrubRequest { phrase: "scrub workspace".into(), ..wrong };
    world.write(Place::Workspace, "The gate is bronze.").await;
    let refused = world.session.scrubs().execute(&stale, &operator).await;
    assert!(matches!(refused, Err(AppError::Store(StoreError::Moved(_)))));
}

#[tokio::test]
async fn agents_cannot_store_scrubbed_texts_again_and_the_worldbuilder_can() {
    let world = World::new().await;
    world.write(Place::Workspace, "Mira hid the ledger under the quay.").await;
    let request = request(&world, "Scrub workspace").await;
    world.session.scrubs().execute(&request, &Operator::author(author())).await.expect("scrubbed");
    let again = "So I recall: a fact. mira hid the ledger under the quay!";
    for (place, actor) in [(Place::Workspace, agent()), (Place::Account, agent()), (Place::Workspace, task())]
    {
        let observed = Observed {
            draft: draft(place, again),
            conversation: None,
            shown: &[],
            within: None,
            links: inklings_domain::subject::NewLinks::default(),
        };
        let refused = world.session.agent_writes().remember(observed, actor).await;
        assert!(matches!(refused, Err(AppError::Guard(GuardRefusal::Scrubbed))), "{place:?}");
    }
    let observed = Observed {
        draft: draft(Place::Workspace, again),
        conversation: None,
        shown: &[],
        within: None,
        links: inklings_domain::subject::NewLinks::default(),
    };
    world.session.agent_writes().remember(observed, author()).await.expect("their word is theirs");
}

/// A world in which this was scrubbed from the workspace, and whose edits are the agent's own.
async fn scrubbed_world() -> World {
    let world = World::new().await;
    world.write(Place::Workspace, "Mira hid the ledger under the quay.").await;
    let request = request(&world, "scrub workspace").await;
    world.session.scrubs().execute(&request, &Operator::author(author())).await.expect("scrubbed");
    world
}

const AGAIN: &str = "Mira hid the ledger, under the quay!";

fn is_scrubbed<T>(result: &Result<T, AppError>) -> bool {
    matches!(result, Err(AppError::Guard(GuardRefusal::Scrubbed)))
}

#[tokio::test]
async fn no_edit_of_an_agent_stores_a_scrubbed_text() {
    let world = scrubbed_world().await;
    for place in [Place::Workspace, Place::Account] {
        let id = world.remember(draft(place, "Prefers short answers."), agent()).await;
        assert!(
            is_scrubbed(&world.session.memories().edit(id, 1, new_text(AGAIN), agent()).await),
            "{place:?}"
        );
        assert!(
            is_scrubbed(&world.session.memories().edit(id, 1, new_text(AGAIN), task()).await),
            "{place:?}"
        );
        world.session.memories().edit(id, 1, new_text(AGAIN), author()).await.expect("their word is theirs");
    }
    assert!(is_scrubbed(&world.session.memories().create(draft(Place::Workspace, AGAIN), agent()).await));
}

#[tokio::test]
async fn no_fact_of_an_agent_stores_a_scrubbed_text() {
    let world = scrubbed_world().await;
    let session = &world.session;
    assert!(is_scrubbed(&session.facts().set("Mira", "does", AGAIN, None, agent()).await));
    session.facts().set("Mira", "does", AGAIN, None, author()).await.expect("their word is theirs");
    session.facts().set("Oskar", "hides", "a ledger", None, agent()).await.expect("another fact");
}

#[tokio::test]
async fn no_proposal_stores_a_scrubbed_text() {
    let world = scrubbed_world().await;
    let id = world.write(Place::Workspace, "The quay is old.").await;
    let subject = subject(&world.entry(id).await).expect("it is there");
    let draft = |content: &str| ProposalDraft {
        kind: ProposalKind::Edit,
        reason: "as I remember".into(),
        subjects: vec![subject],
        content: Some(content.to_owned()),
        makes: None,
        conversation: None,
        derivations: Vec::new(),
    };
    assert!(is_scrubbed(&world.session.proposals().propose(draft(AGAIN), agent(), None).await));
    let filed = world
        .session
        .proposals()
        .propose(draft("The quay is very old."), agent(), None)
        .await
        .expect("filed");
    let filed = filed.expect("it is new");
    let edited = Decision::AcceptEdited(AGAIN.to_owned());
    world.session.proposals().decide(filed.id, edited, author()).await.expect("their word is theirs");
}

#[tokio::test]
async fn an_undo_of_a_scrubbed_change_is_refused_as_scrubbed() {
    let world = World::new().await;
    assert!(matches!(world.session.memories().undo_last(author()).await, Err(AppError::NothingToUndo)));
    let account = world.write(Place::Account, "Likes short answers.").await;
    world.write(Place::Workspace, "Mira hid the ledger under the quay.").await;
    let change = world.session.memories().last_undoable().await.expect("read").expect("a change").change;
    let request = request(&world, "scrub workspace").await;
    world.session.scrubs().execute(&request, &Operator::author(author())).await.expect("scrubbed");
    assert!(matches!(world.session.memories().undo_change(change, author()).await, Err(AppError::Scrubbed)));
    let undone = world.session.memories().undo_last(author()).await.expect("what is left elsewhere");
    assert_eq!(undone.ids, [account]);
    assert!(matches!(world.session.memories().undo_last(author()).await, Err(AppError::Scrubbed)));
}

#[tokio::test]
async fn nearly_faded_entries_are_counted() {
    let world = World::new().await;
    world.write(Place::Workspace, "Fresh.").await;
    let tiers = world.session.scrubs().tiers().await.expect("tiers");
    assert_eq!(tiers.len(), 4);
    assert_eq!((tiers[2].figures.active, tiers[2].fading, tiers[2].last_consolidation), (1, 0, None));
}

#[tokio::test]
async fn voice_and_soul_are_empty_after_a_scrub_and_stay_removed_if_they_were_removed() {
    for removed in [false, true] {
        let world = World::new().await;
        let session = &world.session;
        session.named_entries().begin(author()).await.expect("made");
        let voice = session.named_entries().get("VOICE", None).await.expect("there");
        let text = MemoryPatch { content: Some("Spare and dry.".into()), ..MemoryPatch::default() };
        session.memories().edit(voice.id, voice.version, text, author()).await.expect("written");
        if removed {
            session.named_entries().remove(voice.id, 2, author()).await.expect("removed");
        }
        let request = request(&world, "scrub workspace").await;
        session.scrubs().execute(&request, &Operator::author(author())).await.expect("scrubbed");
        match session.named_entries().get("VOICE", None).await {
            Ok(fresh) => {
                assert!(!removed && fresh.id != voice.id && fresh.content.is_empty());
                assert_eq!(session.memories().history(fresh.id).await.expect("history").len(), 1);
            }
            Err(error) => assert!(removed, "{error}"),
        }
    }
}

#[tokio::test]
async fn mentions_of_a_subject_in_both_databases_are_reported() {
    let world = World::new().await;
    let kept = world.write(Place::Account, "I based Oskar on an uncle.").await;
    world.write(Place::Workspace, "Oskar hid the ledger.").await;
    let name = SubjectName::new("oskar").expect("a name");
    let target = ScrubTarget::Subject(name, ScrubFile::Workspace);
    let also = world.session.scrubs().also_found(&target, ScrubMode::Full).await.expect("an answer");
    assert_eq!((also.account.memories, also.workspace.memories), (vec![kept], vec![]));
    let found = world.session.scrubs().scrub_entry(kept).await.expect("found in the account");
    assert_eq!(found, ScrubTarget::Entry(kept, ScrubFile::Account));
}

/// Of every tier: a run looks at all of them. And the account knows of runs of other workspaces.
#[tokio::test]
async fn every_tier_reports_its_last_consolidation() {
    use inklings_domain::{
        memory::change_set::{Action, MemoryWrite},
        scope::MemoryScope,
    };
    let world = World::new().await;
    let last_runs = async || {
        let tiers = world.session.scrubs().tiers().await.expect("tiers");
        tiers.into_iter().map(|tier| (tier.figures.scope, tier.last_consolidation)).collect::<Vec<_>>()
    };
    let run = inklings_domain::consolidation::run::Run::begun(
        world.session.ids.run_id(),
        inklings_application::consolidation::TASK,
        inklings_domain::consolidation::run::RunTrigger::Asked,
        world.session.clock.now(),
    );
    let ended = world.clock.tick();
    let run = run.ended(inklings_domain::consolidation::run::RunState::Done, None, ended);
    world.session.workspace.runs.put(&run).await.expect("kept");
    assert!(last_runs().await.iter().all(|(_, last)| *last == Some(ended)), "{:?}", last_runs().await);
    // What a run of another workspace leaves behind in the account.
    let id = world.remember(draft(Place::Account, "Likes tea."), agent()).await;
    let stamp = world.session.stamp(task());
    let faded = world.entry(id).await.forgotten(ForgetReason::Faded, stamp).expect("may fade");
    let change = change(stamp, Action::Consolidate, [MemoryWrite::Update(faded)]);
    world.session.account.memory.store.commit(&change).await.expect("committed");
    for (scope, last) in last_runs().await {
        let expected = if scope == MemoryScope::Account { stamp.at } else { ended };
        assert_eq!(last, Some(expected), "{scope:?}");
    }
}

/// They are in the account's database, and a purge is an act on the world's.
#[tokio::test]
async fn proposals_for_the_account_that_a_purge_leaves_are_counted() {
    let world = World::new().await;
    let conversation = world.session.conversations().begin(None, "").await.expect("begun");
    let id = world.write(Place::Account, "Likes short answers.").await;
    let about = subject(&world.entry(id).await).expect("it is there");
    for (text, conversation) in
        [("Likes short, dry answers.", Some(conversation.id)), ("Likes long answers.", None)]
    {
        let draft = ProposalDraft {
            kind: ProposalKind::Edit,
            reason: "as they wrote".into(),
            subjects: vec![about],
            content: Some(text.to_owned()),
            makes: None,
            conversation,
            derivations: Vec::new(),
        };
        world.session.proposals().propose(draft, agent(), None).await.expect("filed").expect("it is new");
    }
    let target = ScrubTarget::Purge(conversation.id);
    let also = world.session.scrubs().also_found(&target, ScrubMode::Full).await.expect("an answer");
    assert_eq!((also.account.proposals, also.workspace.proposals), (1, 0));
}
