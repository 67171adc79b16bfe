//! The promises of proposals, kept on SQLite.

use inklings_application::{error::AppError, proposal::subject};
use inklings_domain::{
    ids::{MemoryId, ProposalId},
    memory::InvalidMemory,
    proposal::{Decision, InvalidProposal, ProposalDraft, ProposalKind, ProposalState, Subject},
    provenance::{Actor, Curator},
    scope::Place,
};
use inklings_ports::testing::builders::{agent, author, new_text, task};

use crate::support::World;

async fn file(
    world: &World,
    kind: ProposalKind,
    ids: &[MemoryId],
    text: Option<&str>,
    actor: Actor,
) -> Option<ProposalId> {
    let mut subjects = Vec::new();
    for id in ids {
        subjects.push(subject(&world.entry(*id).await).expect("in use"));
    }
    let draft = ProposalDraft {
        kind,
        reason: "a test".into(),
        subjects,
        content: text.map(str::to_owned),
        makes: None,
        conversation: None,
        derivations: Vec::new(),
    };
    world.session.proposals().propose(draft, actor, None).await.expect("valid").map(|proposal| proposal.id)
}

async fn state(world: &World, id: ProposalId) -> ProposalState {
    world.session.proposals().get(id).await.expect("there").state
}

#[tokio::test]
async fn an_accepted_edit_belongs_to_the_author_and_can_be_undone() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The gate is iron.").await;
    let filed =
        file(&world, ProposalKind::Edit, &[id], Some("The gate is bronze."), agent()).await.expect("new");
    assert_eq!(world.entry(id).await.content, "The gate is iron.", "a proposal changes nothing");
    let change = world
        .session
        .proposals()
        .decide(filed, Decision::Accept, author())
        .await
        .expect("decided")
        .expect("a change");
    assert_eq!(
        (world.entry(id).await.content.as_str(), state(&world, filed).await),
        ("The gate is bronze.", ProposalState::Accepted)
    );
    assert_eq!(world.entry(id).await.curator, Curator::Author);
    world.session.memories().undo_change(change, author()).await.expect("taken back");
    assert_eq!(world.entry(id).await.content, "The gate is iron.");
}

#[tokio::test]
async fn only_the_worldbuilder_decides_proposals() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The gate is iron.").await;
    let filed = file(&world, ProposalKind::Retire, &[id], None, agent()).await.expect("new");
    for actor in [agent(), task()] {
        let decided = world.session.proposals().decide(filed, Decision::Accept, actor).await;
        assert!(matches!(decided, Err(AppError::Memory(InvalidMemory::Locked))), "{decided:?}");
    }
    assert!(world.entry(id).await.is_active());
}

#[tokio::test]
async fn a_merge_leaves_one_entry_that_its_sources_refer_to() {
    let world = World::new().await;
    let a = world.write(Place::Workspace, "The gate is iron.").await;
    let b = world.write(Place::Workspace, "It was forged in 1432.").await;
    let filed =
        file(&world, ProposalKind::Merge, &[a, b], Some("The iron gate."), task()).await.expect("new");
    let edited = Decision::AcceptEdited("The iron gate was forged in 1432.".into());
    world.session.proposals().decide(filed, edited, author()).await.expect("decided");
    let into = world.entry(a).await.consolidated_into.expect("told by another");
    assert_eq!(world.entry(b).await.consolidated_into, Some(into));
    assert!(!world.entry(a).await.is_active());
    assert_eq!(world.entry(into).await.content, "The iron gate was forged in 1432.");
}

#[tokio::test]
async fn the_worldbuilder_keeps_one_or_both_of_two_contradicting_entries() {
    for (decision, older, newer) in [
        (Decision::NewerWins, false, true),
        (Decision::OlderWins, true, false),
        (Decision::Reject, true, true),
    ] {
        let world = World::new().await;
        let a = world.write(Place::Workspace, "Favourite colour: purple.").await;
        let b = world.write(Place::Workspace, "Favourite colour: cyan.").await;
        let filed = file(&world, ProposalKind::Conflict, &[b, a], None, task()).await.expect("new");
        world.session.proposals().decide(filed, decision.clone(), author()).await.expect("decided");
        let kept = (world.entry(a).await.is_active(), world.entry(b).await.is_active());
        assert_eq!(kept, (older, newer), "{decision:?}");
    }
}

