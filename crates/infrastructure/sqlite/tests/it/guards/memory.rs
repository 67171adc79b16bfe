//! Promises 1 and 2 in the database itself: each test plays a program that ignores our code and speaks SQL to the
//! file, and tries to break them. In both databases.

use std::path::PathBuf;

use super::columns::{WRITERS_COLUMNS, columns_of, other_writers_columns};
use crate::support::{self, TempFolder, raw, stage::Stage};
use inklings_domain::{ids::WorkspaceId, memory::MemoryEntry, scope::Place};
use inklings_ports::{
    clock::IdGenerator,
    testing::builders::{agent, author, draft, import, imported, new_text},
};
use sqlx::{AssertSqlSafe, SqliteConnection};

/// One database with an entry of every kind of owner.
pub(super) struct Target {
    _folder: TempFolder,
    stage: Stage,
    conn: SqliteConnection,
    pub(super) workspace: WorkspaceId,
    place: Place,
    authors: MemoryEntry,
    imported: MemoryEntry,
    pub(super) named: MemoryEntry,
    pub(super) agents: MemoryEntry,
}

impl Target {
    async fn both() -> [Self; 2] {
        [Self::new(true).await, Self::new(false).await]
    }

    pub(super) async fn new(account: bool) -> Self {
        let (folder, stage) = support::stage().await;
        let id = stage.workspace.workspace.id;
        let (workspace, place, file): (_, _, PathBuf) = if account {
            (WorkspaceId::ACCOUNT, Place::Account, folder.account_file())
        } else {
            (id, Place::Workspace, folder.workspace_file(id))
        };
        let store = if account { &stage.account.memory.store } else { &stage.workspace.memory.store };
        let (authors, mut one) = stage.scribe.create(author(), [draft(place, "The author's own words.")]);
        let (imports, mut two) = stage.scribe.create(import(), [imported(place, "D1", "Brought in.")]);
        let (agents, mut three) = stage.scribe.create(agent(), [draft(place, "An agent's guess.")]);
        let entry = stage.scribe.entry(draft(place, "Speak plainly."), stage.scribe.stamp(author()));
        let curator = inklings_domain::provenance::Curator::Agent;
        let entry = MemoryEntry { name: Some("VOICE".into()), curator, ..entry };
        let (names, mut four) = stage.scribe.insert_raw(author(), [entry]);
        for change in [authors, imports, agents, names] {
            store.commit(&change).await.expect("the change is committed");
        }
        let (edit, edited) =
            stage.scribe.edit(author(), &one.remove(0), new_text("The author's own words, again."));
        store.commit(&edit).await.expect("the change is committed");
        let conn = raw(&file).await;
        Self {
            _folder: folder,
            conn,
            workspace,
            place,
            authors: edited,
            imported: two.remove(0),
            agents: three.remove(0),
            named: four.remove(0),
            stage,
        }
    }

