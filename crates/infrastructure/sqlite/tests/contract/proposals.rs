//! Proposals: filed once, decided once, carried out in one transaction.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::ProposalId,
    memory::{
        MemoryDraft, MemoryEntry,
        change_set::{Action, ChangeSet, MemoryWrite},
        switch::MemorySwitch,
    },
    proposal::{Proposal, ProposalKind, ProposalState},
    provenance::{Actor, Curator},
    scope::Place,
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    proposal::{ProposalCursor, ProposalStore},
    store_error::StoreError,
    testing::builders::{agent, author, draft, import, new_text, task},
};

use super::{CheckedStage, Stage, refused};

const PROPOSED: &str = "Both say it, und Ümlaute — 門.";

fn store(stage: &Stage) -> &dyn ProposalStore {
    stage.memory().proposals.as_ref()
}

async fn notes(stage: &Stage) -> Vec<MemoryEntry> {
    let texts = ["The gate is iron.", "The gate is made of iron.", "The gate is brass."];
    stage.write(author(), texts.map(|text| draft(Place::Workspace, text))).await
}

async fn filed(stage: &Stage, proposal: Proposal) -> Proposal {
    assert!(store(stage).file(&proposal, MemorySwitch::On).await.expect("it is filed"));
    proposal
}

async fn edit(stage: &Stage, entry: &MemoryEntry, text: &str) -> Proposal {
    filed(stage, stage.scribe.proposal(ProposalKind::Edit, &[entry], Some(text))).await
}

async fn get(stage: &Stage, id: ProposalId) -> Proposal {
    let mut found = store(stage).get(&[id]).await.expect("proposals are read");
    found.pop().expect("it is stored")
}

/// What the worldbuilder's consent to a new text comes to.
fn consent(stage: &Stage, actor: Actor, entry: &MemoryEntry, text: &str) -> (ChangeSet, MemoryEntry) {
    let (change, after) = stage.scribe.forced(actor, entry, |e| e.content = text.into());
    (ChangeSet { action: Action::Accept, ..change }, after)
}

/// File and read are a round trip, for every kind; unknown ids are left out.
#[tokio::test]
async fn every_field_of_a_proposal_is_read_back() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let (one, two) = ([&made[0]], [&made[1], &made[0]]);
    let all = [
        stage.scribe.proposal(ProposalKind::Edit, &one, Some(PROPOSED)),
        Proposal {
            actor: task().in_run(stage.scribe.ids.run_id()),
            conversation: Some(stage.conversation.id),
            ..stage.scribe.proposal(ProposalKind::Merge, &two, Some(PROPOSED))
        },
        stage.scribe.proposal(ProposalKind::Retire, &[&made[0], &made[1], &made[2]], None),
        stage.scribe.proposal(ProposalKind::Conflict, &two, None),
    ];
    for proposal in &all {
        filed(&stage, proposal.clone()).await;
        assert_eq!(get(&stage, proposal.id).await, *proposal);
    }
    let ids = [all[2].id, stage.scribe.ids.proposal_id(), all[0].id];
    let mut found = store(&stage).get(&ids).await.expect("proposals are read");
    found.sort_by_key(|p| p.id);
    assert_eq!(found, [all[0].clone(), all[2].clone()]);
    assert_eq!(store(&stage).get(&[]).await.expect("proposals are read"), []);
    for (about, expected) in [(0, vec![0, 1, 2, 3]), (1, vec![1, 2, 3]), (2, vec![2])] {
        let mut found = store(&stage).about(&[made[about].id]).await.expect("proposals are read");
        found.sort_by_key(|p| p.id);
        let expected: Vec<Proposal> = expected.into_iter().map(|n: usize| all[n].clone()).collect();
        assert_eq!(found, expected);
    }
    let found = store(&stage).about(&[made[1].id, made[2].id]).await.expect("proposals are read");
    assert_eq!(found.len(), 3, "each once");
    let again = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    let found = again.memory.proposals.get(&[all[1].id]).await.expect("proposals are read");
    assert_eq!(found, [all[1].clone()]);
}

