//! What the database itself refuses about names, pins, proposals, runs and the orientation ledger: each test plays a
//! program that ignores our code and speaks SQL to the file.

use crate::support::{self, TempFolder, raw, stage::Stage};
use inklings_domain::{
    ids::WorkspaceId,
    memory::MemoryEntry,
    proposal::{Proposal, ProposalKind, ProposalState},
    scope::Place,
};
use inklings_ports::{
    clock::IdGenerator,
    testing::builders::{agent, author, draft},
    workspace::catalogue::Catalogue,
};
use sqlx::{AssertSqlSafe, SqliteConnection};

const TABLES: &[&str] =
    &["memories", "memory_versions", "names", "journal", "proposals", "proposal_subjects"];
const TABLES_OF_A_WORKSPACE: &[&str] =
    &["conversations", "runs", "persists", "orientations", "orientation_items"];

/// One database with a named entry, a pinned one, and a proposal of every state.
struct Target {
    folder: TempFolder,
    stage: Stage,
    conn: SqliteConnection,
    workspace: WorkspaceId,
    place: Place,
    voice: MemoryEntry,
    rules: MemoryEntry,
    pinned: MemoryEntry,
    open: Proposal,
    accepted: Proposal,
    rejected: Proposal,
}

impl Target {
    async fn both() -> [Self; 2] {
        [Self::new(true).await, Self::new(false).await]
    }

    async fn new(account: bool) -> Self {
        let (folder, stage) = support::stage().await;
        let id = stage.workspace.workspace.id;
        let (workspace, place, file, ports) = if account {
            (WorkspaceId::ACCOUNT, Place::Account, folder.account_file(), stage.account.memory.clone())
        } else {
            (id, Place::Workspace, folder.workspace_file(id), stage.workspace.memory.clone())
        };
        let commit = |change| {
            let store = ports.store.clone();
            async move { store.commit(&change).await.expect("the change is committed") }
        };
        let scribe = &stage.scribe;
        let (change, voice) = scribe.named(place, "VOICE", "Spare.");
        commit(change).await;
        let (change, voice) = scribe.forced(author(), &voice, |e| e.aliases = vec!["Tone".into()]);
        commit(change).await;
        let (change, rules) = scribe.named(place, "Rules", "");
        commit(change).await;
        let (change, made) =
            scribe.create(agent(), ["One.", "Two.", "Three."].map(|text| draft(place, text)));
        commit(change).await;
        let (change, pinned) = scribe.forced(author(), &made[0], |e| e.pinned = true);
        commit(change).await;
        let mut filed = Vec::new();
        let pairs = [[&made[1], &made[2]], [&pinned, &made[1]], [&pinned, &made[2]]];
        for (pair, text) in pairs.iter().zip(["A.", "B.", "C."]) {
            let proposal = scribe.proposal(ProposalKind::Merge, pair, Some(text));
            assert!(
                ports
                    .proposals
                    .file(&proposal, inklings_domain::memory::switch::MemorySwitch::On)
                    .await
                    .expect("it is filed")
            );
            filed.push(proposal);
        }
        let (change, _) = scribe.forced(author(), &made[1], |e| e.content = "A.".into());
        let change = inklings_domain::memory::change_set::ChangeSet {
            action: inklings_domain::memory::change_set::Action::Accept,
            ..change
        };
        ports.proposals.accept(filed[0].id, &change).await.expect("it is accepted");
        ports
            .proposals
            .close(&[filed[1].id], ProposalState::Rejected, filed[1].created_at)
            .await
            .expect("it is rejected");
        let [accepted, rejected, open] = filed.try_into().expect("three of them");
        let conn = raw(&file).await;
        Self { folder, stage, conn, workspace, place, voice, rules, pinned, open, accepted, rejected }
    }

