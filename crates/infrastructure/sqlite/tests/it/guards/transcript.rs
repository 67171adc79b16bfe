//! What the database itself refuses about messages, conversations and facts: each test plays a program that ignores
//! our code and speaks SQL to the file.

use crate::support::{self, TempFolder, raw, stage::Stage};
use inklings_domain::{
    conversation::message::{Delivery, Message},
    fact::{Fact, FactSource},
    memory::filter::{MemoryFilter, ScopeFilter},
    scope::Place,
    scratchpad::WorkingNote,
};
use inklings_ports::{
    conversation::transcript_store::KEEP_ONLY_SUMMARIES,
    testing::builders::{author, draft},
};
use sqlx::{AssertSqlSafe, SqliteConnection};

/// Columns of a message that no statement changes once it is said, with a value that differs.
const FIXED: &[(&str, &str)] = &[
    ("content", "'rewritten'"),
    ("role", "'assistant'"),
    ("delivery", "'failed'"),
    ("delivery", "'streaming'"),
    ("position", "position + 100"),
    ("at", "at + 1"),
    ("seq", "seq + 1000"),
    ("id", "'00000000-0000-7000-8000-000000000000'"),
    ("conversation_id", "(SELECT id FROM conversations WHERE id <> conversation_id LIMIT 1)"),
    ("external_id", "'X'"),
    ("session", "'S'"),
    ("speaker", "'Nobody'"),
    ("said_at", "'never'"),
    ("tool_calls", "'[1]'"),
    ("attached_name", "'a.md'"),
    ("tool_name = 'x', tool_call_id", "'y'"),
    ("change_seq", "-1"),
];

struct Target {
    _folder: TempFolder,
    stage: Stage,
    conn: SqliteConnection,
    messages: Vec<Message>,
}

impl Target {
    async fn new() -> Self {
        let (folder, stage) = support::stage().await;
        let conn = raw(&folder.workspace_file(stage.workspace.workspace.id)).await;
        let messages = stage.add_texts(&stage.conversation, &["The lantern burns.", "It does."]).await;
        Self { _folder: folder, stage, conn, messages }
    }

    async fn run(&mut self, sql: &str) -> Result<u64, String> {
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut self.conn).await;
        done.map(|done| done.rows_affected()).map_err(|error| error.to_string())
    }

    async fn done(&mut self, sql: &str) -> u64 {
        self.run(sql).await.unwrap_or_else(|error| panic!("{error}: {sql}"))
    }

    async fn state(&mut self) -> Vec<String> {
        let mut state = Vec::new();
        for (table, columns) in [
            (
                "messages",
                "quote(seq) || quote(id) || quote(conversation_id) || quote(position) || quote(role) || \
                 quote(delivery) || quote(at) || quote(content) || quote(tool_calls) || quote(external_id) || \
                 quote(archive_id) || quote(through)",
            ),
            (
                "conversations",
                "quote(id) || quote(last_position) || quote(message_tick) || quote(deleted_at)",
            ),
            (
                "facts",
                "quote(id) || quote(value) || quote(source) || quote(version) || quote(removed_at) || \
                 quote(category_folded) || quote(key_folded) || quote(holds_from) || quote(holds_until)",
            ),
            (
                "fact_values",
                "quote(fact_id) || quote(version) || quote(value) || quote(from_at) || quote(holds_from) || \
                 quote(holds_until)",
            ),
        ] {
            let sql = format!("SELECT {columns} FROM {table} ORDER BY 1");
            let rows: Vec<String> =
                sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut self.conn).await.expect("a dump");
            state.extend(rows);
        }
        state
    }

    /// An attack must fail for the reason given and change nothing.
    async fn refuses(&mut self, sql: &str, reason: &str) {
        let before = self.state().await;
        self.done("BEGIN IMMEDIATE").await;
        let result = self.run(sql).await;
        self.done("ROLLBACK").await;
        match result {
            Ok(rows) => panic!("changed {rows} rows: {sql}"),
            Err(error) => assert!(error.contains(reason), "{error}, not '{reason}': {sql}"),
        }
        assert_eq!(self.state().await, before, "{sql}");
    }

    fn first(&self) -> String {
        self.messages[0].id().to_string()
    }

    /// The columns of an attacker's own message, but for its position and id.
    fn forged(&self, id: &str, position: &str) -> String {
        format!(
            "INTO messages (workspace_id, id, conversation_id, position, role, delivery, importance, at, \
             updated_at, change_seq, content) VALUES ('{}', '{id}', '{}', {position}, 'user', 'complete', 0.5, 0, \
             0, 0, 'forged')",
            self.stage.workspace.workspace.id, self.stage.conversation.id
        )
    }
}

