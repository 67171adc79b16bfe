//! Undoing a client reaches what consolidation made of its texts.

use super::*;

/// Two entries of the client and one of the World Agent, told in one text.
async fn consolidated(setup: &Setup, client_session: &ClientSession) -> ([MemoryId; 3], MemoryId) {
    use inklings_domain::provenance::{Actor, ActorKind, Interface as Way};
    let client = Actor::new(ActorKind::Agent, Way::Mcp, Some(client_session.id().run())).expect("a client");
    let gate =
        "At night the old harbour gate of Veyra under the northern tower is shut with a heavy iron bar";
    let mut ids = Vec::new();
    for (more, actor) in
        [("", client), (" since the smugglers came", client), (" and lanterns burn there", agent())]
    {
        let lifetime = inklings_domain::scope::MemoryLifetime::ShortTerm;
        let draft = inklings_domain::memory::MemoryDraft {
            lifetime,
            ..draft(Place::Workspace, &format!("{gate}{more}."))
        };
        ids.push(setup.world.remember(draft, actor).await);
    }
    setup.world.embed().await;
    setup.world.clock.tick();
    let (trigger, by) = (inklings_domain::consolidation::run::RunTrigger::Asked, Interface::Cli);
    let consolidation = setup.world.session.consolidation();
    let run = consolidation.consolidate(
        trigger,
        by,
        &inklings_application::testing::laundering::Joined,
        &inklings_ports::progress::NoProgress,
    );
    assert_eq!(run.await.expect("a run").counts.created, 1);
    let made = setup.world.entry(ids[0]).await.consolidated_into.expect("told by another");
    (ids.try_into().expect("three"), made)
}

#[tokio::test]
async fn undoing_a_client_removes_merged_texts_with_its_words_and_restores_texts_of_others() {
    let (setup, client_session, _) = setup().await;
    let ([one, two, others], made) = consolidated(&setup, &client_session).await;
    let before = setup.world.entry(made).await;
    assert!(before.holds_words_of(client_session.id()), "a merged text says whose words it holds");
    let undone =
        setup.world.session.client_writes().undo_client(client_session.id(), author()).await.expect("undone");
    assert!(undone.conflicts.is_empty(), "{:?}", undone.conflicts.len());
    for gone in [one, two, made] {
        assert!(!setup.world.entry(gone).await.is_active());
    }
    let back = setup.world.entry(others).await;
    assert!(back.is_active() && back.consolidated_into.is_none());
    assert_eq!(undone.restored, 4, "the merged text, its two sources, and what the World Agent had noted");
}

#[tokio::test]
async fn undoing_a_client_marks_the_undone_changes_and_is_not_undoable_itself() {
    let (setup, client_session, _) = setup().await;
    let (_, made) = consolidated(&setup, &client_session).await;
    let session = &setup.world.session;
    let last = session.memories().last_undoable().await.expect("read");
    session.client_writes().undo_client(client_session.id(), author()).await.expect("undone");
    assert_eq!(session.memories().last_undoable().await.expect("read"), last);
    let history = session.workspace.memory.store.history(made).await.expect("read");
    let (undo, merge) = (&history[0].journal, &history[1].journal);
    assert_eq!((undo.undoes, merge.undone_by), (Some(merge.change), Some(undo.change)));
    let reverted =
        session.consolidation().revert_run(merge.run.expect("a run"), author()).await.expect("reverted");
    assert_eq!((reverted.restored, reverted.conflicts.len()), (0, 0), "nothing of the merge is left");
}

#[tokio::test]
async fn a_merged_text_that_a_person_edited_later_is_left_and_reported_as_a_conflict() {
    let (setup, client_session, _) = setup().await;
    let ([_, _, others], made) = consolidated(&setup, &client_session).await;
    let session = &setup.world.session;
    let pin = MemoryPatch { pinned: Some(true), ..MemoryPatch::default() };
    session.memories().edit(made, 1, pin, author()).await.expect("pinned");
    let undone = session.client_writes().undo_client(client_session.id(), author()).await.expect("undone");
    assert_eq!(undone.conflicts.iter().map(|entry| entry.id).collect::<Vec<_>>(), [made]);
    assert!(setup.world.entry(made).await.is_active());
    assert!(!setup.world.entry(others).await.is_active());
}

#[tokio::test]
async fn entries_promoted_by_consolidation_are_undone_with_their_client() {
    let (setup, client_session, _) = setup().await;
    grant(&setup, &client_session, |grants| grants.tiers.workspace = ALL).await;
    let new = NewNote { importance: Some(1.0), ..note("The quay keeper is bribed.") };
    let id = client_session
        .put(at(MemoryScope::Workspace), new)
        .await
        .expect("put")
        .written()
        .expect("a write")
        .id();
    for _ in 0..6 {
        client_session.search(within(MemoryScope::Workspace), "quay keeper", 5).await.expect("read");
    }
    assert_eq!(setup.world.entry(id).await.access_count, 0, "its own reading counts for nothing");
    for _ in 0..6 {
        setup.world.session.orientations().note_uses([(id, MemoryScope::Workspace)]).await;
    }
    let (trigger, by) = (inklings_domain::consolidation::run::RunTrigger::Asked, Interface::Cli);
    let consolidation = setup.world.session.consolidation();
    let run = consolidation.consolidate(
        trigger,
        by,
        &inklings_application::testing::laundering::Joined,
        &inklings_ports::progress::NoProgress,
    );
    assert_eq!(run.await.expect("a run").counts.promoted, 1, "others' reading counts");
    let undone =
        setup.world.session.client_writes().undo_client(client_session.id(), author()).await.expect("undone");
    assert_eq!((undone.restored, undone.conflicts.len()), (1, 0));
    assert!(!setup.world.entry(id).await.is_active());
}