    async fn run(&mut self, sql: &str) -> Result<u64, String> {
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut self.conn).await;
        done.map(|done| done.rows_affected()).map_err(|error| error.to_string())
    }

    async fn done(&mut self, sql: &str) -> u64 {
        self.run(sql).await.unwrap_or_else(|error| panic!("{error}: {sql}"))
    }

    async fn count(&mut self, from: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {from}");
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut self.conn).await.expect("a count")
    }

    /// Every value of every table that an attack could have changed.
    async fn state(&mut self) -> Vec<String> {
        let of_a_workspace = if self.place == Place::Account { &[][..] } else { TABLES_OF_A_WORKSPACE };
        let mut state = Vec::new();
        for table in TABLES.iter().chain(of_a_workspace) {
            let columns = format!("SELECT name FROM pragma_table_info('{table}')");
            let columns: Vec<String> =
                sqlx::query_scalar(AssertSqlSafe(columns)).fetch_all(&mut self.conn).await.expect("columns");
            let columns: Vec<String> = columns.iter().map(|name| format!("quote({name})")).collect();
            let sql = format!("SELECT '{table} ' || {} FROM {table} ORDER BY 1", columns.join(" || ' ' || "));
            let rows: Vec<String> =
                sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut self.conn).await.expect("a dump");
            state.extend(rows);
        }
        state
    }

    /// An attack must fail for the reason given and change nothing, as one transaction and its last statement alone.
    async fn refuses(&mut self, sql: &str, reason: &str) {
        let before = self.state().await;
        self.done("BEGIN IMMEDIATE").await;
        let result = self.run(sql).await;
        self.done("ROLLBACK").await;
        match result {
            Ok(rows) => panic!("{:?}: changed {rows} rows: {sql}", self.place),
            Err(error) => {
                // SQLite's result codes for a violated rule (19 and its kin): a slip in the attack is no refusal.
                let rule = ["1811)", "275)", "1299)", "3091)", "787)", "2067)", "1555)"];
                assert!(rule.iter().any(|code| error.contains(code)), "{error}: {sql}");
                assert!(error.contains(reason), "{:?}: {error}, not '{reason}': {sql}", self.place);
            }
        }
        let _ = self.run(sql.rsplit_once(";\n").map_or(sql, |(_, last)| last)).await;
        assert_eq!(self.state().await, before, "{:?}: something changed: {sql}", self.place);
    }

    fn fresh(&self) -> String {
        self.stage.scribe.ids.uuid().to_string()
    }

    /// A journal row in the name of `actor_kind` for an action, and its change.
    fn journal(&self, actor_kind: &str, action: &str) -> (String, String) {
        let (workspace, change) = (self.workspace, self.fresh());
        let row = format!(
            "INSERT INTO journal (workspace_id, id, action, hand, door, at, entries) \
             VALUES ('{workspace}', '{change}', '{action}', '{actor_kind}', 'mcp', 0, 1);\n"
        );
        (row, change)
    }

    /// A declared UPDATE of an entry.
    fn update(&self, actor_kind: &str, entry: &MemoryEntry, set: &str) -> String {
        let (journal, change) = self.journal(actor_kind, "edit");
        format!(
            "{journal}UPDATE memories SET {set}, version = version + 1, checksum = NULL, written_by = '{actor_kind}', \
             change_id = '{change}', change_seq = (SELECT tick FROM change_clock) WHERE id = '{}'",
            entry.id
        )
    }

    /// A declared INSERT of an entry.
    fn insert(&self, verb: &str, actor_kind: &str, columns: &str, values: &str) -> String {
        let ((journal, change), id) = (self.journal(actor_kind, "create"), self.fresh());
        let (workspace, scope) = (self.workspace, self.place.scope());
        format!(
            "{journal}{verb} INTO memories (workspace_id, id, scope, lifetime, curator, kind, importance, source, \
             change_seq, version, written_by, change_id, created_at, accessed_at, updated_at, {columns}) \
             VALUES ('{workspace}', '{id}', '{scope}', 'long_term', 'agent', 'note', 0.5, 'user', \
             (SELECT tick FROM change_clock), 1, '{actor_kind}', '{change}', 0, 0, 0, {values})"
        )
    }
}

const NAMED: &str = "content, name, name_folded, aliases, aliases_folded";