    pub(super) async fn run(&mut self, sql: &str) -> Result<u64, String> {
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut self.conn).await;
        done.map(|done| done.rows_affected()).map_err(|error| error.to_string())
    }

    /// Everything that an attack could have changed.
    async fn state(&mut self) -> Vec<String> {
        let mut state = Vec::new();
        for table in ["memories", "journal", "memory_versions"] {
            let columns = columns_of(&mut self.conn, table).await;
            let quoted: Vec<String> =
                columns.iter().map(|column| format!("quote({})", column.name)).collect();
            let sql = format!("SELECT {} FROM {table} ORDER BY 1", quoted.join(" || "));
            let rows: Vec<String> =
                sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut self.conn).await.expect("a dump");
            state.extend(rows);
        }
        state
    }

    /// An attack must fail for the reason given and change nothing. Runs in a transaction, as it may be several
    /// statements, of which the harmless ones are taken back.
    pub(super) async fn refuses(&mut self, sql: &str, reason: &str) {
        let before = self.state().await;
        self.run("BEGIN IMMEDIATE").await.expect("begins");
        let result = self.run(sql).await;
        self.run("ROLLBACK").await.expect("rolls back");
        match result {
            Ok(rows) => panic!("{:?}: changed {rows} rows: {sql}", self.place),
            Err(error) => {
                // SQLite's result codes for a violated rule (19 and its kin): a slip in the attack is no refusal.
                let rule = ["1811)", "275)", "1299)", "3091)", "787)", "2067)", "1555)"];
                assert!(rule.iter().any(|code| error.contains(code)), "{error}: {sql}");
                assert!(error.contains(reason), "{:?}: {error}, not '{reason}': {sql}", self.place);
            }
        }
        // What no transaction holds together must not leave half of itself either.
        let _ = self.run(sql.rsplit_once(";\n").map_or(sql, |(_, last)| last)).await;
        assert_eq!(self.state().await, before, "{:?}: something changed: {sql}", self.place);
    }

    pub(super) fn fresh(&self) -> String {
        self.stage.scribe.ids.uuid().to_string()
    }

    /// A journal row in the name of `actor_kind`, and the assignments of a write that declares it.
    pub(super) fn declared(&self, actor_kind: &str) -> (String, String) {
        let change = self.fresh();
        let journal = format!(
            "INSERT INTO journal (workspace_id, id, action, hand, door, at, entries) \
             VALUES ('{}', '{change}', 'edit', '{actor_kind}', 'mcp', 0, 1);\n",
            self.workspace
        );
        let declaration = format!(
            "version = version + 1, checksum = NULL, written_by = '{actor_kind}', change_id = '{change}', \
             change_seq = (SELECT tick FROM change_clock)"
        );
        (journal, declaration)
    }

    /// An INSERT of a new entry in the name of `actor_kind`, declared.
    fn insert(&self, verb: &str, actor_kind: &str, columns: &str, values: &str) -> String {
        let (change, id) = (self.fresh(), self.fresh());
        let (workspace, scope) = (self.workspace, self.place.scope());
        let id = if columns.starts_with("id,") { String::new() } else { format!("'{id}', ") };
        let id_column = if id.is_empty() { "" } else { "id, " };
        format!(
            "INSERT INTO journal (workspace_id, id, action, hand, door, at, entries) \
             VALUES ('{workspace}', '{change}', 'create', '{actor_kind}', 'mcp', 0, 1);\n\
             {verb} INTO memories ({id_column}{columns}, workspace_id, scope, lifetime, kind, importance, source, \
             version, written_by, change_id, change_seq, created_at, accessed_at, updated_at) \
             VALUES ({id}{values}, '{workspace}', '{scope}', 'long_term', 'note', 0.5, 'x', 1, '{actor_kind}', \
             '{change}', (SELECT tick FROM change_clock), 0, 0, 0)"
        )
    }
}

#[tokio::test]
async fn no_column_changes_without_a_declaration() {
    for mut target in Target::both().await {
        for entry in [target.authors.id, target.imported.id, target.named.id, target.agents.id] {
            for (column, value) in WRITERS_COLUMNS {
                // Some claim to be the agent's and are refused as such; the reason does not matter, the refusal does.
                target
                    .refuses(&format!("UPDATE memories SET {column} = {value} WHERE id = '{entry}'"), "")
                    .await;
            }
            for (column, value) in other_writers_columns(&mut target.conn).await {
                target
                    .refuses(
                        &format!("UPDATE memories SET {column} = {value} WHERE id = '{entry}'"),
                        "undeclared",
                    )
                    .await;
            }
        }
        target.refuses("UPDATE memories SET content = 'all'", "undeclared").await;
    }
}

