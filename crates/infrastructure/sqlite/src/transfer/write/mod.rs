//! Writes imported rows within one transaction; each row is written completely or not at all.

mod conversations;
mod facts;
mod find;

use std::collections::{HashMap, HashSet};

use inklings_domain::{consolidation::run::Run, ids::MemoryId, memory::MemoryEntry, named_entry::key};
use inklings_ports::{
    clock::IdGenerator,
    store_error::StoreError,
    transfer::{
        fields::text_of as text,
        shape::{DEFAULT_CHANNEL, Field, Section, VECTORS},
        store::{Fields, ImportStamp, TransferWriter},
    },
};
use serde_json::Value;
use sqlx::{Sqlite, Transaction};

use crate::transfer::{
    history::{AT_LAST, Spill, actor_kind},
    intent::Intent,
    list_table, marks, table, unknown_fields,
    values::{self, items},
};
use crate::{
    checksum::{
        self,
        tables::{EPISODES, FACT_CLAIMS, MESSAGES, NOTES, Table},
    },
    conversation::transcript_rows::next_tick,
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
    rows::micros,
    store::SqliteStore,
};

/// A running import. Rolled back when dropped.
pub struct Writer {
    store: SqliteStore,
    tx: Transaction<'static, Sqlite>,
    stamp: ImportStamp,
    declared: bool,
    /// Entries that the first change wrote, for the journal.
    entries: i64,
    intent: Option<Intent>,
    channels: HashMap<String, String>,
    /// For each conversation: its id, the one that it continues, what it shares of that one, and its own last position.
    pending: Vec<(String, Option<String>, Option<i64>, i64)>,
    spill: Spill,
    /// Ids of the facts that were added.
    facts: HashSet<String>,
}

/// Maps a channel id of the file to the id here.
fn channel_in(channels: &HashMap<String, String>, id: &str) -> String {
    channels.get(id).cloned().unwrap_or_else(|| id.to_owned())
}

/// The folded names of an entry. Earlier versions get placeholders until the last version is written: an
/// earlier name may belong to another entry by now.
fn folded(fields: &Fields, id: &str, last: bool) -> (Option<String>, String) {
    let aliases = fields.get("aliases").and_then(Value::as_array).into_iter().flatten();
    let aliases = aliases.filter_map(Value::as_str).enumerate();
    let fold = |n: usize, name: &str| if last { key(name) } else { format!("\u{1}{id} {n}") };
    let aliases: Vec<Value> = aliases.map(|(n, alias)| fold(n + 1, alias).into()).collect();
    (text(fields, "name").map(|name| fold(0, name)), Value::Array(aliases).to_string())
}

impl Writer {
    pub async fn begin(store: &SqliteStore, stamp: ImportStamp) -> DbResult<Self> {
        let mut tx = store.db.begin_immediate().await?;
        let mut channels = HashMap::new();
        if !store.is_account() {
            let general =
                sqlx::query_scalar("SELECT id FROM channels WHERE workspace_id = ? AND is_default = 1");
            let general = general.bind(store.workspace()).fetch_one(&mut *tx).await?;
            channels.insert(DEFAULT_CHANNEL.to_owned(), general);
            // The imported content belongs to the worldbuilder, whoever wrote it originally, so the memory
            // switch does not block it.
            sqlx::query("INSERT INTO open_import (one) VALUES (1)").execute(&mut *tx).await?;
        }
        Ok(Self {
            store: store.clone(),
            tx,
            stamp,
            declared: false,
            entries: 0,
            intent: Intent::of(store, stamp),
            channels,
            pending: Vec::new(),
            spill: Spill::new()?,
            facts: HashSet::new(),
        })
    }

    fn channel(&self, id: &str) -> String {
        channel_in(&self.channels, id)
    }