/// Whoever files it, decided or not. Once its entry has moved on, the same text is something new.
#[tokio::test]
async fn the_same_is_not_proposed_twice() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let first = edit(&stage, &made[0], "The GATE is iron.").await;
    let twin = stage.scribe.proposal(ProposalKind::Edit, &[&made[0]], Some("the gate is iron."));
    assert!(!store(&stage).file(&twin, MemorySwitch::On).await.expect("it is looked at"));
    store(&stage)
        .close(&[first.id], ProposalState::Rejected, stage.scribe.clock.now())
        .await
        .expect("closed");
    assert!(!store(&stage).file(&twin, MemorySwitch::On).await.expect("it is looked at"));
    assert_eq!(store(&stage).get(&[twin.id]).await.expect("proposals are read"), []);
    let moved = stage.apply(stage.scribe.edit(author(), &made[0], new_text("Brass."))).await;
    edit(&stage, &moved, "the gate is iron.").await;
    edit(&stage, &made[0], "Something else.").await;
}

/// About entries of this database alone, and open; nothing is filed otherwise.
#[tokio::test]
async fn a_proposal_is_about_entries_that_exist() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let unknown = MemoryEntry { id: stage.scribe.ids.memory_id(), ..made[0].clone() };
    let lost = stage.scribe.proposal(ProposalKind::Retire, &[&made[0], &unknown], None);
    refused!(store(&stage).file(&lost, MemorySwitch::On).await, StoreError::NotFound("memory"));
    let fine = stage.scribe.proposal(ProposalKind::Retire, &[&made[0]], None);
    refused!(
        stage.account.memory.proposals.file(&fine, MemorySwitch::On).await,
        StoreError::NotFound("memory")
    );
    let decided =
        Proposal { state: ProposalState::Rejected, decided_at: Some(fine.created_at), ..fine.clone() };
    refused!(store(&stage).file(&decided, MemorySwitch::On).await, StoreError::Refused(_));
    filed(&stage, fine.clone()).await;
    let same_id = Proposal { id: fine.id, ..stage.scribe.proposal(ProposalKind::Retire, &[&made[1]], None) };
    refused!(store(&stage).file(&same_id, MemorySwitch::On).await, StoreError::AlreadyExists("proposal"));
    assert_eq!(store(&stage).list(None, None, 9).await.expect("proposals are read"), [fine]);
}

/// Newest first; of equal times by falling id; every one once, whatever the size of a page.
#[tokio::test]
async fn proposals_are_paged_newest_first() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let at = stage.scribe.clock.now();
    let mut all = Vec::new();
    for n in 0..9u8 {
        let created_at = at + chrono::TimeDelta::milliseconds(i64::from(n / 4));
        let text = format!("Text {n}.");
        let proposal = stage.scribe.proposal(ProposalKind::Edit, &[&made[0]], Some(&text));
        all.push(filed(&stage, Proposal { created_at, ..proposal }).await);
    }
    let closed: Vec<ProposalId> = all.iter().step_by(3).map(|p| p.id).collect();
    store(&stage).close(&closed, ProposalState::Superseded, at).await.expect("closed");
    all.sort_by_key(|p| std::cmp::Reverse((p.created_at, p.id)));
    let all: Vec<ProposalId> = all.iter().map(|p| p.id).collect();
    let (superseded, open): (Vec<ProposalId>, Vec<ProposalId>) =
        all.iter().copied().partition(|id| closed.contains(id));
    for (state, expected) in [
        (None, &all),
        (Some(ProposalState::Open), &open),
        (Some(ProposalState::Superseded), &superseded),
        (Some(ProposalState::Accepted), &Vec::new()),
    ] {
        for limit in [1, 2, 4, 100] {
            let (mut found, mut after) = (Vec::new(), None);
            loop {
                let page = store(&stage).list(state, after, limit).await.expect("proposals are read");
                assert!(page.len() <= limit);
                let Some(last) = page.last() else { break };
                after = Some(ProposalCursor { created_at: last.created_at, id: last.id });
                found.extend(page.iter().map(|p| p.id));
            }
            assert_eq!(found, *expected, "{state:?} by {limit}");
        }
    }
    assert_eq!(store(&stage).count_open().await.expect("they are counted"), open.len() as u64);
}