#[tokio::test]
async fn a_name_in_use_cannot_be_given_to_another_entry() {
    for mut target in Target::both().await {
        for verb in ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"] {
            for values in [
                "'', 'voice', 'voice', '[]', '[]'",
                "'', 'TONE', 'tone', '[]', '[]'",
                "'', 'New', 'new', '[\"Voice\"]', '[\"voice\"]'",
                "'', 'New', 'new', '[\"x\",\"Tone\"]', '[\"x\",\"tone\"]'",
                "'', 'New', 'new', '[\"NEW\"]', '[\"new\"]'",
                "'', 'New', 'new', '[\"x\",\"X\"]', '[\"x\",\"x\"]'",
            ] {
                let attack = target.insert(verb, "author", NAMED, values);
                target.refuses(&attack, "taken: name").await;
            }
        }
        for values in [
            "'', NULL, NULL, '[]', '[]'",
            "'x', NULL, NULL, '[\"a\"]', '[\"a\"]'",
            "'x', 'A', 'a', '[\"b\"]', '[]'",
        ] {
            let attack = target.insert("INSERT", "author", NAMED, values);
            target.refuses(&attack, "CHECK").await;
        }
        let rules = target.rules.clone();
        for set in [
            "name = 'Voice', name_folded = 'voice'",
            "name = 'Tone', name_folded = 'tone'",
            "aliases = '[\"VOICE\"]', aliases_folded = '[\"voice\"]'",
            "aliases = '[\"Tone\"]', aliases_folded = '[\"tone\"]'",
            "aliases = '[\"RULES\"]', aliases_folded = '[\"rules\"]'",
        ] {
            let attack = target.update("author", &rules, set);
            target.refuses(&attack, "taken: name").await;
        }
    }
}

#[tokio::test]
async fn the_table_of_names_changes_only_with_the_entries() {
    for mut target in Target::both().await {
        let (workspace, scope) = (target.workspace, target.place.scope());
        let (voice, rules, pinned) = (target.voice.id, target.rules.id, target.pinned.id);
        for attack in [
            "DELETE FROM names".to_owned(),
            "DELETE FROM names WHERE folded = 'tone'".to_owned(),
            "UPDATE names SET folded = 'free'".to_owned(),
            format!("UPDATE OR REPLACE names SET memory_id = '{rules}' WHERE folded = 'voice'"),
            format!("UPDATE OR REPLACE names SET folded = 'voice' WHERE memory_id = '{rules}'"),
        ] {
            target.refuses(&attack, "names are kept by the entries").await;
        }
        for verb in ["INSERT", "INSERT OR REPLACE"] {
            for (folded, id) in [("voice", rules), ("free", rules), ("voice", pinned), ("free", pinned)] {
                let attack =
                    format!("{verb} INTO names VALUES ('{workspace}', '{scope}', '{folded}', '{id}')");
                target.refuses(&attack, "belongs to an entry in use").await;
            }
            let twin = format!("{verb} INTO names VALUES ('{workspace}', '{scope}', 'voice', '{voice}')");
            target.refuses(&twin, "taken: name").await;
        }
        // What the author does with them goes through, whichever way.
        let voice = target.voice.clone();
        let swap = target.update("author", &voice, "name = 'Tone', name_folded = 'tone', aliases = '[\"VOICE\",\"x\"]', aliases_folded = '[\"voice\",\"x\"]'");
        target.done(&swap).await;
        assert_eq!(target.count("names").await, 4);
        let forget = target.update("author", &voice, "forgotten_at = 1, forgotten_reason = 'done'");
        target.done(&forget).await;
        assert_eq!(target.count("names").await, 1);
        let again = target.insert("INSERT", "author", NAMED, "'', 'X', 'x', '[]', '[]'");
        target.done(&again).await;
        let back = target.update("author", &voice, "forgotten_at = NULL, forgotten_reason = NULL");
        target.refuses(&back, "taken: name").await;
    }
}

#[tokio::test]
async fn no_agent_changes_pinned_entries_or_pins_any() {
    for mut target in Target::both().await {
        let pinned = target.pinned.clone();
        for actor_kind in ["agent", "system"] {
            for set in [
                "content = 'rewritten'",
                "pinned = 0",
                "pinned = 0, content = 'mine'",
                "tags = '[\"x\"]'",
                "forgotten_at = 1, forgotten_reason = 'pruned'",
                "lifetime = 'short_term'",
            ] {
                let attack = target.update(actor_kind, &pinned, set);
                target.refuses(&attack, "locked").await;
            }
            for verb in ["INSERT", "INSERT OR REPLACE"] {
                let attack = target.insert(verb, actor_kind, "content, pinned", "'New.', 1");
                target.refuses(&attack, "locked").await;
            }
        }
        let free = target.update("author", &pinned, "pinned = 0");
        target.done(&free).await;
        let pin = target.update("agent", &pinned, "pinned = 1");
        target.refuses(&pin, "locked").await;
        let own = target.update("agent", &pinned, "content = 'Better said.'");
        target.done(&own).await;
    }
}

