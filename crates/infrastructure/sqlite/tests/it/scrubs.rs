//! After a scrub none of the text is left: not in rows, indexes, log or free pages. Each test greps the raw files, and plays
//! what could keep a text alive: long texts, many versions, readers, a kill.

use std::{fs, path::Path};

use crate::support::{self, TempFolder, raw, stage::Stage};
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    client::write::WriteKind,
    fact::FactSource,
    ids::ClientId,
    memory::switch::MemorySwitch,
    proposal::ProposalKind,
    provenance::Interface,
    scope::Place,
    scratchpad::WorkingNote,
    scrub::{Phrases, ScrubFile, ScrubMode, ScrubTarget, SubjectName, fact_form},
};
use inklings_ports::{
    client::write_store::ClientAct,
    memory::store::Access,
    scrub::{ScrubOrder, Scrubbed},
    testing::builders::{agent, author, draft, new_text},
    workspace::catalogue::MemoryPorts,
};

pub(crate) async fn scrub(
    stage: &Stage,
    memory: &MemoryPorts,
    target: ScrubTarget,
    mode: ScrubMode,
) -> Scrubbed {
    let manifest = memory.scrub.manifest(&target, mode).await.expect("a manifest");
    let entry = AuditEntry {
        act: AuditAct::Scrub,
        scope: target.scope(),
        mode: Some(mode),
        manifest: String::new(),
        operator: "author".into(),
        interface: Interface::Cli,
        at: stage.scribe.stamp(author()).at,
    };
    let done = memory.scrub.scrub(&ScrubOrder { target, mode, hash: manifest.hash, entry }).await;
    let done = done.expect("it is carried out");
    assert_eq!(done.proof.residues, 0, "{:?}", done.proof);
    done
}