/// Both are there afterwards, or neither.
#[tokio::test]
async fn accepting_a_proposal_and_its_change_are_atomic() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let proposal = edit(&stage, &made[0], PROPOSED).await;
    let (late, _) = consent(&stage, author(), &made[0], PROPOSED);
    let moved = stage.apply(stage.scribe.edit(author(), &made[0], new_text("Brass."))).await;
    refused!(store(&stage).accept(proposal.id, &late).await, StoreError::Stale { .. });
    assert_eq!(get(&stage, proposal.id).await, proposal);
    assert_eq!(stage.store().change(late.stamp.change).await.expect("changes are read"), None);
    let (change, after) = consent(&stage, author(), &moved, PROPOSED);
    store(&stage).accept(proposal.id, &change).await.expect("it is accepted");
    assert_eq!(stage.read(moved.id).await.entry, after);
    let accepted = Proposal {
        state: ProposalState::Accepted,
        decided_at: Some(change.stamp.at),
        change: Some(change.stamp.change),
        ..proposal
    };
    assert_eq!(get(&stage, accepted.id).await, accepted);
    let journal = stage.store().change(change.stamp.change).await.expect("changes are read");
    assert_eq!(journal.map(|found| found.journal.action), Some(Action::Accept));
    assert_eq!(store(&stage).count_open().await.expect("they are counted"), 0);
}

/// Accepted, rejected or superseded: what was decided stays decided, and another attempt writes nothing.
#[tokio::test]
async fn a_proposal_is_decided_once() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage).await;
    let at: DateTime<Utc> = stage.scribe.clock.tick();
    let accepted = edit(&stage, &made[0], "One.").await;
    let (change, after) = consent(&stage, author(), &made[0], "One.");
    store(&stage).accept(accepted.id, &change).await.expect("it is accepted");
    let rejected = edit(&stage, &after, "Two.").await;
    let superseded = edit(&stage, &after, "Three.").await;
    let closing = store(&stage);
    let close = |ids: Vec<ProposalId>, state| async move { closing.close(&ids, state, at).await };
    let ids = vec![accepted.id, rejected.id, rejected.id, stage.scribe.ids.proposal_id()];
    assert_eq!(close(ids, ProposalState::Rejected).await.expect("closed"), 1);
    let ids = vec![rejected.id, superseded.id];
    assert_eq!(close(ids.clone(), ProposalState::Superseded).await.expect("closed"), 1);
    assert_eq!(close(ids, ProposalState::Rejected).await.expect("closed"), 0);
    assert_eq!(close(Vec::new(), ProposalState::Rejected).await.expect("closed"), 0);
    let rejected = Proposal { state: ProposalState::Rejected, decided_at: Some(at), ..rejected };
    assert_eq!(get(&stage, rejected.id).await, rejected);
    assert_eq!(get(&stage, superseded.id).await.state, ProposalState::Superseded);
    let (again, _) = consent(&stage, author(), &after, "Two.");
    for id in [accepted.id, rejected.id, superseded.id] {
        refused!(store(&stage).accept(id, &again).await, StoreError::Moved("proposal"));
    }
    let unknown = stage.scribe.ids.proposal_id();
    refused!(store(&stage).accept(unknown, &again).await, StoreError::NotFound("proposal"));
    assert_eq!(stage.read(after.id).await.entry, after);
}

/// No agent, task or import accepts, and an acceptance is a change of its own kind.
#[tokio::test]
async fn only_the_worldbuilder_accepts_proposals() {
    let stage = CheckedStage::new().await;
    let own = stage.write_one(agent(), draft(Place::Workspace, "The agent's.")).await;
    let proposal = edit(&stage, &own, PROPOSED).await;
    for actor_kind in [agent(), task(), import()] {
        let (change, _) = consent(&stage, actor_kind, &own, PROPOSED);
        refused!(store(&stage).accept(proposal.id, &change).await, StoreError::Locked(_));
    }
    let (change, _) = stage.scribe.edit(author(), &own, new_text(PROPOSED));
    refused!(store(&stage).accept(proposal.id, &change).await, StoreError::Refused(_));
    for state in [ProposalState::Open, ProposalState::Accepted] {
        let closed = store(&stage).close(&[proposal.id], state, stage.scribe.clock.now()).await;
        refused!(closed, StoreError::Refused(_));
    }
    assert_eq!(get(&stage, proposal.id).await, proposal);
    assert_eq!(stage.read(own.id).await.entry, own);
}