/// What a proposal says of an entry that it would make, of one that makes none.
const NOTHING_NEW: &str = "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL";

#[tokio::test]
async fn only_the_author_can_set_a_proposal_to_accepted() {
    for mut target in Target::both().await {
        let (open, accepted) = (target.open.id, target.accepted.id);
        let accept = |change: &str| {
            format!(
                "UPDATE proposals SET state = 'accepted', decided_at = 1, change_id = {change} WHERE id = '{open}'"
            )
        };
        for (actor_kind, action) in
            [("agent", "accept"), ("system", "accept"), ("import", "accept"), ("author", "edit")]
        {
            let (journal, change) = target.journal(actor_kind, action);
            target.refuses(&format!("{journal}{}", accept(&format!("'{change}'"))), "locked").await;
        }
        let nowhere = format!("'{}'", target.fresh());
        let used = format!("(SELECT change_id FROM proposals WHERE id = '{accepted}')");
        let older = "(SELECT id FROM journal WHERE hand = 'author' LIMIT 1)".to_owned();
        for change in ["NULL", &nowhere, &used, &older] {
            target.refuses(&accept(change), "locked").await;
        }
        // An acceptance that something else followed is claimed by nothing any more, nor by two proposals.
        let (journal, change) = target.journal("author", "accept");
        let (later, _) = target.journal("agent", "edit");
        target.refuses(&format!("{journal}{later}{}", accept(&format!("'{change}'"))), "locked").await;
        let (workspace, id) = (target.workspace, target.fresh());
        let second = format!(
            "INSERT INTO proposals SELECT '{workspace}', '{id}', kind, state, reason, 'other', hand, door, run_id, \
             conversation_id, created_at, decided_at, change_id, content, {NOTHING_NEW} FROM proposals WHERE id = '{open}';\n"
        );
        let first = accept(&format!("'{change}'"));
        let again = first.replace(&open.to_string(), &id);
        target.refuses(&format!("{second}{journal}{first};\n{again}"), "locked").await;
        // The author's own goes through, once.
        target.done(&format!("{journal}{first}")).await;
        target.refuses(&first, "decided once").await;
    }
}

#[tokio::test]
async fn the_content_and_decision_of_a_proposal_are_fixed() {
    for mut target in Target::both().await {
        let (open, workspace) = (target.open.id, target.workspace);
        for set in [
            "id = '00000000-0000-7000-8000-000000000000'",
            "kind = 'retire', content = NULL",
            "reason = 'because'",
            "fingerprint = 'other'",
            "hand = 'author'",
            "door = 'window'",
            "run_id = 'x'",
            "conversation_id = 'x'",
            "created_at = 0",
            "content = 'Something else.'",
            "makes = 'x'",
            "scope = 'account'",
            "lifetime = 'long_term'",
            "source = 'x'",
            "importance = 1.0",
            "tags = '[]'",
            "rowid = rowid + 100",
            "state = 'rejected', decided_at = 1, content = 'Something else.'",
        ] {
            let attack = format!("UPDATE OR REPLACE proposals SET {set} WHERE id = '{open}'");
            target.refuses(&attack, "stays as it was").await;
        }
        for state in ["state = 'rejected'", "decided_at = 1", "change_id = 'x'"] {
            target.refuses(&format!("UPDATE proposals SET {state} WHERE id = '{open}'"), "CHECK").await;
        }
        for id in [target.accepted.id, target.rejected.id] {
            for set in [
                "state = 'open', decided_at = NULL, change_id = NULL",
                "state = 'superseded', change_id = NULL",
                "decided_at = 7",
                "reason = reason",
            ] {
                let attack = format!("UPDATE proposals SET {set} WHERE id = '{id}'");
                target.refuses(&attack, "decided once").await;
            }
            target.refuses(&format!("DELETE FROM proposals WHERE id = '{id}'"), "only a scrub").await;
        }
        target.refuses("DELETE FROM proposals", "only a scrub").await;
        let columns = "kind, 'open', reason, F, hand, door, run_id, conversation_id, 0, NULL, NULL, content";
        for (id, fingerprint, reason) in [("id", "'other'", "taken"), ("N", "fingerprint", "taken")] {
            let columns = format!("{}, {NOTHING_NEW}", columns.replace('F', fingerprint));
            let id = id.replace('N', &format!("'{}'", target.fresh()));
            for verb in ["INSERT", "INSERT OR REPLACE"] {
                let attack =
                    format!("{verb} INTO proposals SELECT workspace_id, {id}, {columns} FROM proposals");
                target.refuses(&attack, reason).await;
            }
        }
        let by_row = format!(
            "INSERT OR REPLACE INTO proposals (rowid, workspace_id, id, kind, state, reason, fingerprint, hand, door, \
             created_at) SELECT rowid, '{workspace}', '{}', 'retire', 'open', 'x', 'other', 'agent', 'mcp', 0 \
             FROM proposals LIMIT 1",
            target.fresh()
        );
        target.refuses(&by_row, "taken").await;
        let decided = format!(
            "INSERT INTO proposals SELECT '{workspace}', '{}', kind, 'accepted', reason, 'other', hand, door, run_id, \
             conversation_id, 0, 1, 'x', content, {NOTHING_NEW} FROM proposals LIMIT 1",
            target.fresh()
        );
        target.refuses(&decided, "begins open").await;
    }
}

