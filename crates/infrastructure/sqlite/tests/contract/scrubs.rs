//! The promises of scrubs and of the overview.

use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    channel::Channel,
    conversation::{
        Conversation,
        message::{NewMessage, Role},
        title::TitleSource,
    },
    derivation::Derivation,
    forget_reason::ForgetReason,
    memory::{Forgotten, MemoryDraft, MemoryEntry, Origin, switch::MemorySwitch},
    orientation::shown::{Reader, Showing, ShownRead, Through},
    proposal::ProposalKind,
    provenance::Interface,
    scope::{MemoryScope, Place},
    scrub::{
        Manifest, Phrases, ScrubFile, ScrubMode, ScrubRows, ScrubTarget, SubjectName, fingerprint_forms,
    },
};
use inklings_ports::{
    clock::IdGenerator,
    orientation::ReadFilter,
    scrub::{ScrubOrder, Scrubbed},
    store_error::StoreError,
    testing::builders::{agent, author, draft, new_text},
    workspace::catalogue::MemoryPorts,
};

use super::{CheckedStage, Stage};

fn order(stage: &Stage, manifest: &Manifest) -> ScrubOrder {
    let entry = AuditEntry {
        act: AuditAct::Scrub,
        scope: manifest.target.scope(),
        mode: Some(manifest.mode),
        manifest: String::new(),
        operator: "author".into(),
        interface: Interface::Cli,
        at: stage.scribe.stamp(author()).at,
    };
    ScrubOrder { target: manifest.target.clone(), mode: manifest.mode, hash: manifest.hash.clone(), entry }
}

async fn preview(memory: &MemoryPorts, target: &ScrubTarget, mode: ScrubMode) -> Manifest {
    memory.scrub.manifest(target, mode).await.expect("a manifest")
}

pub async fn scrub(stage: &Stage, memory: &MemoryPorts, target: &ScrubTarget, mode: ScrubMode) -> Scrubbed {
    let manifest = preview(memory, target, mode).await;
    let done = memory.scrub.scrub(&order(stage, &manifest)).await.expect("it is carried out");
    assert_eq!(done.manifest, manifest);
    assert_eq!(done.proof.residues, 0, "{:?}", done.proof);
    done
}

pub fn rows(manifest: &Manifest, kind: ScrubRows) -> u64 {
    manifest.counts.iter().find(|(of, _)| *of == kind).map_or(0, |(_, rows)| *rows)
}

async fn left(memory: &MemoryPorts, entries: &[MemoryEntry]) -> Vec<bool> {
    let mut there = Vec::new();
    for entry in entries {
        there.push(!memory.store.get(&[entry.id]).await.expect("reads").is_empty());
    }
    there
}

/// One entry in every place of the workspace's database.
async fn everywhere(stage: &Stage) -> Vec<MemoryEntry> {
    let places = stage.places();
    stage
        .write(author(), places.iter().enumerate().map(|(n, place)| draft(*place, &format!("Text {n}."))))
        .await
}

/// Each tier and room by itself; the rest stays.
#[tokio::test]
async fn a_scrub_deletes_only_its_own_tier_channel_or_conversation() {
    let stage = CheckedStage::new().await;
    let targets = [
        ScrubTarget::Workspace,
        ScrubTarget::Channel(stage.general.id),
        ScrubTarget::Channel(stage.side.id),
        ScrubTarget::Conversation(stage.conversation.id),
        ScrubTarget::Conversation(stage.side_conversation.id),
    ];
    let entries = everywhere(&stage).await;
    for (n, target) in targets.iter().enumerate() {
        let done = scrub(&stage, stage.memory(), target, ScrubMode::Full).await;
        assert_eq!(rows(&done.manifest, ScrubRows::Memories), 1, "{target:?}");
        let expected: Vec<bool> = (0..entries.len()).map(|at| at > n).collect();
        assert_eq!(left(stage.memory(), &entries).await, expected, "{target:?}");
    }
}