/// In either database, for a tier of its own alone. What is made of it names who worded it; it is the author's only if they
/// wrote another text. It is made once.
#[tokio::test]
async fn an_accepted_new_entry_keeps_its_sources() {
    let stage = CheckedStage::new().await;
    let of = |place, text: &str| {
        let tags = vec!["tone".to_owned()];
        stage.scribe.proposal_of_new(MemoryDraft { tags, ..draft(place, text) })
    };
    let [account, workspace] = [&stage.account.memory, stage.memory()];
    for (ports, other, place) in
        [(account, workspace, Place::Account), (workspace, account, Place::Workspace)]
    {
        let proposal = of(place, PROPOSED);
        refused!(other.proposals.file(&proposal, MemorySwitch::On).await, StoreError::Refused(_));
        refused!(ports.proposals.file(&proposal, MemorySwitch::Off).await, StoreError::MemoryOff);
        assert!(ports.proposals.file(&proposal, MemorySwitch::On).await.expect("it is filed"));
        assert!(!ports.proposals.file(&of(place, PROPOSED), MemorySwitch::On).await.expect("the same"));
        let stored = ports.proposals.get(&[proposal.id]).await.expect("read");
        assert_eq!(stored, std::slice::from_ref(&proposal));

        let (accepted, made) = stage.scribe.acceptance(&proposal, PROPOSED);
        let forged = |change: fn(&mut MemoryEntry)| {
            let mut entry = made.clone();
            change(&mut entry);
            ChangeSet { writes: vec![MemoryWrite::Insert(entry)], ..accepted.clone() }
        };
        for change in [
            forged(|entry| entry.curator = Curator::Author),
            forged(|entry| entry.derived_from.clear()),
            ChangeSet { writes: Vec::new(), ..accepted.clone() },
        ] {
            refused!(ports.proposals.accept(proposal.id, &change).await, StoreError::Locked(_));
        }
        ports.proposals.accept(proposal.id, &accepted).await.expect("it is accepted");
        let stored = ports.store.get(&[made.id]).await.expect("entries are read");
        assert_eq!((&stored[0].entry, made.curator), (&made, Curator::Agent));
        refused!(ports.proposals.accept(proposal.id, &accepted).await, StoreError::Moved(_));

        let reworded = of(place, "Another habit.");
        assert!(ports.proposals.file(&reworded, MemorySwitch::On).await.expect("it is filed"));
        let (change, made) = stage.scribe.acceptance(&reworded, "A habit of my own.");
        assert_eq!(made.curator, Curator::Author);
        ports.proposals.accept(reworded.id, &change).await.expect("it is accepted");
    }
}

/// The account keeps its own.
#[tokio::test]
async fn the_account_stores_its_own_proposals() {
    let stage = CheckedStage::new().await;
    let ports = &stage.account.memory;
    let (change, made) = stage.scribe.create(author(), [draft(Place::Account, "A habit.")]);
    ports.store.commit(&change).await.expect("the change is committed");
    let proposal = stage.scribe.proposal(ProposalKind::Edit, &[&made[0]], Some("Another habit."));
    assert!(ports.proposals.file(&proposal, MemorySwitch::On).await.expect("it is filed"));
    assert_eq!(ports.proposals.count_open().await.expect("they are counted"), 1);
    assert_eq!(store(&stage).count_open().await.expect("they are counted"), 0);
    let (change, after) = consent(&stage, author(), &made[0], "Another habit.");
    ports.proposals.accept(proposal.id, &change).await.expect("it is accepted");
    let stored = ports.store.get(&[after.id]).await.expect("entries are read");
    assert_eq!(stored[0].entry, after);
}