    async fn journal(&mut self, change: &str, entries: u64) -> DbResult<()> {
        self.store.follow_peers(&mut self.tx).await?;
        sqlx::query(
            "INSERT INTO journal (workspace_id, id, action, hand, door, run_id, at, entries) \
             VALUES (?, ?, 'import', 'import', ?, ?, ?, ?)",
        )
        .bind(self.store.workspace())
        .bind(change)
        .bind(self.stamp.interface.as_str())
        .bind(self.stamp.run.to_string())
        .bind(micros(self.stamp.at))
        .bind(entries as i64)
        .execute(&mut *self.tx)
        .await?;
        Ok(())
    }

    /// Declares the change before its first entry. The number of entries is filled in at the end.
    async fn declare(&mut self) -> DbResult<()> {
        if !self.declared {
            self.declared = true;
            self.journal(&self.stamp.change.to_string(), 0).await?;
        }
        Ok(())
    }

    /// Inserts the fields of a row and the additional columns of its table: an SQL expression or a bound text
    /// each.
    async fn insert(
        &mut self,
        table: &str,
        fields: &[Field],
        values: &Fields,
        more: &[(&str, More)],
    ) -> DbResult<()> {
        let mut sql = Sql::new("INSERT INTO ");
        sql.push(table).push(" (workspace_id");
        for field in fields {
            sql.push(", \"").push(field.name).push("\"");
        }
        for (name, _) in more {
            sql.push(", ").push(name);
        }
        sql.push(") VALUES (");
        let mut row = sql.separated(", ");
        row.push_bind(self.store.workspace());
        for field in fields {
            values::bind(&mut row, field, values, &self.channels);
        }
        for (_, value) in more {
            match value {
                More::Text(text) => row.push_bind(text.clone()),
                More::Sql(text) => row.push(*text),
            };
        }
        sql.push(")");
        sql.build().execute(&mut *self.tx).await?;
        Ok(())
    }

    /// Inserts a row like [`Self::insert`] into a table whose rows have checksums, and sets its checksum. The key of the
    /// row are these fields.
    async fn insert_sealed(
        &mut self,
        table: &Table,
        (fields, values): (&[Field], &Fields),
        more: &[(&str, More)],
        key: &[&str],
    ) -> DbResult<()> {
        self.insert(table.name, fields, values, more).await?;
        let workspace = self.store.workspace();
        let mut row = vec![&*workspace];
        row.extend(key.iter().map(|name| text(values, name).unwrap_or_default()));
        let which: Vec<String> = (2..).zip(key).map(|(at, name)| format!("{name} = ?{at}")).collect();
        checksum::seal_rows(&mut self.tx, table, &which.join(" AND "), &row).await
    }