#[tokio::test]
async fn a_proposal_is_not_decided_if_its_entry_changed_since() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The gate is iron.").await;
    let filed = file(&world, ProposalKind::Edit, &[id], Some("Bronze."), agent()).await.expect("new");
    world.session.memories().edit(id, 1, new_text("The gate is oak."), author()).await.expect("edited");
    let decided = world.session.proposals().decide(filed, Decision::Accept, author()).await;
    assert!(matches!(decided, Err(AppError::Stale { given: 1, .. })), "{decided:?}");
    assert_eq!(world.entry(id).await.content, "The gate is oak.");
    world
        .session
        .proposals()
        .decide(filed, Decision::Reject, author())
        .await
        .expect("a rejection needs no fresh look");
}

#[tokio::test]
async fn a_proposal_is_filed_once_and_not_again_after_a_rejection() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The gate is iron.").await;
    let filed = file(&world, ProposalKind::Retire, &[id], None, agent()).await.expect("new");
    assert_eq!(file(&world, ProposalKind::Retire, &[id], None, task()).await, None);
    world.session.proposals().decide(filed, Decision::Reject, author()).await.expect("decided");
    assert_eq!(file(&world, ProposalKind::Retire, &[id], None, agent()).await, None);
    world.session.memories().edit(id, 1, new_text("The gate is oak."), author()).await.expect("edited");
    assert!(
        file(&world, ProposalKind::Retire, &[id], None, agent()).await.is_some(),
        "another version is another matter"
    );
}

#[tokio::test]
async fn a_proposal_about_a_removed_entry_is_superseded() {
    let world = World::new().await;
    let id = world.write(Place::Workspace, "The gate is iron.").await;
    let filed = file(&world, ProposalKind::Retire, &[id], None, agent()).await.expect("new");
    world.session.memories().forget(&[id], "mine to say", author()).await.expect("forgotten");
    let decided = world.session.proposals().decide(filed, Decision::Accept, author()).await;
    assert!(matches!(decided, Err(AppError::Proposal(InvalidProposal::Superseded))), "{decided:?}");
    assert_eq!(state(&world, filed).await, ProposalState::Superseded);
    assert_eq!(world.session.proposals().count_open().await.expect("counted"), 0);
}

#[tokio::test]
async fn proposals_never_mix_account_and_workspace_and_are_listed_together() {
    let world = World::new().await;
    let a = world.write(Place::Account, "Prefers tea.").await;
    let b = world.write(Place::Workspace, "The gate is iron.").await;
    let mut subjects: Vec<Subject> = Vec::new();
    for id in [a, b] {
        subjects.push(subject(&world.entry(id).await).expect("in use"));
    }
    let draft = ProposalDraft {
        kind: ProposalKind::Retire,
        reason: "both".into(),
        subjects,
        content: None,
        makes: None,
        conversation: None,
        derivations: Vec::new(),
    };
    let mixed = world.session.proposals().propose(draft, agent(), None).await;
    assert!(matches!(mixed, Err(AppError::Input { field: "subjects", .. })), "{mixed:?}");
    for id in [a, b] {
        world.clock.tick();
        file(&world, ProposalKind::Retire, &[id], None, agent()).await.expect("new");
    }
    let page = world.session.proposals().list(Some(ProposalState::Open), None, 1).await.expect("a page");
    assert_eq!((page.rows.len(), page.rows[0].subjects[0].id), (1, b));
    let rest = world.session.proposals().list(None, page.next, 10).await.expect("a page");
    assert_eq!((rest.rows.len(), rest.rows[0].subjects[0].id, rest.next), (1, a, None));
}