#[tokio::test]
async fn no_agent_changes_what_is_the_authors() {
    for mut target in Target::both().await {
        for entry in [target.authors.id, target.imported.id, target.named.id] {
            for actor_kind in ["agent", "system"] {
                for change in [
                    "content = 'rewritten'",
                    "forgotten_at = 1, forgotten_reason = 'pruned'",
                    "importance = 0.0",
                    "tags = '[\"x\"]'",
                    "lifetime = 'short_term'",
                    "curator = 'agent', name = NULL, name_folded = NULL, content = 'mine'",
                    "pinned = 0",
                ] {
                    let (journal, declaration) = target.declared(actor_kind);
                    let attack =
                        format!("{journal}UPDATE memories SET {change}, {declaration} WHERE id = '{entry}'");
                    target.refuses(&attack, "locked").await;
                }
            }
        }
    }
}

#[tokio::test]
async fn no_agent_creates_entries_that_claim_to_be_the_authors() {
    for mut target in Target::both().await {
        let agents = target.agents.id;
        for change in ["curator = 'author'", "curator = 'import'", "name = 'SOUL', name_folded = 'soul'"] {
            let (journal, declaration) = target.declared("agent");
            let attack =
                format!("{journal}UPDATE memories SET {change}, {declaration} WHERE id = '{agents}'");
            target.refuses(&attack, "locked").await;
        }
        for (columns, values) in [
            ("curator, content", "'author', 'forged'"),
            ("curator, content", "'import', 'forged'"),
            ("curator, content, name, name_folded", "'agent', 'forged', 'SOUL', 'soul'"),
        ] {
            let attack = target.insert("INSERT", "system", columns, values);
            target.refuses(&attack, "locked").await;
        }
    }
}

#[tokio::test]
async fn a_write_needs_a_new_and_matching_declaration() {
    for mut target in Target::both().await {
        let (authors, old) = (target.authors.id, target.authors.change);
        let write = |change: &str, actor_kind: &str| {
            format!(
                "UPDATE memories SET content = 'x', version = version + 1, checksum = NULL, written_by = '{actor_kind}', \
                 change_id = '{change}', change_seq = (SELECT tick FROM change_clock) WHERE id = '{authors}'"
            )
        };
        // A change that is not in the journal, and one that was used already.
        target.refuses(&write(&target.fresh(), "author"), "undeclared").await;
        target.refuses(&write(&old.to_string(), "author"), "undeclared").await;
        // The journal says agent, the row says author.
        let (journal, declaration) = target.declared("agent");
        let lie = declaration.replace("'agent'", "'author'");
        target
            .refuses(
                &format!("{journal}UPDATE memories SET content = 'x', {lie} WHERE id = '{authors}'"),
                "undeclared",
            )
            .await;
        // A version that skips one, one that an index could not see, and one under the checksum of another.
        let (journal, declaration) = target.declared("author");
        for broken in [
            declaration.replace("version + 1", "version + 2"),
            declaration.replace("(SELECT tick FROM change_clock)", "change_seq"),
            declaration.replace("checksum = NULL, ", ""),
        ] {
            let attack =
                format!("{journal}UPDATE memories SET content = 'x', {broken} WHERE id = '{authors}'");
            target.refuses(&attack, "undeclared").await;
        }
        let attack = target
            .insert("INSERT", "author", "curator, content", "'author', 'x'")
            .rsplit_once(";\n")
            .map(|(_, insert)| insert.to_owned())
            .expect("two statements");
        target.refuses(&attack, "undeclared").await;
    }
}

#[tokio::test]
async fn identity_place_and_creation_are_fixed() {
    for mut target in Target::both().await {
        let agents = target.agents.id;
        let other = target.fresh();
        for change in [
            format!("id = '{other}'"),
            format!("workspace_id = '{other}'"),
            format!("channel_id = '{other}'"),
            "seq = 99".into(),
            "rowid = 99".into(),
            "oid = 99".into(),
            "_rowid_ = 99".into(),
            "created_at = 5".into(),
            "scope = 'conversation'".into(),
            "access_count = access_count - 1".into(),
        ] {
            for actor_kind in [None, Some("author")] {
                let (journal, declaration) = actor_kind.map_or_else(
                    || (String::new(), String::from("accessed_at = accessed_at")),
                    |actor_kind| target.declared(actor_kind),
                );
                let attack =
                    format!("{journal}UPDATE memories SET {change}, {declaration} WHERE id = '{agents}'");
                target.refuses(&attack, "").await;
            }
        }
    }
}