    async fn write(&mut self, section: Section, fields: &Fields) -> DbResult<()> {
        let named = |name: &str| Some(key(text(fields, name).unwrap_or_default()));
        match section {
            Section::Channels if text(fields, "id") == Some(DEFAULT_CHANNEL) => {
                let Some(description) = text(fields, "description").map(str::to_owned) else { return Ok(()) };
                let described = sqlx::query(
                    "UPDATE channels SET description = ? WHERE workspace_id = ? AND is_default = 1",
                );
                described.bind(description).bind(self.store.workspace()).execute(&mut *self.tx).await?;
                Ok(())
            }
            Section::Channels => {
                let mut fields = fields.clone();
                fields.entry("created_at").or_insert_with(|| {
                    inklings_ports::transfer::fields::written_moment(self.stamp.at).into()
                });
                let more = [("name_folded", More::Text(named("name")))];
                self.insert("channels", section.fields(), &fields, &more).await
            }
            Section::Conversations => {
                let mut row = fields.clone();
                // The continued conversation may come later, and importing the messages assigns the positions again.
                let from = row.remove("continues_id").and_then(|id| id.as_str().map(str::to_owned));
                let shares = row.remove("shares_through").and_then(|position| position.as_i64());
                let last = row.insert("last_position".to_owned(), 0.into()).and_then(|last| last.as_i64());
                self.insert("conversations", section.fields(), &row, &[]).await?;
                let id = text(fields, "id").unwrap_or_default().to_owned();
                self.pending.push((id, from, shares, last.unwrap_or_default()));
                Ok(())
            }
            Section::Memories | Section::NamedEntries => self.write_entry(section, fields).await,
            Section::Messages => {
                let mut row = fields.clone();
                if text(fields, "delivery") == Some("streaming") {
                    // No process will complete this message.
                    row.insert("delivery".to_owned(), "failed".into());
                }
                let tick = [("change_seq", More::Sql(next_tick!()))];
                self.insert_sealed(&MESSAGES, (section.columns(), &row), &tick, &["id"]).await?;
                marks::store(&mut self.tx, &self.store.workspace(), fields, self.stamp.at).await?;
                self.write_vectors(section, "message_id", fields).await
            }
            Section::Facts => self.write_fact(fields).await,
            Section::Episodes => {
                self.insert_sealed(&EPISODES, (section.fields(), fields), &[], &["id"]).await
            }
            Section::Scratchpads => {
                let key = &["conversation_id", "key"];
                self.insert_sealed(&NOTES, (section.fields(), fields), &[], key).await
            }
            Section::Journal => self.insert(table(section).0, section.fields(), fields, &[]).await,
        }
    }

    async fn write_vectors(
        &mut self,
        section: Section,
        parent: &'static str,
        fields: &Fields,
    ) -> DbResult<()> {
        for list in VECTORS {
            self.write_list(section, list, parent, fields).await?;
        }
        Ok(())
    }

    async fn write_list(
        &mut self,
        section: Section,
        list: &'static str,
        parent: &'static str,
        fields: &Fields,
    ) -> DbResult<()> {
        let shape =
            section.lists().iter().find(|(name, _)| *name == list).map_or(&[][..], |(_, shape)| shape);
        let id = text(fields, "id").map(str::to_owned);
        for item in items(fields, list) {
            let of = [(parent, More::Text(id.clone()))];
            let table = list_table(section, list).0;
            if table == FACT_CLAIMS.name {
                self.insert_sealed(&FACT_CLAIMS, (shape, &item), &of, &["id"]).await?;
            } else {
                self.insert(table, shape, &item, &of).await?;
            }
        }
        Ok(())
    }

    fn push_assignments(&self, sql: &mut Sql, fields: &[Field], values: &Fields, but: &[&str]) {
        let mut first = true;
        for field in fields.iter().filter(|field| !but.contains(&field.name)) {
            sql.push(if first { "\"" } else { ", \"" }).push(field.name).push("\" = ");
            if field.name == "access_count" {
                // The access count never decreases.
                sql.push("max(access_count, ");
            }
            values::bind(&mut sql.separated(""), field, values, &self.channels);
            if field.name == "access_count" {
                sql.push(")");
            }
            first = false;
        }
    }