/// Where a word is found in any case, in any file of the data folder.
fn grep(folder: &Path, word: &str) -> Vec<String> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else if fs::read(&path)
                // A connection that was dropped may just have taken its log away.
                .unwrap_or_default()
                .windows(word.len())
                .any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
            {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

pub(crate) fn assert_gone(folder: &TempFolder, words: &[&str]) {
    for word in words {
        assert_eq!(grep(folder.path(), word), Vec::<String>::new(), "{word}");
    }
}

async fn assert_sound(folder: &TempFolder) {
    let findings = folder.catalogue().check().await.expect("findings");
    let trouble: Vec<_> = findings.iter().filter(|finding| !finding.ok).collect();
    assert!(trouble.is_empty(), "{trouble:?}");
}

/// Puts beside every row of a table what no release knows.
async fn add_unknown_fields(file: &Path, statements: &[&'static str], word: &str) {
    let mut conn = raw(file).await;
    for rows in statements {
        let insert = "INSERT INTO beside (workspace_id, belongs_to, row_id, part, fields)";
        let insert =
            format!("{insert} {}", rows.replace("WORD", &format!("{{\"note\":\"{word} and more\"}}")));
        let done = sqlx::raw_sql(sqlx::AssertSqlSafe(insert)).execute(&mut conn).await.expect("it is kept");
        assert!(done.rows_affected() > 0, "{rows}");
    }
}

/// An entry with history, a proposal about it, and noise around it.
async fn written(stage: &Stage, memory: &MemoryPorts, place: Place, words: [&str; 3]) {
    let commit = |change| async move { memory.store.commit(&change).await.expect("written") };
    let noise =
        (0..60).map(|n| draft(place, &format!("Passing remark number {n}. {}", "filler ".repeat(40))));
    let (change, noise) = stage.scribe.create(author(), noise);
    commit(change).await;
    let long = format!("{} {}", words[0], "and more of it ".repeat(900));
    let (change, entries) = stage.scribe.create(agent(), [draft(place, &long)]);
    commit(change).await;
    let (change, entry) = stage.scribe.edit(agent(), &entries[0], new_text(words[1]));
    commit(change).await;
    let proposal = stage.scribe.proposal(ProposalKind::Edit, &[&entry], Some(words[2]));
    assert!(memory.proposals.file(&proposal, MemorySwitch::On).await.expect("filed"));
    memory
        .store
        .record_access(&[Access { id: entry.id, times: 1, at: entry.created_at, by: None }])
        .await
        .expect("used");
    for entry in noise.iter().take(30) {
        let (change, _) = stage.scribe.forget(author(), entry);
        commit(change).await;
    }
}

#[tokio::test]
async fn nothing_of_a_scrubbed_tier_is_left_in_any_file() {
    let words = ["Quillonbreach", "Vesperglass", "Ashenmoore"];
    for tier in ["account", "workspace", "channel", "conversation"] {
        let (folder, stage) = support::stage().await;
        let (place, target, memory) = match tier {
            "account" => (Place::Account, ScrubTarget::Account, &stage.account.memory),
            "workspace" => (Place::Workspace, ScrubTarget::Workspace, stage.memory()),
            "channel" => (Place::Channel(stage.side.id), ScrubTarget::Channel(stage.side.id), stage.memory()),
            _ => (
                Place::Conversation(stage.general.id, stage.conversation.id),
                ScrubTarget::Conversation(stage.conversation.id),
                stage.memory(),
            ),
        };
        written(&stage, memory, place, words).await;
        let file = match tier {
            "account" => folder.account_file(),
            _ => folder.workspace_file(stage.workspace.workspace.id),
        };
        let rows =
            "SELECT workspace_id, 'memories', id, 'history/1', 'WORD' FROM memories WHERE name IS NULL";
        add_unknown_fields(&file, &[rows], "Duskmarrow").await;
        let words = [words[0], words[1], words[2], "Duskmarrow"];
        for word in words {
            assert!(!grep(folder.path(), word).is_empty(), "{tier}: {word} was written");
        }
        for mode in [ScrubMode::KeepNamed, ScrubMode::Full] {
            scrub(&stage, memory, target.clone(), mode).await;
            assert_gone(&folder, &words);
        }
        let found = memory.store.journal(None, None, 5).await.expect("the journal stays");
        assert!(!found.is_empty());
        assert_sound(&folder).await;
    }
}

#[tokio::test]
async fn only_messages_still_name_a_scrubbed_subject() {
    let (folder, stage) = support::stage().await;
    let conversation = &stage.conversation;
    let memory = stage.memory();
    let entry = stage.write_one(author(), draft(Place::Workspace, "Oskar burned Quillonbreach.")).await;
    let earlier = stage.write_one(agent(), draft(Place::Workspace, "Oskar fears Vesperglass.")).await;
    let (change, earlier) = stage.scribe.edit(agent(), &earlier, new_text("He fears glass."));
    stage.commit(&change).await;
    let other = stage.write_one(agent(), draft(Place::Workspace, "The tower is white.")).await;
    let proposal =
        stage.scribe.proposal(ProposalKind::Edit, &[&other], Some("Oskar painted it Ashenmoore grey."));
    assert!(memory.proposals.file(&proposal, MemorySwitch::On).await.expect("filed"));
    let fact = stage.scribe.fact("Oskar", "trade", "Thornwarden", FactSource::Agent);
    stage.workspace.facts.put_fact(&fact, FactSource::Agent, None).await.expect("a fact");
    let owner = stage.scribe.fact("Gate", "owner", "Oskar Orichalcheum", FactSource::Agent);
    stage.workspace.facts.put_fact(&owner, FactSource::Agent, None).await.expect("a fact");
    let next = stage.scribe.next_value(&owner, "the crown", FactSource::Agent);
    stage.workspace.facts.put_fact(&next, FactSource::Agent, None).await.expect("a value");
    let stays = stage.scribe.fact("Gate", "metal", "plain iron", FactSource::Agent);
    stage.workspace.facts.put_fact(&stays, FactSource::Agent, None).await.expect("a fact");
    let mut shown = stage.scribe.orientation(conversation, &[]);
    shown.query = "Where is Oskar Saltwraith?".into();
    stage.workspace.ledger.put(&shown).await.expect("an orientation");
    for (key, value) in [("plan", "\"Oskar meets Duskmarrow\""), ("weather", "\"rain\"")] {
        let note = WorkingNote::write(conversation.id, key, value.into(), None, stage.scribe.clock.tick());
        stage.workspace.scratchpads.write_note(&note.expect("a note")).await.expect("it is kept");
    }
    stage.add_texts(conversation, &["Who is Oskar Mourningcairn?"]).await;
    let name = SubjectName::new("oskar").expect("a name");
    let target = ScrubTarget::Subject(name.clone(), ScrubFile::Workspace);
    let also = memory
        .scrub
        .mentions(&Phrases::of_subject(&name), &target, ScrubMode::Full)
        .await
        .expect("an answer");
    assert_eq!((also.conversations, also.memories), (vec![(conversation.id, 1)], vec![]));
    assert_eq!((also.facts, also.working_notes), (0, 0));
    scrub(&stage, memory, target, ScrubMode::Full).await;
    let gone = [
        "Quillonbreach",
        "Vesperglass",
        "Ashenmoore",
        "Thornwarden",
        "Orichalcheum",
        "Saltwraith",
        "Duskmarrow",
    ];
    assert_gone(&folder, &gone);
    assert!(!grep(folder.path(), "Mourningcairn").is_empty(), "what was said goes with a purge alone");
    let left = memory.store.get(&[entry.id, earlier.id, other.id]).await.expect("reads");
    assert_eq!(left.iter().map(|stored| stored.entry.id).collect::<Vec<_>>(), [other.id]);
    let now = stage.scribe.clock.tick();
    let notes = stage.workspace.scratchpads.notes(conversation.id, now).await.expect("notes");
    assert_eq!(notes.iter().map(|note| note.key.as_str()).collect::<Vec<_>>(), ["weather"]);
    assert_sound(&folder).await;
}

#[tokio::test]
async fn nothing_of_a_purged_conversation_is_left_in_any_file() {
    let (folder, stage) = support::stage().await;
    let conversation = &stage.conversation;
    let messages =
        stage.add_texts(conversation, &["Who burned Quillonbreach?", "It was Vesperglass herself."]).await;
    stage
        .workspace
        .transcript
        .fold(&stage.scribe.episode(conversation.id, &messages), false)
        .await
        .expect("an episode");
    let (change, marker) = stage.scribe.archive(conversation, "Ashenmoore chapter", messages[0].position);
    stage.workspace.transcript.compact(conversation.id, &change, &marker, None).await.expect("a marker");
    stage.add_texts(conversation, &["Mourningcairn comes next."]).await;
    let mut fact = stage.scribe.fact("Ruins", "burned by", "Thornwarden", FactSource::Agent);
    fact.conversation = Some(conversation.id);
    stage.workspace.facts.put_fact(&fact, FactSource::Agent, None).await.expect("a fact");
    let mut other = stage.scribe.fact("Gate", "metal", "Orichalcheum", FactSource::Agent);
    other.conversation = Some(conversation.id);
    stage.workspace.facts.put_fact(&other, FactSource::Agent, None).await.expect("a fact");
    let mut next = stage.scribe.next_value(&other, "plain iron", FactSource::Agent);
    next.conversation = None;
    stage.workspace.facts.put_fact(&next, FactSource::Agent, None).await.expect("a value");
    let mut shown = stage.scribe.orientation(conversation, &[]);
    shown.query = "Saltwraith".into();
    stage.workspace.ledger.put(&shown).await.expect("an orientation");
    let note = WorkingNote::write(conversation.id, "plan", "1".into(), None, stage.scribe.clock.tick());
    stage.workspace.scratchpads.write_note(&note.expect("a note")).await.expect("it is kept");
    let rows = [
        "SELECT workspace_id, 'conversations', id, '', 'WORD' FROM conversations WHERE id IN (SELECT conversation_id FROM messages)",
        "SELECT workspace_id, 'messages', id, '', 'WORD' FROM messages",
        "SELECT workspace_id, 'episodes', id, '', 'WORD' FROM episodes",
        "SELECT workspace_id, 'facts', id, '', 'WORD' FROM facts WHERE key = 'burned by'",
        "SELECT workspace_id, 'facts', fact_id, 'values/' || version, 'WORD' FROM fact_values",
        "SELECT workspace_id, 'scratchpads', conversation_id || ' ' || key, '', 'WORD' FROM scratchpads",
    ];
    add_unknown_fields(&folder.workspace_file(stage.workspace.workspace.id), &rows, "Duskmarrow").await;
    assert!(!grep(folder.path(), "Duskmarrow").is_empty());
    scrub(&stage, stage.memory(), ScrubTarget::Purge(conversation.id), ScrubMode::Full).await;
    assert_gone(
        &folder,
        &[
            "Duskmarrow",
            "Quillonbreach",
            "Vesperglass",
            "Ashenmoore",
            "Mourningcairn",
            "Thornwarden",
            "Orichalcheum",
            "Saltwraith",
        ],
    );
    let left = stage.workspace.facts.facts_of_key(&other.key).await.expect("reads").pop().expect("it stays");
    assert_eq!((left.fact.value.as_str(), left.fact.version), ("plain iron", 2));
    assert_sound(&folder).await;
}

#[tokio::test]
async fn a_scrub_deletes_records_of_client_writes_and_replaced_values() {
    let (folder, stage) = support::stage().await;
    let conversation = stage.conversation.id;
    let client = ClientId::from_uuid(uuid::Uuid::from_u128(5));
    let write = async |act: ClientAct<'_>| {
        let at = stage.scribe.clock.tick();
        stage.workspace.client_writes.write(client, act, at).await.expect("written");
    };
    let note = |key: &str, word: &str| {
        let value = format!("{{\"of\": \"{word}\"}}");
        WorkingNote::write(conversation, key, value, None, stage.scribe.clock.tick()).expect("a note")
    };
    write(ClientAct::Note(&note("plan", "Quillonbreach"))).await;
    write(ClientAct::Note(&note("plan", "Vesperglass"))).await;
    write(ClientAct::Note(&note("Ashenmoorekey", "more"))).await;
    write(ClientAct::ClearNotes(conversation, None)).await;
    let fact = stage.scribe.fact("Ruins", "burned by", "Thornwarden", FactSource::Agent);
    write(ClientAct::Fact(&fact)).await;
    for word in ["Quillonbreach", "Vesperglass", "Ashenmoorekey", "Thornwarden"] {
        assert!(!grep(folder.path(), word).is_empty(), "{word} was written");
    }
    let done = scrub(&stage, stage.memory(), ScrubTarget::Conversation(conversation), ScrubMode::Full).await;
    assert_eq!(done.manifest.total(), 5, "the scratchpad is empty, five writes tell of it");
    assert_gone(&folder, &["Quillonbreach", "Vesperglass", "Ashenmoorekey"]);
    let kinds = async || {
        let left = stage.workspace.client_writes.writes_of(client).await.expect("read");
        left.iter().map(|write| write.wrote.kind()).collect::<Vec<_>>()
    };
    assert_eq!(kinds().await, [WriteKind::Fact]);
    let added = stage.scribe.message_of_role(
        inklings_domain::conversation::message::Role::Assistant,
        "Mourningcairn comes next.",
    );
    write(ClientAct::Say(conversation, &added)).await;
    write(ClientAct::Note(&note("plan", "Saltwraith"))).await;
    write(ClientAct::Note(&note("plan", "none"))).await;
    scrub(&stage, stage.memory(), ScrubTarget::Workspace, ScrubMode::Full).await;
    assert_gone(&folder, &["Thornwarden"]);
    scrub(&stage, stage.memory(), ScrubTarget::Purge(conversation), ScrubMode::Full).await;
    assert_gone(&folder, &["Mourningcairn", "Saltwraith"]);
    assert_eq!(kinds().await, []);
    assert_sound(&folder).await;
}

#[tokio::test]
async fn a_scrub_of_the_workspace_tier_deletes_its_facts() {
    let (folder, stage) = support::stage().await;
    let fact = stage.scribe.fact("Ruins", "burned by", "Thornwarden", FactSource::User);
    stage.workspace.facts.put_fact(&fact, FactSource::User, None).await.expect("a fact");
    scrub(&stage, stage.memory(), ScrubTarget::Workspace, ScrubMode::Full).await;
    assert_gone(&folder, &["Thornwarden"]);
    assert_sound(&folder).await;
}

#[tokio::test]
async fn a_scrubbed_fact_is_recognised_by_its_key_and_value() {
    let (_folder, stage) = support::stage().await;
    let fact = stage.scribe.fact("Ruins", "burned by", "Thornwarden", FactSource::User);
    stage.workspace.facts.put_fact(&fact, FactSource::User, None).await.expect("a fact");
    let next = stage.scribe.next_value(&fact, "her sister, at dawn", FactSource::User);
    stage.workspace.facts.put_fact(&next, FactSource::User, None).await.expect("a value");
    scrub(&stage, stage.memory(), ScrubTarget::Workspace, ScrubMode::Full).await;
    for (form, known) in [
        (fact_form("ruins", "Burned by", "thornwarden!"), true),
        (fact_form("Ruins", "burned by", "Her sister, at dawn"), true),
        (fact_form("Ruins", "built by", "Thornwarden"), false),
        ("her sister at dawn".to_owned(), true),
        ("thornwarden".to_owned(), false),
    ] {
        let found = stage.memory().scrub.was_scrubbed(std::slice::from_ref(&form)).await.expect("an answer");
        assert_eq!(found, known, "{form}");
    }
}

#[tokio::test]
async fn the_proof_of_a_large_scrub_searches_for_every_text() {
    let (folder, stage) = support::stage().await;
    let texts: Vec<String> = (0..600).map(|n| format!("Remark{n:04}quillon was made.")).collect();
    stage.write(author(), texts.iter().map(|text| draft(Place::Workspace, text))).await;
    // Only the last of them is left somewhere, as a scrub that fails would leave it: in a page that nobody uses.
    let file = folder.workspace_file(stage.workspace.workspace.id);
    let target = ScrubTarget::Workspace;
    let manifest = stage.memory().scrub.manifest(&target, ScrubMode::Full).await.expect("a manifest");
    let entry = AuditEntry {
        act: AuditAct::Scrub,
        scope: target.scope(),
        mode: Some(ScrubMode::Full),
        manifest: String::new(),
        operator: "Remark0599quillon".into(),
        interface: Interface::Cli,
        at: stage.scribe.stamp(author()).at,
    };
    let order = ScrubOrder { target, mode: ScrubMode::Full, hash: manifest.hash, entry };
    let done = stage.memory().scrub.scrub(&order).await.expect("it is carried out");
    assert_eq!(done.proof.residues, 0, "a row that stays says it: the audit log");
    assert!(fs::read(&file).is_ok_and(|bytes| bytes.windows(17).any(|part| part == b"Remark0599quillon")));
    for n in [0, 1, 299, 598] {
        assert_gone(&folder, &[&format!("Remark{n:04}quillon")]);
    }
}

#[tokio::test]
async fn scrubbing_an_archive_deletes_its_marker_and_keeps_the_messages() {
    let (folder, stage) = support::stage().await;
    let messages = stage.add_texts(&stage.conversation, &["One.", "Two."]).await;
    let (change, marker) =
        stage.scribe.archive(&stage.conversation, "Ashenmoore chapter", messages[1].position);
    stage
        .workspace
        .transcript
        .compact(stage.conversation.id, &change, &marker, None)
        .await
        .expect("a marker");
    let target = ScrubTarget::Conversation(stage.conversation.id);
    scrub(&stage, stage.memory(), target, ScrubMode::Full).await;
    assert_eq!(stage.transcript(&stage.conversation).await.len(), 2);
    assert_gone(&folder, &["Ashenmoore"]);
    assert_sound(&folder).await;
}

#[tokio::test]
async fn a_scrubbed_word_in_a_remaining_entry_is_not_counted_as_residue() {
    let (_folder, stage) = support::stage().await;
    stage.write(author(), [draft(Place::Workspace, "Vesperglass sings.")]).await;
    stage.write(author(), [draft(Place::Channel(stage.side.id), "VESPERGLASS sleeps.")]).await;
    let done = scrub(&stage, stage.memory(), ScrubTarget::Workspace, ScrubMode::Full).await;
    assert!(done.proof.checked.iter().any(|what| what == "agents.db"), "{:?}", done.proof.checked);
}

#[tokio::test]
async fn a_scrub_interrupted_before_cleaning_is_cleaned_at_the_next_start() {
    let (folder, stage) = support::stage().await;
    let workspace = stage.workspace.workspace.id;
    written(&stage, stage.memory(), Place::Workspace, ["Quillonbreach", "Vesperglass", "Ashenmoore"]).await;
    stage.close().await;
    let file = folder.workspace_file(workspace);
    {
        // What the transaction of a scrub leaves behind, without secure deletion to make it harder.
        let mut conn = raw(&file).await;
        sqlx::raw_sql(
            "PRAGMA secure_delete = OFF; BEGIN IMMEDIATE; \
             INSERT INTO deletion_permits SELECT workspace_id, id, 'x', 0 FROM memories; DELETE FROM memories; \
             INSERT INTO memories_fts (memories_fts) VALUES ('rebuild'); DELETE FROM deletion_permits; \
             INSERT INTO deletion_permits SELECT workspace_id, 'cleaning', 'x', 0 FROM meta; COMMIT",
        )
        .execute(&mut conn)
        .await
        .expect("destroyed");
        sqlx::Connection::close(conn).await.expect("closes");
    }
    assert!(!grep(folder.path(), "Vesperglass").is_empty(), "free pages hold it still");
    folder.catalogue().open(workspace).await.expect("opens");
    assert_gone(&folder, &["Quillonbreach", "Vesperglass", "Ashenmoore"]);
    assert_sound(&folder).await;
}

#[tokio::test]
async fn no_process_finds_scrubbed_texts() {
    let (folder, stage) = support::stage().await;
    stage.write(author(), [draft(Place::Workspace, "Vesperglass sings.")]).await;
    let there = folder.catalogue().open(stage.workspace.workspace.id).await.expect("opens").memory;
    scrub(&stage, stage.memory(), ScrubTarget::Workspace, ScrubMode::Full).await;
    let filter = inklings_ports::testing::builders::everywhere(Vec::new());
    let words = inklings_domain::search::query::parse("vesperglass").query;
    for memory in [stage.memory(), &there] {
        assert!(memory.search.search_text(&words, &filter, 5).await.expect("an answer").is_empty());
        assert_eq!(memory.store.count(&filter).await.expect("counts").workspace, 0);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_key_of_fingerprints_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, stage) = support::stage().await;
    stage.write(author(), [draft(Place::Workspace, "Vesperglass sings of old wars.")]).await;
    scrub(&stage, stage.memory(), ScrubTarget::Workspace, ScrubMode::Full).await;
    let data = fs::metadata(folder.path().join("scrub.key")).expect("a key");
    assert_eq!(data.permissions().mode() & 0o777, 0o600);
    let mut conn = raw(&folder.workspace_file(stage.workspace.workspace.id)).await;
    let kept: Vec<String> =
        sqlx::query_scalar("SELECT fingerprint FROM scrubbed").fetch_all(&mut conn).await.expect("rows");
    assert!(!kept.is_empty() && kept.iter().all(|fingerprint| fingerprint.len() == 64));
}