/// And the other way round.
#[tokio::test]
async fn account_and_workspace_are_scrubbed_separately() {
    let stage = CheckedStage::new().await;
    let mine = stage.write_one(author(), draft(Place::Workspace, "Mine.")).await;
    let (change, habit) = stage.scribe.create(author(), [draft(Place::Account, "A habit.")]);
    let accounts = &stage.account.memory;
    accounts.store.commit(&change).await.expect("written");
    scrub(&stage, accounts, &ScrubTarget::Account, ScrubMode::Full).await;
    assert_eq!(left(accounts, &habit).await, [false]);
    assert_eq!(left(stage.memory(), &[mine]).await, [true]);
    for (memory, target) in [(accounts, ScrubTarget::Workspace), (stage.memory(), ScrubTarget::Account)] {
        let refused = memory.scrub.manifest(&target, ScrubMode::Full).await;
        assert!(matches!(refused, Err(StoreError::NotFound(_))), "{refused:?}");
    }
}

/// Their history goes too, and what was proposed about them.
#[tokio::test]
async fn a_scrub_deletes_history_and_proposals_of_its_entries() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    let entry = stage.write_one(agent(), draft(Place::Workspace, "First.")).await;
    let (change, entry) = stage.scribe.edit(agent(), &entry, new_text("Second."));
    stage.commit(&change).await;
    let proposal = stage.scribe.proposal(ProposalKind::Edit, &[&entry], Some("Third."));
    assert!(memory.proposals.file(&proposal, MemorySwitch::On).await.expect("filed"));
    let done = scrub(&stage, memory, &ScrubTarget::Workspace, ScrubMode::Full).await;
    assert_eq!(rows(&done.manifest, ScrubRows::Versions), 1);
    assert_eq!(rows(&done.manifest, ScrubRows::Proposals), 1);
    assert!(memory.store.history(entry.id).await.expect("history").is_empty());
    assert!(memory.proposals.get(&[proposal.id]).await.expect("proposals").is_empty());
}

/// What would have been a new entry goes with the tier it was meant for, whether it was accepted or not; the text is known
/// from then on. It goes with the entry that was made of it, and with a subject that it names.
#[tokio::test]
async fn proposals_of_new_entries_are_scrubbed() {
    let stage = CheckedStage::new().await;
    for (memory, place, tier) in [
        (&stage.account.memory, Place::Account, ScrubTarget::Account),
        (stage.memory(), Place::Workspace, ScrubTarget::Workspace),
    ] {
        let file = async |text: &str| {
            let proposal = stage.scribe.proposal_of_new(draft(place, text));
            assert!(memory.proposals.file(&proposal, MemorySwitch::On).await.expect("filed"));
            proposal
        };
        let gone = async |id| memory.proposals.get(&[id]).await.expect("read").is_empty();
        let [accepted, of_subject, open] = [
            file("Wants letters from the soldiers of a war.").await,
            file("Likes Oskar at the gate of every chapter.").await,
            file("Asks for a map of the siege.").await,
        ];
        let (change, made) = stage.scribe.acceptance(&accepted, "Wants letters of my own kind.");
        memory.proposals.accept(accepted.id, &change).await.expect("accepted");

        let subject = ScrubTarget::Subject(SubjectName::new("Oskar").expect("a name"), tier.file());
        let done = scrub(&stage, memory, &subject, ScrubMode::Full).await;
        assert_eq!(rows(&done.manifest, ScrubRows::Proposals), 1, "{place:?}");
        assert!(gone(of_subject.id).await && !gone(open.id).await && !gone(accepted.id).await);

        let entry = ScrubTarget::Entry(made.id, tier.file());
        let done = scrub(&stage, memory, &entry, ScrubMode::Full).await;
        assert_eq!(rows(&done.manifest, ScrubRows::Proposals), 1, "{place:?}");
        assert!(gone(accepted.id).await && !gone(open.id).await);

        let done = scrub(&stage, memory, &tier, ScrubMode::Full).await;
        assert_eq!(rows(&done.manifest, ScrubRows::Proposals), 1, "{place:?}");
        assert!(gone(open.id).await);
        let known = memory
            .scrub
            .was_scrubbed(&fingerprint_forms("asks for a MAP of the siege"))
            .await
            .expect("looked up");
        assert!(known, "{place:?}");
    }
}