const FRESH: &str = "00000000-0000-7000-8000-0000000000aa";

#[tokio::test]
async fn messages_cannot_be_rewritten() {
    let mut target = Target::new().await;
    let id = target.first();
    for (column, value) in FIXED {
        for verb in ["UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"] {
            let sql = format!("{verb} messages SET {column} = {value} WHERE id = '{id}'");
            target.refuses(&sql, "what was said is not rewritten").await;
        }
    }
    let changed = target.done(&format!("UPDATE messages SET importance = 0.9 WHERE id = '{id}'")).await;
    assert_eq!(changed, 1, "how much it matters is free to change");
}

/// Whoever writes a text without its checksum is refused: the row would count as damaged.
#[tokio::test]
async fn a_new_text_does_not_keep_the_checksum_of_the_old_one() {
    let mut target = Target::new().await;
    let arriving =
        target.stage.say(&target.stage.conversation, &[target.stage.scribe.arriving()]).await.remove(0);
    let (_, fact) = authors_fact(&target).await;
    let now = target.stage.scribe.clock.tick();
    let note =
        WorkingNote::write(target.stage.conversation.id, "plan", "1".into(), None, now).expect("a note");
    target.stage.workspace.scratchpads.write_note(&note).await.expect("a note");
    for (table, set, which) in [
        ("messages", "content = 'piece'", format!("id = '{}'", arriving.id())),
        ("facts", "value = 'other', version = version + 1", format!("id = '{fact}'")),
        ("scratchpads", "value = '\"other\"'", "key = 'plan'".to_owned()),
    ] {
        let write = format!("UPDATE {table} SET {set} WHERE {which}");
        target.refuses(&write, "undeclared write").await;
        let unsealed = write.replace(" WHERE", ", checksum = NULL WHERE");
        assert_eq!(target.done(&unsealed).await, 1, "{table}");
    }
}

#[tokio::test]
async fn a_delivered_message_cannot_be_rewritten() {
    let mut target = Target::new().await;
    let arriving =
        target.stage.say(&target.stage.conversation, &[target.stage.scribe.arriving()]).await.remove(0);
    let rewrite =
        format!("UPDATE messages SET content = 'piece', checksum = NULL WHERE id = '{}'", arriving.id());
    assert_eq!(target.done(&rewrite).await, 1);
    let at = target.stage.scribe.clock.tick();
    let transcript = &target.stage.workspace.transcript;
    transcript.deliver(arriving.id(), "All.", None, Delivery::Complete, at).await.expect("delivered");
    target.refuses(&rewrite.replace("piece", "other"), "what was said is not rewritten").await;
}

#[tokio::test]
async fn messages_are_deleted_only_by_the_retention_setting_or_with_their_conversation() {
    let mut target = Target::new().await;
    let id = target.first();
    let delete = format!("DELETE FROM messages WHERE id = '{id}'");
    target.refuses(&delete, "keeps what was said").await;
    target.refuses("DELETE FROM messages", "keeps what was said").await;
    target.stage.configure(KEEP_ONLY_SUMMARIES, "false").await;
    target.refuses(&delete, "keeps what was said").await;
    target.stage.configure(KEEP_ONLY_SUMMARIES, "true").await;
    assert_eq!(target.done(&delete).await, 1);
    target.stage.configure(KEEP_ONLY_SUMMARIES, "false").await;
    let mark =
        format!("UPDATE conversations SET deleted_at = 1 WHERE id = '{}'", target.stage.conversation.id);
    target.done(&mark).await;
    let rest = format!("DELETE FROM messages WHERE id = '{}'", target.messages[1].id());
    assert_eq!(target.done(&rest).await, 1);
}