#[tokio::test]
async fn without_a_permit_nothing_is_deleted_even_by_replacing() {
    for mut target in Target::both().await {
        let (authors, named) = (target.authors.id, target.named.id);
        target.refuses("DELETE FROM memories", "only a scrub").await;
        target.refuses(&format!("DELETE FROM memories WHERE id = '{authors}'"), "only a scrub").await;
        target.refuses("PRAGMA foreign_keys = OFF;\nDELETE FROM memories", "only a scrub").await;
        for verb in ["INSERT OR REPLACE", "REPLACE"] {
            for (columns, values) in [
                ("id, curator, content", format!("'{authors}', 'agent', 'replaced'")),
                ("seq, curator, content", "1, 'agent', 'replaced'".into()),
            ] {
                let attack = target.insert(verb, "agent", columns, &values);
                target.refuses(&attack, "taken").await;
            }
            for (columns, values) in [
                ("curator, content, name, name_folded", "'author', 'replaced', 'Voice', 'voice'"),
                ("curator, content, external_id", "'author', 'replaced', 'D1'"),
            ] {
                let attack = target.insert(verb, "author", columns, values);
                target.refuses(&attack, "taken").await;
            }
        }
        let upsert =
            target.insert("INSERT", "agent", "id, curator, content", &format!("'{named}', 'agent', 'x'"))
                + " ON CONFLICT DO UPDATE SET content = 'upserted'";
        target.refuses(&upsert, "taken").await;
        for column in ["name = 'VOICE', name_folded = 'voice'", "external_id = 'D1'"] {
            let (journal, declaration) = target.declared("author");
            let attack = format!(
                "{journal}UPDATE OR REPLACE memories SET {column}, {declaration} WHERE id = '{authors}'"
            );
            target.refuses(&attack, "taken").await;
        }
    }
}

#[tokio::test]
async fn journal_and_history_are_append_only() {
    for mut target in Target::both().await {
        let (workspace, change) = (target.workspace, target.authors.change);
        let (authors, fresh) = (target.authors.id, target.fresh());
        let append_only = "append-only";
        target.refuses("DELETE FROM journal", append_only).await;
        target.refuses("UPDATE journal SET hand = 'author'", append_only).await;
        target.refuses("UPDATE journal SET at = 1", append_only).await;
        target.refuses("UPDATE journal SET rowid = rowid + 100", append_only).await;
        target
            .refuses(&format!("UPDATE journal SET undone_by = '{fresh}', hand = 'author'"), append_only)
            .await;
        for (columns, values) in [
            ("workspace_id, id", format!("'{workspace}', '{change}'")),
            ("sequence, workspace_id, id", format!("1, '{workspace}', '{fresh}'")),
        ] {
            let attack = format!(
                "INSERT OR REPLACE INTO journal ({columns}, action, hand, door, at, entries) \
                 VALUES ({values}, 'edit', 'author', 'cli', 0, 0)"
            );
            target.refuses(&attack, append_only).await;
        }
        target.refuses("DELETE FROM memory_versions", "only a scrub").await;
        target.refuses("UPDATE memory_versions SET content = 'never said'", append_only).await;
        let columns = columns_of(&mut target.conn, "memory_versions").await;
        let forged: Vec<&str> = columns
            .iter()
            .map(|column| match column.name.as_str() {
                "curator" => "'agent'",
                "content" => "'never said'",
                name => name,
            })
            .collect();
        for verb in ["INSERT", "INSERT OR REPLACE"] {
            let attack = format!(
                "{verb} INTO memory_versions SELECT {} FROM memory_versions WHERE memory_id = '{authors}'",
                forged.join(", ")
            );
            target.refuses(&attack, append_only).await;
        }
        // A change is undone once, and says so for good.
        target
            .run(&format!("UPDATE journal SET undone_by = '{fresh}' WHERE id = '{change}'"))
            .await
            .expect("once");
        target
            .refuses(&format!("UPDATE journal SET undone_by = NULL WHERE id = '{change}'"), append_only)
            .await;
        let other = target.fresh();
        target
            .refuses(&format!("UPDATE journal SET undone_by = '{other}' WHERE id = '{change}'"), append_only)
            .await;
    }
}