/// Forgotten ones too; named ones stay if they shall.
#[tokio::test]
async fn a_scrub_keeps_named_entries_on_request() {
    let stage = CheckedStage::new().await;
    let (change, voice) = stage.scribe.named(Place::Workspace, "VOICE", "Spare.");
    stage.commit(&change).await;
    let note = stage.write_one(author(), draft(Place::Workspace, "A note.")).await;
    let (change, note) = stage.scribe.forget(author(), &note);
    stage.commit(&change).await;
    let entries = [voice, note];
    let done = scrub(&stage, stage.memory(), &ScrubTarget::Workspace, ScrubMode::KeepNamed).await;
    assert_eq!((done.manifest.keeps, rows(&done.manifest, ScrubRows::Memories)), (1, 1));
    assert_eq!(left(stage.memory(), &entries).await, [true, false]);
    let done = scrub(&stage, stage.memory(), &ScrubTarget::Workspace, ScrubMode::Full).await;
    assert_eq!(done.manifest.keeps, 0);
    assert_eq!(left(stage.memory(), &entries).await, [false, false]);
}

/// Whatever changed: a new row, another version, one less.
#[tokio::test]
async fn a_scrub_whose_rows_changed_since_is_refused() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    let one = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    let seen = preview(memory, &ScrubTarget::Workspace, ScrubMode::Full).await;
    stage.write_one(author(), draft(Place::Workspace, "Two.")).await;
    let grown = preview(memory, &ScrubTarget::Workspace, ScrubMode::Full).await;
    let (change, one) = stage.scribe.edit(author(), &one, new_text("One, changed."));
    stage.commit(&change).await;
    for stale in [&seen, &grown] {
        let refused = memory.scrub.scrub(&order(&stage, stale)).await;
        assert!(matches!(refused, Err(StoreError::Moved(_))), "{refused:?}");
    }
    assert_eq!(left(memory, &[one]).await, [true]);
    assert_eq!(memory.audit.verify().await.expect("a state").rows, 0, "nothing happened, nothing is told");
}

/// With figures and the hash, and without text.
#[tokio::test]
async fn a_scrub_is_recorded_in_the_audit_log() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    stage.write_one(author(), draft(Place::Workspace, "The basilisk sleeps.")).await;
    let done = scrub(&stage, memory, &ScrubTarget::Workspace, ScrubMode::Full).await;
    let reported = memory.audit.rows(None, 5).await.expect("rows");
    assert_eq!(reported, std::slice::from_ref(&done.audit));
    assert_eq!(reported[0].entry.scope, "workspace");
    assert!(
        reported[0].entry.manifest.contains("\"total\":1")
            && !reported[0].entry.manifest.contains("basilisk")
    );
    assert_eq!(memory.audit.verify().await.expect("a state").broken_at, None);
}

/// In this process and in later ones; a text that was not is not.
#[tokio::test]
async fn scrubbed_texts_are_recognised_later() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    let entry = stage.write_one(agent(), draft(Place::Workspace, "The old gate was made of tin.")).await;
    let (change, _) =
        stage.scribe.edit(agent(), &entry, new_text("The gate is iron. Nobody guards the gate now."));
    stage.commit(&change).await;
    scrub(&stage, memory, &ScrubTarget::Workspace, ScrubMode::Full).await;
    let anew = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("opens").memory;
    for memory in [memory, &anew] {
        for (text, known) in [
            ("the gate is iron, nobody guards the gate now", true),
            ("Nobody guards the gate now!", true),
            ("The old gate was made of tin.", true),
            ("The gate is made of bronze.", false),
        ] {
            let found = memory.scrub.was_scrubbed(&fingerprint_forms(text)).await.expect("an answer");
            assert_eq!(found, known, "{text}");
        }
    }
    let accounts = &stage.account.memory.scrub;
    assert!(
        !accounts.was_scrubbed(&fingerprint_forms("Nobody guards the gate now!")).await.expect("an answer")
    );
}