    async fn write_entry(&mut self, section: Section, fields: &Fields) -> DbResult<()> {
        self.declare().await?;
        let id = text(fields, "id").unwrap_or_default().to_owned();
        let earlier = items(fields, "history");
        // Every version has the current identity, place and creation time.
        let mut first = fields.clone();
        if let Some(version) = earlier.first() {
            let fixed = ["id", "scope", "channel_id", "conversation_id", "created_at"];
            first.retain(|name, _| fixed.contains(&name.as_str()));
            first.extend(version.clone());
        }
        first.insert("version".to_owned(), 1.into());
        first.insert("written_by".to_owned(), actor_kind(None, &first).into());
        let (name, aliases) = folded(&first, &id, earlier.is_empty());
        let more = [
            ("name_folded", More::Text(name)),
            ("aliases_folded", More::Text(Some(aliases))),
            ("change_id", More::Text(Some(self.stamp.change.to_string()))),
            ("change_seq", More::Sql("(SELECT tick FROM change_clock)")),
        ];
        self.insert("memories", section.fields(), &first, &more).await?;
        checksum::seal(&mut self.tx, &self.store.workspace(), &id).await?;
        if let Some(formats) = fields.get("foreign_fields").and_then(Value::as_object) {
            self.write_third_party(&id, formats).await?;
        }
        if earlier.is_empty() {
            return self.write_vectors(section, "memory_id", fields).await;
        }
        let mut later: Vec<Fields> = earlier.into_iter().skip(1).collect();
        let mut last = fields.clone();
        last.retain(|name, _| {
            !["history", "foreign_fields"].contains(&name.as_str()) && !VECTORS.contains(&name.as_str())
        });
        later.push(last);
        let mut before = first;
        for (n, mut version) in later.into_iter().enumerate() {
            version.insert("id".to_owned(), id.clone().into());
            version.insert("written_by".to_owned(), actor_kind(Some(&before), &version).into());
            self.spill.put(n as u32 + 2, version.clone())?;
            before = version;
        }
        if fields.contains_key("embeddings") {
            let mut vectors = fields.clone();
            vectors.retain(|name, _| name == "id" || VECTORS.contains(&name.as_str()));
            self.spill.put(AT_LAST, vectors)?;
        }
        Ok(())
    }

    /// Writes the later versions, all second ones in the first of these changes.
    async fn replay(&mut self, changes: &[String]) -> DbResult<()> {
        let spill = std::mem::replace(&mut self.spill, Spill::new()?);
        let (mut reader, waiting) = spill.sorted()?;
        let mut changes = changes.iter();
        for level in waiting.chunk_by(|a, b| a.level == b.level) {
            let mut change = "";
            if level[0].level != AT_LAST {
                change = changes.next().ok_or(DbError::Row { column: "import" })?;
                self.journal(change, level.len() as u64).await?;
            }
            for item in level {
                let row = reader.read(item)?;
                let id = text(&row, "id").unwrap_or_default().to_owned();
                if item.level == AT_LAST {
                    self.write_vectors(Section::Memories, "memory_id", &row).await?;
                    continue;
                }
                self.make_version(&row, id, i64::from(item.level), change).await?;
            }
        }
        Ok(())
    }

    /// Writes the next version of an entry. False if the current version is not the one before it.
    async fn make_version(&mut self, row: &Fields, id: String, version: i64, change: &str) -> DbResult<bool> {
        // Only the last version includes the place of the entry.
        let (name, aliases) = folded(row, &id, row.contains_key("scope"));
        let mut sql = Sql::new("UPDATE memories SET ");
        self.push_assignments(&mut sql, Section::Memories.lists()[0].1, row, &["version"]);
        sql.push(", version = ").push_bind(version);
        sql.push(", name_folded = ").push_bind(name);
        sql.push(", aliases_folded = ").push_bind(aliases);
        sql.push(", change_id = ").push_bind(change.to_owned());
        sql.push(", checksum = NULL, change_seq = (SELECT tick FROM change_clock) WHERE workspace_id = ");
        sql.push_bind(self.store.workspace()).push(" AND id = ").push_bind(id.clone());
        sql.push(" AND version = ").push_bind(version - 1);
        let made = sql.build().execute(&mut *self.tx).await?.rows_affected() == 1;
        if made {
            checksum::seal(&mut self.tx, &self.store.workspace(), &id).await?;
        }
        Ok(made)
    }

    /// Sets an entry to its state after the import's change, if nobody changed it since.
    pub(crate) async fn change_to(&mut self, row: &Fields) -> DbResult<()> {
        self.declare().await?;
        let id = text(row, "id").unwrap_or_default().to_owned();
        let version = row.get("version").and_then(Value::as_i64).unwrap_or_default();
        let change = self.stamp.change.to_string();
        self.begin_row().await?;
        let made = self.make_version(row, id, version, &change).await;
        self.end_row(made.is_ok()).await?;
        if !made? {
            return Err(StoreError::Moved("memory").into());
        }
        self.entries += 1;
        Ok(())
    }