#[tokio::test]
async fn rows_of_another_workspace_or_tier_are_refused() {
    let [mut account, mut workspace] = Target::both().await;
    let other_workspace = account.fresh();
    for target in [&mut account, &mut workspace] {
        let own = target.workspace.to_string();
        let attack = target
            .insert("INSERT", "author", "curator, content", "'author', 'stray'")
            .replace(&own, &other_workspace);
        target.refuses(&attack, "").await;
        for scope in ["account", "workspace", "channel", "conversation", "planet"] {
            let scope_here = target.place.scope();
            if scope == scope_here.as_str() {
                continue;
            }
            let attack = target
                .insert("INSERT", "author", "curator, content", "'author', 'stray'")
                .replace(&format!("'{scope_here}'"), &format!("'{scope}'"));
            target.refuses(&attack, "CHECK").await;
        }
    }
}

#[tokio::test]
async fn values_out_of_bounds_are_refused() {
    for mut target in Target::both().await {
        let agents = target.agents.id;
        for change in [
            "importance = 1.5",
            "importance = -0.1",
            "importance = NULL",
            "importance = 'high'",
            "content = ''",
            "content = NULL",
            "content = zeroblob(10)",
            "content = printf('%.*c', 65537, 'x')",
            "tags = 'no json'",
            "tags = '{}'",
            "lifetime = 'forever'",
            "curator = 'nobody'",
            "pinned = 2",
            "forgotten_at = 1",
            "name = 'x'",
        ] {
            let (journal, declaration) = target.declared("author");
            let attack =
                format!("{journal}UPDATE memories SET {change}, {declaration} WHERE id = '{agents}'");
            target.refuses(&attack, "").await;
        }
    }
}

#[tokio::test]
async fn counting_uses_and_bookkeeping_need_no_declaration() {
    for mut target in Target::both().await {
        let authors = target.authors.id;
        let used = format!(
            "UPDATE memories SET access_count = access_count + 3, accessed_at = accessed_at + 1 WHERE id = '{authors}'"
        );
        assert_eq!(target.run(&used).await, Ok(1));
        let tick = format!("UPDATE memories SET change_seq = change_seq + 1 WHERE id = '{authors}'");
        assert_eq!(target.run(&tick).await, Ok(1));
    }
}

#[tokio::test]
async fn a_permitted_deletion_removes_all_rows_of_the_entry() {
    for mut target in Target::both().await {
        let (workspace, authors) = (target.workspace, target.authors.id);
        target
            .run(&format!(
                "INSERT INTO memory_vectors (workspace_id, memory_id, model, dimension, version, vector) VALUES ('{workspace}', '{authors}', 'm', 2, 2, zeroblob(8))"
            ))
            .await
            .expect("a vector");
        target
            .run(&format!("INSERT INTO deletion_permits VALUES ('{workspace}', '{authors}', 'manifest', 0)"))
            .await
            .expect("a permit");
        target.run(&format!("DELETE FROM memories WHERE id = '{authors}'")).await.expect("permitted");
        for count in [
            "SELECT count(*) FROM memory_versions",
            "SELECT count(*) FROM memory_vectors",
            "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'words'",
        ] {
            let left: i64 = sqlx::query_scalar(count).fetch_one(&mut target.conn).await.expect("a count");
            assert_eq!(left, 0, "{count}");
        }
        target
            .run("INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)")
            .await
            .expect("the index agrees with the entries");
    }
}