/// What is left of other tiers can be undone as before.
#[tokio::test]
async fn a_scrubbed_change_cannot_be_undone() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    let kept = stage.write_one(author(), draft(Place::Channel(stage.side.id), "Kept.")).await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "The gate is tin.")).await;
    let (change, _) = stage.scribe.edit(author(), &entry, new_text("The gate is iron."));
    stage.commit(&change).await;
    let last = async || memory.store.last_undoable().await.expect("the journal is read");
    assert_eq!(last().await.map(|row| row.change), Some(change.stamp.change));
    scrub(&stage, memory, &ScrubTarget::Workspace, ScrubMode::Full).await;
    assert_eq!(last().await.map(|row| row.change), Some(kept.change));
    scrub(&stage, memory, &ScrubTarget::Channel(stage.side.id), ScrubMode::Full).await;
    let changes = memory.store.journal(None, None, 9).await.expect("the journal stays");
    assert!(changes.iter().any(|row| row.change == change.stamp.change));
    assert_eq!(last().await, None);
}

/// Messages, notes, what was shown; entries of the tiers stay.
#[tokio::test]
async fn a_purge_deletes_the_messages_of_a_conversation() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    stage.add_texts(&stage.conversation, &["The heron eats eels.", "And frogs."]).await;
    stage.add_texts(&stage.side_conversation, &["Kept."]).await;
    let place = Place::Conversation(stage.general.id, stage.conversation.id);
    let kept = stage.write_one(author(), draft(place, "An entry.")).await;
    let shown = stage.scribe.orientation(&stage.conversation, &[&kept]);
    stage.workspace.ledger.put(&shown).await.expect("kept");
    let done = scrub(&stage, memory, &ScrubTarget::Purge(stage.conversation.id), ScrubMode::Full).await;
    assert_eq!(rows(&done.manifest, ScrubRows::Messages), 2);
    assert_eq!(rows(&done.manifest, ScrubRows::Orientations), 1);
    assert!(stage.transcript(&stage.conversation).await.is_empty());
    assert_eq!(stage.transcript(&stage.side_conversation).await.len(), 1);
    assert_eq!(left(memory, &[kept]).await, [true]);
}

/// As orientations do, though they are no part of the manifest: a client may add one while it is looked at.
#[tokio::test]
async fn a_scrub_deletes_the_reads_of_its_place() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    let conversation = Place::Conversation(stage.general.id, stage.conversation.id);
    let places = [Place::Workspace, Place::Channel(stage.general.id), conversation];
    let put = async |place: Place| {
        let showing = Showing::counted(Through::Search, 1).at(place);
        let (id, at) = (stage.scribe.ids.read_id(), stage.scribe.clock.tick());
        let read = ShownRead::new(id, at, Reader::Agent, None, showing);
        stage.workspace.ledger.put_read(&read).await.expect("kept");
        read
    };
    let targets = [
        ScrubTarget::Workspace,
        ScrubTarget::Channel(stage.general.id),
        ScrubTarget::Conversation(stage.conversation.id),
    ];
    for (gone, target) in targets.iter().enumerate() {
        let mut kept = Vec::new();
        for (n, place) in places.iter().enumerate() {
            let before = memory.scrub.manifest(target, ScrubMode::Full).await.expect("a manifest");
            let read = put(*place).await;
            let after = memory.scrub.manifest(target, ScrubMode::Full).await.expect("a manifest");
            assert_eq!(before.hash, after.hash);
            kept.extend((n != gone).then_some(read));
        }
        scrub(&stage, memory, target, ScrubMode::Full).await;
        let found = stage.workspace.ledger.reads(ReadFilter::default(), None, 9).await.expect("read");
        kept.reverse();
        assert_eq!(found, kept, "{target:?}");
        for place in [ScrubTarget::Workspace, ScrubTarget::Channel(stage.general.id)] {
            scrub(&stage, memory, &place, ScrubMode::Full).await;
        }
        scrub(&stage, memory, &ScrubTarget::Conversation(stage.conversation.id), ScrubMode::Full).await;
    }
}