#[tokio::test]
async fn the_subjects_of_a_proposal_are_fixed() {
    for mut target in Target::both().await {
        let (workspace, open, voice) = (target.workspace, target.open.id, target.voice.id);
        let subject = target.open.subjects[0].id;
        for attack in [
            "UPDATE proposal_subjects SET version = 9".to_owned(),
            format!(
                "UPDATE OR REPLACE proposal_subjects SET memory_id = '{voice}' WHERE memory_id = '{subject}'"
            ),
            "DELETE FROM proposal_subjects".to_owned(),
            format!("INSERT INTO proposal_subjects VALUES ('{workspace}', '{open}', '{voice}', 1)"),
            format!(
                "INSERT OR REPLACE INTO proposal_subjects VALUES ('{workspace}', '{open}', '{subject}', 9)"
            ),
            format!("INSERT OR REPLACE INTO proposal_subjects VALUES ('{workspace}', 'x', '{subject}', 1)"),
        ] {
            target.refuses(&attack, "stays as it was").await;
        }
    }
}

#[tokio::test]
async fn a_permitted_deletion_deletes_the_proposals_about_the_entry() {
    for mut target in Target::both().await {
        let (workspace, voice, subject) = (target.workspace, target.voice.id, target.open.subjects[0].id);
        // Two of the three are about it.
        for (id, left) in [(voice, 3), (subject, 1)] {
            target
                .done(&format!("INSERT INTO deletion_permits VALUES ('{workspace}', '{id}', 'manifest', 0)"))
                .await;
            target.done(&format!("DELETE FROM memories WHERE id = '{id}'")).await;
            assert_eq!(target.count("proposals").await, left);
        }
        assert_eq!((target.count("proposal_subjects").await, target.count("names").await), (2, 1));
    }
}