    /// True if this run has written here before.
    pub(crate) async fn is_done(&mut self) -> DbResult<bool> {
        let found = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM journal WHERE run_id = ?)");
        Ok(found.bind(self.stamp.run.to_string()).fetch_one(&mut *self.tx).await?)
    }

    async fn prepared(&mut self, ids: &dyn IdGenerator) -> DbResult<()> {
        let changes: Vec<String> = (0..self.spill.levels()).map(|_| ids.change_id().to_string()).collect();
        self.end_writing(&changes).await?;
        if let Some(intent) = &mut self.intent {
            intent.prepare(&changes)?;
        }
        Ok(())
    }

    /// Writes everything that depends on all other rows.
    pub(crate) async fn end_writing(&mut self, changes: &[String]) -> DbResult<()> {
        self.link_conversations().await?;
        if self.entries > 0 {
            sqlx::query("UPDATE journal SET entries = ? WHERE workspace_id = ? AND id = ?")
                .bind(self.entries)
                .bind(self.store.workspace())
                .bind(self.stamp.change.to_string())
                .execute(&mut *self.tx)
                .await?;
        }
        self.replay(changes).await
    }

    async fn finish(mut self, run: Option<&Run>) -> DbResult<()> {
        if let Some(run) = run {
            self.store.put_run(&mut self.tx, run).await?;
        }
        self.end().await
    }

    pub(crate) async fn end(mut self) -> DbResult<()> {
        if !self.store.is_account() {
            sqlx::query("DELETE FROM open_import").execute(&mut *self.tx).await?;
        }
        self.tx.commit().await?;
        if let Some(intent) = self.intent {
            intent.fulfilled();
        }
        self.store.db.shrink_writer().await;
        Ok(())
    }

    /// Starts a savepoint. Until [`Self::end_row`] everything is written, or nothing; the import continues
    /// either way.
    async fn begin_row(&mut self) -> DbResult<()> {
        sqlx::query("SAVEPOINT one_row").execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn end_row(&mut self, keep: bool) -> DbResult<()> {
        if !keep {
            sqlx::query("ROLLBACK TO one_row").execute(&mut *self.tx).await?;
        }
        sqlx::query("RELEASE one_row").execute(&mut *self.tx).await?;
        Ok(())
    }

    /// Adds a row completely or not at all.
    pub(crate) async fn add_row(&mut self, section: Section, fields: &Fields) -> DbResult<()> {
        let (waiting, pending) = (self.spill.len(), self.pending.len());
        // The declaration of the change stays, even if this row fails.
        if section.holds_entries() {
            self.declare().await?;
        }
        self.begin_row().await?;
        let mut written = self.write(section, fields).await;
        if written.is_ok() {
            let (workspace, channels) = (self.store.workspace(), &self.channels);
            let channel = |id: &str| channel_in(channels, id);
            written = unknown_fields::store(&mut self.tx, &workspace, section, fields, channel).await;
        }
        if written.is_err() {
            self.spill.cut(waiting);
            self.pending.truncate(pending);
        }
        self.end_row(written.is_ok()).await?;
        written?;
        self.entries += i64::from(section.holds_entries());
        self.intent.as_mut().map_or(Ok(()), |intent| intent.added(section, fields))
    }

    /// Replaces the fields of other programs for an entry, program by program.
    pub(crate) async fn put_third_party(&mut self, id: &str, formats: &Fields) -> DbResult<()> {
        self.write_third_party(id, formats).await?;
        self.intent.as_mut().map_or(Ok(()), |intent| intent.third_party(id, formats))
    }

    async fn write_third_party(&mut self, id: &str, formats: &Fields) -> DbResult<()> {
        for (format, fields) in formats {
            sqlx::query(
                "INSERT INTO foreign_fields (workspace_id, memory_id, format, fields) VALUES (?, ?, ?, ?) \
                 ON CONFLICT (workspace_id, memory_id, format) DO UPDATE SET fields = excluded.fields",
            )
            .bind(self.store.workspace())
            .bind(id.to_owned())
            .bind(format.clone())
            .bind(fields.to_string())
            .execute(&mut *self.tx)
            .await?;
        }
        Ok(())
    }

    async fn update_entry(&mut self, after: &MemoryEntry) -> DbResult<()> {
        self.declare().await?;
        self.store.update(&mut self.tx, after).await?;
        self.entries += 1;
        if self.intent.is_some() {
            let row = self.find(Section::Memories, &[&after.id.to_string()]).await?.unwrap_or_default();
            self.intent.as_mut().map_or(Ok(()), |intent| intent.changed(&row))?;
        }
        Ok(())
    }

    pub(crate) async fn put_member_with_intent(&mut self, name: &str, value: &Value) -> DbResult<()> {
        unknown_fields::put_member(&mut self.tx, &self.store.workspace(), name, value).await?;
        self.intent.as_mut().map_or(Ok(()), |intent| intent.member(name, value))
    }
}