/// Channels and conversations that are not there cannot be scrubbed.
#[tokio::test]
async fn a_scrub_of_an_unknown_channel_or_conversation_is_refused() {
    let stage = CheckedStage::new().await;
    let (nowhere, nobody) = (
        stage.scribe.channel(stage.workspace.workspace.id, "Nowhere"),
        stage.scribe.conversation(stage.general.id),
    );
    for target in [
        ScrubTarget::Channel(nowhere.id),
        ScrubTarget::Conversation(nobody.id),
        ScrubTarget::Purge(nobody.id),
    ] {
        let refused = stage.memory().scrub.manifest(&target, ScrubMode::Full).await;
        assert!(matches!(refused, Err(StoreError::NotFound(_))), "{refused:?}");
    }
}

/// What is in use, whose it is, how old, how large.
#[tokio::test]
async fn statistics_of_tiers_are_reported() {
    let stage = CheckedStage::new().await;
    let first = stage.write_one(author(), draft(Place::Workspace, "Four")).await;
    let last = stage.write_one(agent(), draft(Place::Workspace, "Fünf")).await;
    let gone = stage.write_one(author(), draft(Place::Workspace, "Gone")).await;
    let (change, _) = stage.scribe.forget(author(), &gone);
    stage.commit(&change).await;
    let (change, _) = stage.scribe.named(Place::Workspace, "VOICE", "");
    stage.commit(&change).await;
    let tiers = stage.memory().scrub.tiers().await.expect("figures");
    let scopes: Vec<MemoryScope> = tiers.iter().map(|tier| tier.scope).collect();
    assert_eq!(scopes, [MemoryScope::Conversation, MemoryScope::Channel, MemoryScope::Workspace]);
    let tier = &tiers[2];
    assert_eq!((tier.active, tier.forgotten, tier.by_author, tier.by_agent), (2, 1, 1, 1));
    assert_eq!((tier.named, tier.by_import, tier.bytes, tier.fading.len()), (0, 0, 13, 2));
    assert_eq!((tier.oldest, tier.newest), (Some(first.created_at), Some(last.created_at)));
    assert_eq!((tiers[0].active, tiers[0].oldest), (0, None));
    let account = stage.account.memory.scrub.tiers().await.expect("figures");
    assert_eq!(account.iter().map(|tier| tier.scope).collect::<Vec<_>>(), [MemoryScope::Account]);
}

/// Named or not, and nothing beside it.
#[tokio::test]
async fn a_single_entry_can_be_scrubbed() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    let entries = everywhere(&stage).await;
    let (change, voice) = stage.scribe.named(Place::Workspace, "VOICE", "Spare.");
    stage.commit(&change).await;
    for entry in [&entries[1], &voice] {
        let target = ScrubTarget::Entry(entry.id, ScrubFile::Workspace);
        let done = scrub(&stage, memory, &target, ScrubMode::KeepNamed).await;
        assert_eq!((done.manifest.total(), done.manifest.keeps), (1, 0));
        assert_eq!(done.manifest.ids, [entry.id.to_string()]);
        let again = memory.scrub.manifest(&target, ScrubMode::Full).await;
        assert!(matches!(again, Err(StoreError::NotFound(_))), "{again:?}");
        let elsewhere = ScrubTarget::Entry(entries[0].id, ScrubFile::Account);
        let refused = memory.scrub.manifest(&elsewhere, ScrubMode::Full).await;
        assert!(matches!(refused, Err(StoreError::NotFound(_))), "{refused:?}");
    }
    let there: Vec<bool> = (0..entries.len()).map(|at| at != 1).collect();
    assert_eq!(left(memory, &entries).await, there);
}