#[tokio::test]
async fn the_start_of_a_run_and_the_items_of_an_orientation_are_fixed() {
    let mut target = Target::new(false).await;
    let run = target.stage.scribe.run("decay");
    target.stage.workspace.runs.put(&run).await.expect("it is kept");
    let shown = target.stage.scribe.orientation(&target.stage.conversation, &[&target.voice, &target.rules]);
    target.stage.workspace.ledger.put(&shown).await.expect("it is kept");
    let workspace = target.workspace;
    for set in ["task = 'x'", "set_off_by = 'asked'", "started_at = 0", "id = 'x'", "rowid = rowid + 9"] {
        target.refuses(&format!("UPDATE OR REPLACE runs SET {set}"), "began is fixed").await;
    }
    for set in [
        "state = 'done'",
        "finished_at = 1",
        "state = 'reverted', finished_at = 1",
        "done = -1",
        "counts = '[]'",
    ] {
        target.refuses(&format!("UPDATE runs SET {set}"), "CHECK").await;
    }
    for id in [run.id.to_string(), target.fresh()] {
        let attack = format!(
            "INSERT OR REPLACE INTO runs (rowid, workspace_id, id, task, state, set_off_by, started_at, done, total, \
             counts) SELECT rowid, '{workspace}', '{id}', 'x', 'running', 'asked', 0, 0, 0, '{{}}' FROM runs"
        );
        target.refuses(&attack, "taken").await;
    }
    for set in [
        "query = 'Something else?'",
        "at = 0",
        "budget = 1",
        "tokens = 1",
        "layers = '{}'",
        "channel_id = NULL",
        "message_id = 'x'",
        "conversation_id = NULL",
        "rowid = rowid + 9",
    ] {
        target.refuses(&format!("UPDATE OR REPLACE orientations SET {set}"), "not rewritten").await;
    }
    for attack in [
        "UPDATE orientation_items SET taken = 1, rule = NULL",
        "UPDATE orientation_items SET tokens = 0",
        "DELETE FROM orientation_items",
        "DELETE FROM orientation_items WHERE taken = 1",
        "INSERT OR REPLACE INTO orientation_items SELECT * FROM orientation_items WHERE ordinal = 0",
    ] {
        target.refuses(attack, "not rewritten").await;
    }
    for id in ["id".to_owned(), format!("'{}'", target.fresh())] {
        let attack = format!(
            "INSERT OR REPLACE INTO orientations (rowid, workspace_id, id, at, budget, tokens, layers, query) \
             SELECT rowid, workspace_id, {id}, 0, 0, 0, '{{}}', 'Else?' FROM orientations"
        );
        target.refuses(&attack, "taken").await;
    }
    target.done("UPDATE orientations SET thinned = 1").await;
    target.refuses("UPDATE orientations SET thinned = 0", "not rewritten").await;
}

#[tokio::test]
async fn every_ended_conversation_is_pending_and_a_deleted_one_is_not() {
    let mut target = Target::new(false).await;
    let (conversation, side) = (target.stage.conversation.id, target.stage.side_conversation.id);
    let end = |id, status| {
        format!(
            "UPDATE conversations SET status = '{status}', ended_at = 77 WHERE id = '{id}' AND status <> '{status}'"
        )
    };
    target.done(&end(conversation, "idle")).await;
    target.done(&end(conversation, "archived")).await;
    target.done(&end(side, "archived")).await;
    let waiting = format!(
        "persists WHERE state = 'pending' AND since = 77 AND conversation_id IN ('{conversation}', '{side}')"
    );
    assert_eq!(target.count(&waiting).await, 2);
    let shown = target.stage.scribe.orientation(&target.stage.conversation, &[&target.voice]);
    target.stage.workspace.ledger.put(&shown).await.expect("it is kept");
    target.done(&format!("UPDATE conversations SET deleted_at = 99 WHERE id = '{conversation}'")).await;
    assert_eq!((target.count("persists").await, target.count("orientations").await), (1, 0));
    assert_eq!(target.count("orientation_items").await, 0);
    let late = format!(
        "INSERT INTO orientations (workspace_id, id, conversation_id, at, budget, tokens, layers, query) \
         VALUES ('{}', '{}', '{conversation}', 0, 0, 0, '{{}}', 'Late?')",
        target.workspace,
        target.fresh()
    );
    target.refuses(&late, "its conversation is gone").await;
    // One that is deleted while it goes on ends without a trace.
    let third = target.stage.scribe.conversation(target.stage.side.id);
    target.stage.workspace.conversations.add_conversation(&third).await.expect("a conversation is added");
    target
        .done(&format!("UPDATE conversations SET deleted_at = 99, status = 'idle' WHERE id = '{}'", third.id))
        .await;
    assert_eq!(target.count("persists").await, 1);
    let findings = target.folder.open().check().await.expect("a check");
    assert!(findings.iter().all(|f| f.ok), "{findings:?}");
}

#[tokio::test]
async fn the_check_detects_inconsistent_names_and_proposals() {
    let mut target = Target::new(false).await;
    let findings = target.folder.open().check().await.expect("a check");
    assert!(findings.iter().all(|f| f.ok), "{findings:?}");
    target.done("DROP TRIGGER names_delete; DELETE FROM names WHERE folded = 'tone'").await;
    target.done("DROP TRIGGER proposal_subjects_delete; DELETE FROM proposal_subjects").await;
    let findings = target.folder.open().check().await.expect("a check");
    let wrong: Vec<&str> = findings.iter().filter(|f| !f.ok).map(|f| f.check.as_str()).collect();
    assert_eq!(wrong, ["schema", "names", "proposals"]);
}