/// The value of an additional column of a table.
enum More {
    /// A text or NULL.
    Text(Option<String>),
    /// An SQL expression.
    Sql(&'static str),
}

#[async_trait::async_trait]
impl TransferWriter for Writer {
    async fn get(&mut self, section: Section, id: &[&str]) -> Result<Option<Fields>, StoreError> {
        let found = self.find(section, id).await;
        self.store.public(found)
    }

    async fn entry(&mut self, fields: &Fields) -> Result<Option<MemoryEntry>, StoreError> {
        let found = self.find_entry(fields).await;
        self.store.public(found)
    }

    async fn named(&mut self, scope: &str, folded: &str) -> Result<Option<MemoryEntry>, StoreError> {
        let found = self.find_named(scope, folded).await;
        self.store.public(found)
    }

    async fn channel_named(&mut self, folded: &str) -> Result<Option<String>, StoreError> {
        let found = self.find_channel(folded).await;
        self.store.public(found)
    }

    fn map_channel(&mut self, from: &str, to: &str) {
        self.channels.insert(from.to_owned(), to.to_owned());
    }

    async fn add(&mut self, section: Section, fields: &Fields) -> Result<(), StoreError> {
        let added = self.add_row(section, fields).await;
        self.store.public(added)
    }

    async fn update(&mut self, after: &MemoryEntry) -> Result<(), StoreError> {
        let updated = self.update_entry(after).await;
        self.store.public(updated)
    }

    async fn third_party(&mut self, id: MemoryId, format: &str) -> Result<Option<Fields>, StoreError> {
        let found = self.find_third_party(id, format).await;
        self.store.public(found)
    }

    async fn replace_third_party(&mut self, id: MemoryId, formats: &Fields) -> Result<(), StoreError> {
        let result = self.put_third_party(&id.to_string(), formats).await;
        self.store.public(result)
    }

    async fn member(&mut self, name: &str) -> Result<Option<Value>, StoreError> {
        let found = unknown_fields::member(&mut self.tx, &self.store.workspace(), name).await;
        self.store.public(found)
    }

    async fn put_member(&mut self, name: &str, value: &Value) -> Result<(), StoreError> {
        let result = self.put_member_with_intent(name, value).await;
        self.store.public(result)
    }

    async fn prepare(&mut self, ids: &dyn IdGenerator) -> Result<(), StoreError> {
        let prepared = self.prepared(ids).await;
        self.store.public(prepared)
    }

    async fn commit(self: Box<Self>, run: Option<&Run>) -> Result<(), StoreError> {
        let store = self.store.clone();
        store.public(self.finish(run).await)
    }
}