fn oskar() -> SubjectName {
    SubjectName::new("Oskar").expect("a name")
}

/// Whatever names it: a text, an earlier text, a proposal about something else, a fact, a note. Nothing else.
#[tokio::test]
async fn a_subject_is_scrubbed_wherever_it_is_named() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    let now = stage.write_one(author(), draft(Place::Workspace, "The ledger is OSKAR's.")).await;
    let earlier = stage.write_one(agent(), draft(stage.places()[1], "Oskar hid it.")).await;
    let (change, earlier) = stage.scribe.edit(agent(), &earlier, new_text("Somebody hid it."));
    stage.commit(&change).await;
    let other = stage.write_one(agent(), draft(Place::Workspace, "Oskarsson is someone else.")).await;
    let proposal = stage.scribe.proposal(ProposalKind::Edit, &[&other], Some("Oskar's cousin."));
    assert!(memory.proposals.file(&proposal, MemorySwitch::On).await.expect("filed"));
    let target = ScrubTarget::Subject(oskar(), ScrubFile::Workspace);
    let done = scrub(&stage, memory, &target, ScrubMode::Full).await;
    assert_eq!(rows(&done.manifest, ScrubRows::Memories), 2);
    assert_eq!(rows(&done.manifest, ScrubRows::Versions), 1);
    assert_eq!(rows(&done.manifest, ScrubRows::Proposals), 1);
    assert_eq!(left(memory, &[now, earlier, other]).await, [false, false, true]);
    assert!(memory.proposals.get(&[proposal.id]).await.expect("proposals").is_empty());
    assert_eq!(preview(memory, &target, ScrubMode::Full).await.total(), 0);
    let learned = memory.scrub.was_scrubbed(&fingerprint_forms("Oskar hid it.")).await;
    assert!(learned.expect("an answer"), "an earlier text is not learned again either");
}

/// Whatever text of the entry it is.
#[tokio::test]
async fn a_subject_is_found_in_every_text_of_an_entry() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    let origin = |origin: Origin| {
        let drafted = draft(Place::Workspace, "The ledger is gone.");
        MemoryDraft { origin: Some(origin), ..drafted }
    };
    let text = || Some("Oskar, again".to_owned());
    let plain = || draft(Place::Workspace, "The ledger is gone.");
    let file = Derivation::File { name: "oskar.md".into(), hash: "a".repeat(64) };
    let drafts = [
        MemoryDraft { title: text(), ..plain() },
        MemoryDraft { keys: vec!["Oskar".into()], ..plain() },
        MemoryDraft { tags: vec!["oskar".into()], ..plain() },
        MemoryDraft { source: "Oskar".into(), ..plain() },
        MemoryDraft { derivations: vec![file], ..plain() },
        origin(Origin { external_id: text(), ..Origin::default() }),
        origin(Origin { session: text(), ..Origin::default() }),
        origin(Origin { speaker: text(), ..Origin::default() }),
        origin(Origin { said_at: text(), ..Origin::default() }),
    ];
    let mut naming = Vec::new();
    for drafted in drafts {
        naming.push(stage.write_one(author(), drafted).await);
    }
    let forgotten = stage.write_one(author(), plain()).await;
    let (change, forgotten) = stage.scribe.forced(author(), &forgotten, |entry| {
        let reason = ForgetReason::Asked(text());
        entry.forgotten = Some(Forgotten { at: entry.updated_at, reason, run: None });
    });
    stage.commit(&change).await;
    naming.push(forgotten);
    let other = stage.write_one(author(), plain()).await;
    let target = ScrubTarget::Subject(oskar(), ScrubFile::Workspace);
    let done = scrub(&stage, memory, &target, ScrubMode::Full).await;
    assert_eq!(rows(&done.manifest, ScrubRows::Memories), naming.len() as u64);
    let stays = left(memory, &naming).await;
    assert!(!stays.contains(&true), "{stays:?}");
    assert_eq!(left(memory, &[other]).await, [true]);
}

