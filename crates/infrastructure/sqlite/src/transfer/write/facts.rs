//! Imports facts with their earlier values.

use inklings_domain::named_entry::key;
use inklings_ports::{
    store_error::StoreError,
    transfer::{shape::Section, store::Fields},
};
use serde_json::Value;

use super::{More, Writer, text};
use crate::{
    checksum::tables::FACTS, error::DbResult, fact::seal_new_value, memory::filter_sql::Sql,
    transfer::values::items,
};

/// True if an agent may have written a version of a fact after the one before.
fn is_of_agent(version: &Fields, before: Option<&Fields>) -> bool {
    let of_agent =
        |fields: &Fields| text(fields, "source") == Some("agent") && !fields.contains_key("known_by");
    of_agent(version) && before.is_none_or(of_agent)
}

impl Writer {
    /// Writes a fact's values one after the other, so that the triggers keep the earlier ones. Until the last one the fact
    /// has a key of its own: at the time of an earlier one, another fact may hold by now.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if a fact of this key and this time is here already, also a removed one, or one
    /// holds at a part of its time.
    pub(crate) async fn write_fact(&mut self, fields: &Fields) -> DbResult<()> {
        let section = Section::Facts;
        let own_id = text(fields, "id").unwrap_or_default().to_owned();
        self.refuse_known_fact(fields).await?;
        let mut values = items(fields, "values");
        values.sort_by_key(|value| value.get("version").and_then(Value::as_u64));
        let folded = |name: &str| More::Text(Some(key(text(fields, name).unwrap_or_default())));
        let own_key = More::Text(Some(format!("\u{1}{own_id}")));
        let first_key = if values.is_empty() { folded("key") } else { own_key };
        let more = [("category_folded", folded("category")), ("key_folded", first_key)];
        let mut steps: Vec<Fields> = Vec::new();
        for (n, value) in values.iter().enumerate() {
            let mut step = fields.clone();
            let copy = |step: &mut Fields, to: &str, from: &str| match value.get(from) {
                Some(value) => drop(step.insert(to.to_owned(), value.clone())),
                None => drop(step.remove(to)),
            };
            copy(&mut step, "source", "source");
            copy(&mut step, "conversation_id", "conversation_id");
            copy(&mut step, "updated_at", "from_at");
            copy(&mut step, "value", "value");
            copy(&mut step, "holds_from", "holds_from");
            copy(&mut step, "holds_until", "holds_until");
            copy(&mut step, "known_by", "known_by");
            step.remove("removed_at");
            if value.get("removed").and_then(Value::as_bool) == Some(true) {
                copy(&mut step, "removed_at", "from_at");
            }
            step.insert("written_by".to_owned(), "user".into());
            step.insert("version".to_owned(), (n + 1).into());
            steps.push(step);
        }
        steps.push(fields.clone());
        let last = steps.len();
        for (n, mut step) in steps.into_iter().enumerate() {
            // The guards here would not accept the agent as the last writer of such a fact.
            if n + 1 == last
                && text(&step, "written_by") == Some("agent")
                && !is_of_agent(&step, values.last())
            {
                step.insert("written_by".to_owned(), "user".into());
            }
            step.insert("version".to_owned(), (n + 1).into());
            if n == 0 {
                self.insert_sealed(&FACTS, (section.fields(), &step), &more, &["id"]).await?;
                continue;
            }
            let (id, workspace) = (own_id.clone(), self.store.workspace());
            let mut sql = Sql::new("UPDATE facts SET ");
            self.push_assignments(
                &mut sql,
                section.fields(),
                &step,
                &["id", "category", "key", "created_at"],
            );
            if n + 1 == last {
                sql.push(", key_folded = ").push_bind(key(text(fields, "key").unwrap_or_default()));
            }
            sql.push(", checksum = NULL WHERE workspace_id = ").push_bind(workspace.clone());
            sql.push(" AND id = ").push_bind(id.clone());
            sql.build().execute(&mut *self.tx).await?;
            // The value before was written by this import a moment ago.
            seal_new_value(&mut self.tx, &workspace, &id, true).await?;
        }
        self.write_list(section, "claims", "fact_id", fields).await?;
        self.facts.insert(own_id);
        Ok(())
    }

    /// Refuses a fact if there was one of its key and its time before the import.
    async fn refuse_known_fact(&mut self, fields: &Fields) -> DbResult<()> {
        let moment = |name: &str| fields.get(name).and_then(Value::as_i64);
        let folded = |name: &str| key(text(fields, name).unwrap_or_default());
        let known: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM facts WHERE workspace_id = ? AND category_folded = ? AND key_folded = ? \
             AND holds_from IS ? AND holds_until IS ?",
        )
        .bind(self.store.workspace())
        .bind(folded("category"))
        .bind(folded("key"))
        .bind(moment("holds_from"))
        .bind(moment("holds_until"))
        .fetch_all(&mut *self.tx)
        .await?;
        if known.iter().all(|id| self.facts.contains(id)) {
            Ok(())
        } else {
            Err(StoreError::AlreadyExists("fact").into())
        }
    }
}