#[tokio::test]
async fn messages_cannot_be_replaced() {
    let mut target = Target::new().await;
    let id = target.first();
    for (id, position, extra) in
        [(id.as_str(), "50", ""), (FRESH, "1", ""), (FRESH, "2", ""), (id.as_str(), "1", "")]
    {
        for verb in ["INSERT OR REPLACE", "REPLACE", "INSERT"] {
            let sql = format!("{verb} {}{extra}", target.forged(id, position));
            target.refuses(&sql, "taken: message").await;
        }
    }
    let same_number = target
        .forged(FRESH, "50")
        .replace("(workspace_id,", "(seq, workspace_id,")
        .replace("VALUES (", "VALUES ((SELECT min(seq) FROM messages), ");
    target.refuses(&format!("INSERT OR REPLACE {same_number}"), "taken: message").await;
}

#[tokio::test]
async fn positions_are_never_used_again() {
    let mut target = Target::new().await;
    target.stage.configure(KEEP_ONLY_SUMMARIES, "true").await;
    target.done("DELETE FROM messages").await;
    let forged = target.forged(FRESH, "2");
    target.refuses(&format!("INSERT {forged}"), "positions only rise").await;
    target.refuses("UPDATE conversations SET last_position = 0", "does not go back").await;
    target
        .refuses("UPDATE conversations SET message_tick = 0 WHERE message_tick > 0", "does not go back")
        .await;
    let next = target.stage.add_texts(&target.stage.conversation, &["Three."]).await;
    assert_eq!(next[0].position, 3);
}

#[tokio::test]
async fn a_deleted_conversation_stays_empty() {
    let mut target = Target::new().await;
    let at = target.stage.scribe.clock.tick();
    let store = &target.stage.workspace.conversations;
    assert!(store.delete_conversation(target.stage.conversation.id, at).await.expect("it is deleted"));
    let forged = target.forged(FRESH, "50");
    target.refuses(&format!("INSERT {forged}"), "this conversation was deleted").await;
    target.refuses("UPDATE conversations SET deleted_at = NULL", "does not go back").await;
    let left: i64 =
        sqlx::query_scalar("SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'lantern'")
            .fetch_one(&mut target.conn)
            .await
            .expect("a count");
    assert_eq!(left, 0, "the index has let go of it too");
}

#[tokio::test]
async fn an_agent_does_not_overwrite_the_authors_fact() {
    let mut target = Target::new().await;
    let (fact, id) = authors_fact(&target).await;
    for set in [
        "value = 'stolen', version = version + 1, written_by = 'agent'",
        "value = 'stolen', version = version + 1, source = 'agent', written_by = 'agent'",
        "source = 'agent', version = version + 1, written_by = 'agent'",
        "removed_at = 1, value = '', version = version + 1, written_by = 'agent'",
        "version = version + 1, written_by = 'agent'",
        "holds_until = 10000, version = version + 1, written_by = 'agent'",
        "known_by = '[{}]', version = version + 1, written_by = 'agent'",
    ] {
        for verb in ["UPDATE", "UPDATE OR REPLACE"] {
            let sql = format!("{verb} facts SET {set} WHERE id = '{id}'");
            target.refuses(&sql, "this fact is the author's word").await;
        }
    }
    for (set, reason) in [
        ("value = 'quietly'", "a new value is a new version"),
        ("value = 'skipped', version = version + 2", "a new value is a new version"),
        ("holds_until = 10000", "a new value is a new version"),
        (KNOWN_BY, "a new value is a new version"),
        ("holds_from = 9999, version = version + 1, checksum = NULL", "CHECK constraint"),
        (
            "holds_from = 20000, holds_until = 10000, version = version + 1, checksum = NULL",
            "CHECK constraint",
        ),
        ("key_folded = 'other'", "identity and creation are fixed"),
        ("created_at = 0", "identity and creation are fixed"),
    ] {
        target.refuses(&format!("UPDATE facts SET {set} WHERE id = '{id}'"), reason).await;
    }
    let facts = &target.stage.workspace.facts;
    assert_eq!(facts.fact_by_id(fact.id).await.expect("facts are read").map(|f| f.fact), Some(fact));
}