#[tokio::test]
async fn a_new_title_removes_vectors_and_old_words_and_makes_a_version() {
    for mut target in Target::both().await {
        let (workspace, agents) = (target.workspace, target.agents.id);
        let title = |title: &str, keys: &str| format!("UPDATE memories SET title = {title}, keys = {keys}, ");
        for (n, called) in
            [title("'Basilisk'", "'[\"wyrm\"]'"), title("'Chimera'", "NULL")].into_iter().enumerate()
        {
            target
                .run(&format!(
                    "INSERT INTO memory_vectors (workspace_id, memory_id, model, dimension, version, vector) VALUES ('{workspace}', '{agents}', 'm', 2, {}, zeroblob(8))",
                    n + 1
                ))
                .await
                .expect("a vector");
            let (journal, declaration) = target.declared("agent");
            target
                .run(&format!("{journal}{called}{declaration} WHERE id = '{agents}'"))
                .await
                .expect("agents change what is theirs");
            let vectors: i64 = sqlx::query_scalar("SELECT count(*) FROM memory_vectors")
                .fetch_one(&mut target.conn)
                .await
                .expect("a count");
            assert_eq!(vectors, 0);
        }
        for (word, wanted) in [("basilisk", 0), ("wyrm", 0), ("chimera", 1)] {
            let found: i64 =
                sqlx::query_scalar("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?")
                    .bind(word)
                    .fetch_one(&mut target.conn)
                    .await
                    .expect("a count");
            assert_eq!(found, wanted, "{word}");
        }
        let kept: Vec<(Option<String>, Option<String>)> =
            sqlx::query_as("SELECT title, keys FROM memory_versions WHERE memory_id = ? ORDER BY version")
                .bind(agents.to_string())
                .fetch_all(&mut target.conn)
                .await
                .expect("versions");
        assert_eq!(kept.last(), Some(&(Some("Basilisk".to_owned()), Some("[\"wyrm\"]".to_owned()))));
        target
            .run("INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)")
            .await
            .expect("the index agrees with the entries");
        for wrong in ["title = ''", "keys = '[]'", "keys = 'wyrm'", "keys = '{}'"] {
            let (journal, declaration) = target.declared("agent");
            let attack = format!("{journal}UPDATE memories SET {wrong}, {declaration} WHERE id = '{agents}'");
            target.refuses(&attack, "").await;
        }
    }
}

#[tokio::test]
async fn a_new_text_drops_its_vectors_and_old_words() {
    for mut target in Target::both().await {
        let (workspace, agents) = (target.workspace, target.agents.id);
        target
            .run(&format!(
                "INSERT INTO memory_vectors (workspace_id, memory_id, model, dimension, version, vector) VALUES ('{workspace}', '{agents}', 'm', 2, 1, zeroblob(8))"
            ))
            .await
            .expect("a vector");
        let model = "SELECT embedded_by FROM memories WHERE embedded_by IS NOT NULL";
        let by: Option<String> =
            sqlx::query_scalar(model).fetch_optional(&mut target.conn).await.expect("a row");
        assert_eq!(by.as_deref(), Some("m"));
        let (journal, declaration) = target.declared("agent");
        target
            .run(&format!(
                "{journal}UPDATE memories SET content = 'Better.', {declaration} WHERE id = '{agents}'"
            ))
            .await
            .expect("agents change what is theirs");
        let by: Option<String> =
            sqlx::query_scalar(model).fetch_optional(&mut target.conn).await.expect("a row");
        assert_eq!(by, None);
        let old: i64 =
            sqlx::query_scalar("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'guess'")
                .fetch_one(&mut target.conn)
                .await
                .expect("a count");
        assert_eq!(old, 0);
        for shape in ["2, 1, zeroblob(7)", "0, 1, zeroblob(0)", "2, 0, zeroblob(8)", "2, 1, 'text'"] {
            let attack = format!(
                "INSERT INTO memory_vectors (workspace_id, memory_id, model, dimension, version, vector) VALUES ('{workspace}', '{agents}', 'm', {shape})"
            );
            target.refuses(&attack, "").await;
        }
    }
}