/// What stays is told: other entries, and of the other database all that says it.
#[tokio::test]
async fn remaining_entries_with_the_same_text_are_reported() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    let text = "Oskar hid the ledger well.";
    let entry = stage.write_one(author(), draft(Place::Workspace, text)).await;
    let again =
        stage.write_one(author(), draft(stage.places()[1], "I heard: Oskar hid the ledger well!")).await;
    let target = ScrubTarget::Entry(entry.id, ScrubFile::Workspace);
    let mentions = memory.scrub.mentions(&Phrases::of_text(text), &target, ScrubMode::Full).await;
    assert_eq!(mentions.expect("an answer").memories, [again.id]);
    let (change, habits) = stage.scribe.create(author(), [draft(Place::Account, "I like Oskar.")]);
    let accounts = &stage.account.memory;
    accounts.store.commit(&change).await.expect("written");
    let subject = ScrubTarget::Subject(oskar(), ScrubFile::Workspace);
    let phrases = Phrases::of_subject(&oskar());
    let here = memory.scrub.mentions(&phrases, &subject, ScrubMode::Full).await.expect("an answer");
    assert_eq!(here.memories, []);
    let there = accounts.scrub.mentions(&phrases, &subject, ScrubMode::Full).await.expect("an answer");
    assert_eq!(there.memories, [habits[0].id]);
}

/// In the arguments of tool calls, as JSON within JSON; in titles; in names and descriptions of channels.
#[tokio::test]
async fn mentions_in_tool_calls_titles_and_channels_are_reported() {
    let stage = CheckedStage::new().await;
    let name = SubjectName::new("J\u{f6}rg").expect("a name");
    let (target, phrases) =
        (ScrubTarget::Subject(name.clone(), ScrubFile::Workspace), Phrases::of_subject(&name));
    let mentions = async || {
        let found =
            stage.memory().scrub.mentions(&phrases, &target, ScrubMode::Full).await.expect("an answer");
        (found.conversations, found.channels)
    };
    let calling = |calls: &str| NewMessage {
        calls: Some(calls.to_owned()),
        ..stage.scribe.message_of_role(Role::Assistant, "Let me note that.")
    };
    let call = |arguments: &str| {
        let arguments = serde_json::Value::from(arguments);
        format!("[{{\"id\":\"c1\",\"name\":\"memory_put\",\"arguments\":{arguments}}}]")
    };
    let here = [
        calling(&call("{\"entries\":[{\"content\":\"J\\u00f6rg hid it.\"}]}")),
        calling(&call("{\"entries\":[{\"content\":\"Mira hid it.\"}]}")),
        calling(&call("J\u{f6}rg, which is no JSON")),
    ];
    stage.say(&stage.conversation, &here).await;
    assert_eq!(mentions().await, (vec![(stage.conversation.id, 2)], 0));
    let conversation = Conversation {
        title: "J\u{f6}rg and the ledger".into(),
        titled: Some(TitleSource::Person),
        ..stage.scribe.conversation(stage.general.id)
    };
    stage.workspace.conversations.add_conversation(&conversation).await.expect("added");
    let channel = Channel { description: "All of J\u{f6}rg".into(), ..stage.side.clone() };
    stage.workspace.conversations.update_channel(&channel).await.expect("described");
    let (conversations, channels) = mentions().await;
    assert_eq!(channels, 1);
    assert_eq!(conversations.len(), 2);
    assert!(conversations.contains(&(conversation.id, 1)), "{conversations:?}");
}
