//! Imports facts with their earlier values.

use inklings_application::transfer::{shape::Section, store::Fields};
use inklings_domain::named_entry::key;
use serde_json::Value;

use super::{More, Writer, items, text};
use crate::{
    error::DbResult,
    fact::seal_new_value,
    memory::{checksum::tables::FACTS, filter_sql::Sql},
};

impl Writer {
    /// Writes a fact's values one after the other, so that the triggers keep the earlier ones.
    pub(crate) async fn write_fact(&mut self, fields: &Fields) -> DbResult<()> {
        let section = Section::Facts;
        let mut values = items(fields, "values");
        values.sort_by_key(|value| value.get("version").and_then(Value::as_u64));
        let folded = |name: &str| More::Text(Some(key(text(fields, name).unwrap_or_default())));
        let more = [("category_folded", folded("category")), ("key_folded", folded("key"))];
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
            if n + 1 == last && n > 0 && text(&step, "written_by") == Some("agent") {
                // The guards here would not accept the agent as the last writer of such a fact.
                let before = values.last().and_then(|value| value.get("source")).and_then(Value::as_str);
                if before != Some("agent") || text(&step, "source") != Some("agent") {
                    step.insert("written_by".to_owned(), "user".into());
                }
            }
            step.insert("version".to_owned(), (n + 1).into());
            if n == 0 {
                self.insert_sealed(&FACTS, (section.fields(), &step), &more, &["id"]).await?;
                continue;
            }
            let id = text(&step, "id").unwrap_or_default().to_owned();
            let workspace = self.store.workspace();
            let mut sql = Sql::new("UPDATE facts SET ");
            self.push_assignments(
                &mut sql,
                section.fields(),
                &step,
                &["id", "category", "key", "created_at"],
            );
            sql.push(", checksum = NULL WHERE workspace_id = ").push_bind(workspace.clone());
            sql.push(" AND id = ").push_bind(id.clone());
            sql.build().execute(&mut *self.tx).await?;
            // The value before was written by this import a moment ago.
            seal_new_value(&mut self.tx, &workspace, &id, true).await?;
        }
        self.write_list(section, "claims", "fact_id", fields).await
    }
}