#[tokio::test]
async fn facts_cannot_be_replaced_or_deleted() {
    let mut target = Target::new().await;
    let (_, id) = authors_fact(&target).await;
    for (id, category, key) in [(id.as_str(), "other", "other"), (FRESH, "people", "mira")] {
        let sql = format!(
            "INSERT OR REPLACE INTO facts (workspace_id, id, category, category_folded, key, key_folded, source, \
             written_by, version, created_at, updated_at, value) \
             VALUES ('{}', '{id}', 'P', '{category}', 'K', '{key}', 'agent', 'agent', 1, 0, 0, 'stolen')",
            target.stage.workspace.workspace.id
        );
        target.refuses(&sql, "taken: fact").await;
    }
    target.refuses("DELETE FROM facts", "never deleted").await;
    target.refuses("DELETE FROM fact_values", "history is append-only").await;
    target.refuses("UPDATE fact_values SET value = 'never so'", "history is append-only").await;
    target.refuses("UPDATE fact_values SET holds_from = 0", "history is append-only").await;
    target.refuses(&format!("UPDATE fact_values SET {KNOWN_BY}"), "history is append-only").await;
    let rewrite = "INSERT OR REPLACE INTO fact_values (workspace_id, fact_id, version, source, conversation_id, from_at, \
        until_at, removed, value) \
        SELECT workspace_id, fact_id, version, source, NULL, from_at, until_at, removed, 'never so' FROM fact_values";
    target.refuses(rewrite, "history is append-only").await;
}

#[tokio::test]
async fn two_facts_of_a_key_do_not_hold_at_one_time() {
    let mut target = Target::new().await;
    let (_, mira) = authors_fact(&target).await;
    let workspace = target.stage.workspace.workspace.id;
    let time = "UPDATE facts SET holds_until = 8120000, version = version + 1, checksum = NULL WHERE id = ";
    target.done(&format!("{time} '{mira}'")).await;
    let insert = |verb: &str, holds: &str| {
        format!(
            "{verb} INTO facts (workspace_id, id, category, category_folded, key, key_folded, source, written_by, \
             version, created_at, updated_at, holds_from, holds_until, value) \
             VALUES ('{workspace}', '{FRESH}', 'P', 'people', 'K', 'mira', 'user', 'user', 1, 0, 0, {holds}, 'x')"
        )
    };
    // The whole of its last day, a part of that day, all of it, and a time around its start.
    for holds in ["8120000, NULL", "8128640, 8128640", "NULL, NULL", "-10000, 0", "NULL, -9000000000000000"] {
        for verb in ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"] {
            target.refuses(&insert(verb, holds), "taken: fact").await;
        }
    }
    target.done(&insert("INSERT", "8130000, NULL")).await;
    for (set, id) in [
        ("holds_until = 8130000", &*mira),
        ("holds_until = NULL", &*mira),
        ("holds_from = NULL", FRESH),
        ("holds_from = 8128640", FRESH),
    ] {
        for verb in ["UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"] {
            let sql =
                format!("{verb} facts SET {set}, version = version + 1, checksum = NULL WHERE id = '{id}'");
            target.refuses(&sql, "taken: fact").await;
        }
    }
    // A removed one holds at no time, until it is set again.
    let remove = "removed_at = 1, value = '', version = version + 1, checksum = NULL";
    target.done(&format!("UPDATE facts SET {remove} WHERE id = '{mira}'")).await;
    let always = "holds_from = NULL, version = version + 1, checksum = NULL";
    target.done(&format!("UPDATE facts SET {always} WHERE id = '{FRESH}'")).await;
    let back = "removed_at = NULL, value = 'a smith', version = version + 1, checksum = NULL";
    target.refuses(&format!("UPDATE facts SET {back} WHERE id = '{mira}'"), "taken: fact").await;
    // Only the key that an import gives a fact until its last version can be left, and for a free time alone.
    let own = format!("char(1) || '{FRESH}'");
    target.refuses(&format!("UPDATE facts SET key_folded = {own} WHERE id = '{FRESH}'"), "are fixed").await;
}

/// A knower that is not here.
const KNOWN_BY: &str = r#"known_by = '[{"role":"known_by","id":"00000000-0000-7000-8000-00000000000f"}]'"#;

#[tokio::test]
async fn only_the_worldbuilder_says_who_knows_of_a_fact() {
    let mut target = Target::new().await;
    let scribe = &target.stage.scribe;
    let of_agent = scribe.fact("Gate", "metal", "iron", FactSource::Agent);
    target.stage.workspace.facts.put_fact(&of_agent, FactSource::Agent, None).await.expect("written");
    let of = |set: &str| {
        format!("facts SET {set}, version = version + 1, checksum = NULL WHERE id = '{}'", of_agent.id)
    };
    for verb in ["UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"] {
        target.refuses(&format!("{verb} {}", of(KNOWN_BY)), "for the worldbuilder to say").await;
    }
    let insert = |written_by: &str, value: &str| {
        format!(
            "INSERT INTO facts (workspace_id, id, category, category_folded, key, key_folded, source, written_by, \
             version, created_at, updated_at, known_by, value) \
             VALUES ('{}', '{FRESH}', 'P', 'p', 'K', 'k', '{written_by}', '{written_by}', 1, 0, 0, {value}, 'x')",
            target.stage.workspace.workspace.id
        )
    };
    let (_, links) = KNOWN_BY.split_once(" = ").expect("a value");
    let (by_agent, by_author) = (insert("agent", links), insert("user", "'[7]'"));
    target.refuses(&by_agent, "for the worldbuilder to say").await;
    target.refuses(&by_author, "only those who know of a fact").await;
    let by_author = "written_by = 'user', source = 'user', ";
    for (value, reason) in [
        ("'{}'", "CHECK constraint"),
        ("'[]'", "CHECK constraint"),
        ("'[7]'", "only those who know of a fact"),
        ("'[{}]'", "only those who know of a fact"),
        (
            r#"'[{"role":"about","id":"00000000-0000-7000-8000-00000000000f"}]'"#,
            "only those who know of a fact",
        ),
        (r#"'[{"role":"known_by","id":"Mira"}]'"#, "only those who know of a fact"),
    ] {
        target.refuses(&format!("UPDATE {}", of(&format!("{by_author}known_by = {value}"))), reason).await;
    }
    let twice =
        links.replace("[{", "[{\"role\":\"known_by\",\"id\":\"00000000-0000-7000-8000-00000000000f\"},{");
    let twice = format!("UPDATE {}", of(&format!("{by_author}known_by = {twice}")));
    target.refuses(&twice, "only those who know of a fact").await;
    let many: Vec<String> = (0..65).map(|n| format!(r#"{{"role":"known_by","id":"{n:036}"}}"#)).collect();
    let many = format!("UPDATE {}", of(&format!("{by_author}known_by = '[{}]'", many.join(","))));
    target.refuses(&many, "CHECK constraint").await;
    target.done(&format!("UPDATE {}", of(&format!("{by_author}{KNOWN_BY}")))).await;
    // An agent changes neither it nor the fact, which is the worldbuilder's now; an agent's fact keeps it.
    target.refuses(&format!("UPDATE {}", of("written_by = 'agent', known_by = NULL")), "author's word").await;
    target.done(&format!("UPDATE {}", of("source = 'agent', written_by = 'user'"))).await;
    for set in ["known_by = NULL", "value = 'tin'", "removed_at = 1, value = ''", "holds_from = 0"] {
        let by_agent = of(&format!("written_by = 'agent', {set}"));
        target.refuses(&format!("UPDATE {by_agent}"), "author's word").await;
    }
    let kept = "SELECT count(*) FROM fact_values WHERE known_by IS NOT NULL";
    let kept: i64 = sqlx::query_scalar(kept).fetch_one(&mut target.conn).await.expect("a count");
    assert_eq!(kept, 1, "the version before has it");
}

/// A fact of the author with one earlier value.
async fn authors_fact(target: &Target) -> (Fact, String) {
    let (scribe, facts) = (&target.stage.scribe, &target.stage.workspace.facts);
    let first = scribe.fact("People", "Mira", "a smith", FactSource::User);
    facts.put_fact(&first, FactSource::User, None).await.expect("the fact is written");
    let fact = scribe.next_value(&first, "a thief", FactSource::User);
    facts.put_fact(&fact, FactSource::User, None).await.expect("the fact is written");
    let id = fact.id.to_string();
    (fact, id)
}

#[tokio::test]
async fn entries_follow_a_conversation_that_raw_sql_moves() {
    let mut target = Target::new().await;
    let stage = &target.stage;
    let place = Place::Conversation(stage.general.id, stage.conversation.id);
    let entry = stage.write_one(author(), draft(place, "The lantern is old.")).await;
    let (conversation, side) = (stage.conversation.id, stage.side.id);
    let alone = format!("UPDATE memories SET channel_id = '{side}' WHERE id = '{}'", entry.id);
    target.run(&alone).await.expect_err("an entry does not move alone");
    target.done("PRAGMA foreign_keys = ON").await;
    target.done(&format!("UPDATE conversations SET channel_id = '{side}' WHERE id = '{conversation}'")).await;
    assert_eq!(target.stage.read(entry.id).await.entry.place, Place::Conversation(side, conversation));
    let scope_filter = ScopeFilter { workspace: false, ..ScopeFilter::new(&[], Some(side), None) };
    let filter = MemoryFilter { scope_filter, terms: Vec::new() };
    let query = inklings_domain::search::query::parse("lantern").query;
    let found = target.stage.memory().search.search_text(&query, &filter, 9).await.expect("search answers");
    assert_eq!(found.len(), 1);
    let findings = target.stage.catalogue.check().await.expect("the folder is checked");
    assert!(findings.iter().all(|f| f.ok), "{findings:?}");
}

#[tokio::test]
async fn a_broken_message_index_is_found_by_the_self_check() {
    let mut target = Target::new().await;
    target
        .done("INSERT INTO messages_fts (messages_fts, rowid, content, reach) VALUES ('delete', 1, 'wrong', 'said')")
        .await;
    let findings = target.stage.catalogue.check().await.expect("the folder is checked");
    assert!(findings.iter().any(|f| f.check == "message_index" && !f.ok), "{findings:?}");
}

#[tokio::test]
async fn facts_of_one_time_are_found_by_the_self_check() {
    let mut target = Target::new().await;
    let (_, mira) = authors_fact(&target).await;
    let findings = target.stage.catalogue.check().await.expect("the folder is checked");
    assert!(findings.iter().any(|f| f.check == "fact_times" && f.ok), "{findings:?}");
    target.done("DROP TRIGGER facts_insert").await;
    let second = "INSERT INTO facts (workspace_id, id, category, category_folded, key, key_folded, source, written_by, \
         version, created_at, updated_at, holds_from, value) \
         SELECT workspace_id, '{id}', category, category_folded, key, key_folded, 'user', 'user', 1, 0, 0, 0, 'x' \
         FROM facts WHERE id = '{mira}'";
    target.done(&second.replace("{id}", FRESH).replace("{mira}", &mira)).await;
    let findings = target.stage.catalogue.check().await.expect("the folder is checked");
    assert!(findings.iter().any(|f| f.check == "fact_times" && !f.ok), "{findings:?}");
}

#[tokio::test]
async fn a_conversation_keeps_its_lens_once_it_has_a_message() {
    let mut target = Target::new().await;
    let (with, without) = (target.stage.conversation.id, target.stage.side_conversation.id);
    let knower = "00000000-0000-7000-8000-000000000001";
    for set in
        [format!("knower_id = '{knower}'"), "as_of = 10000".to_owned(), format!("as_of_chapter = '{knower}'")]
    {
        let refused = target.run(&format!("UPDATE conversations SET {set} WHERE id = '{with}'")).await;
        assert!(refused.is_err_and(|error| error.contains("keeps its lens")), "{set}");
        let set = target.done(&format!("UPDATE conversations SET {set} WHERE id = '{without}'")).await;
        assert_eq!(set, 1);
        let clear = "knower_id = NULL, as_of = NULL, as_of_chapter = NULL";
        target.done(&format!("UPDATE conversations SET {clear} WHERE id = '{without}'")).await;
    }
    let both =
        format!("UPDATE conversations SET as_of = 1, as_of_chapter = '{knower}' WHERE id = '{without}'");
    assert!(target.run(&both).await.is_err_and(|error| error.contains("CHECK")), "one time at most");
}

/// What a branch shares is fixed, and it shares nothing without a conversation before it.
#[tokio::test]
async fn a_branch_keeps_its_beginning() {
    let mut target = Target::new().await;
    let (own, other) = (target.stage.conversation.id, target.stage.side_conversation.id);
    let alone = target.run(&format!("UPDATE conversations SET shares_through = 1 WHERE id = '{own}'")).await;
    assert!(alone.is_err(), "{alone:?}");
    target
        .done(&format!(
            "UPDATE conversations SET continues_id = '{other}', shares_through = 1 WHERE id = '{own}'"
        ))
        .await;
    for set in ["shares_through = 2", "shares_through = NULL", "continues_id = NULL, shares_through = NULL"] {
        let sql = format!("UPDATE conversations SET {set} WHERE id = '{own}'");
        target.refuses(&sql, "a branch keeps its beginning").await;
    }
}
