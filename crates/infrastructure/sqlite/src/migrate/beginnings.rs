//! Marks vectors of earlier releases that cover only the beginning of their text, so that the texts wait for the
//! vectors of their passages. How a text is cut is not known to SQL, so it is no statement of the migration.

use futures::TryStreamExt as _;
use inklings_domain::search::passage::{SURELY_ONE_BYTES, is_one};
use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use crate::error::DbResult;

/// A table of vectors and the texts that they are of.
struct Texts {
    vectors: &'static str,
    /// The column of the text's id.
    key: &'static str,
    table: &'static str,
    title: &'static str,
}

const TEXTS: [Texts; 2] = [
    Texts { vectors: "memory_vectors", key: "memory_id", table: "memories", title: "t.title" },
    Texts { vectors: "message_vectors", key: "message_id", table: "messages", title: "NULL" },
];

/// The tables whose vectors say whether they cover their text.
pub async fn tables_with(conn: &mut SqliteConnection) -> DbResult<Vec<&'static str>> {
    let mut names = Vec::new();
    for texts in &TEXTS {
        let found = sqlx::query_scalar("SELECT count(*) FROM pragma_table_info(?) WHERE name = 'first_end'");
        if found.bind(texts.vectors).fetch_one(&mut *conn).await? {
            names.push(texts.vectors);
        }
    }
    Ok(names)
}

/// Marks the vectors of texts of several passages, in the tables that could not say so before.
pub async fn mark_standing(conn: &mut SqliteConnection, before: &[&str]) -> DbResult<()> {
    let now = tables_with(conn).await?;
    for Texts { vectors, key, table, title } in
        TEXTS.iter().filter(|texts| now.contains(&texts.vectors) && !before.contains(&texts.vectors))
    {
        let read = format!(
            "SELECT t.workspace_id, t.id, {title} AS title, t.content FROM {table} AS t \
             WHERE octet_length(t.content) + coalesce(octet_length({title}), 0) > ? AND EXISTS \
             (SELECT 1 FROM {vectors} AS v WHERE v.workspace_id = t.workspace_id AND v.{key} = t.id)"
        );
        let mut long: Vec<(String, String)> = Vec::new();
        let query = sqlx::query(AssertSqlSafe(read)).bind(SURELY_ONE_BYTES as i64);
        let mut rows = query.fetch(&mut *conn);
        while let Some(row) = rows.try_next().await? {
            // A row that cannot be read is damaged; the check reports it.
            let (Ok(title), Ok(content)) =
                (row.try_get::<Option<&str>, _>("title"), row.try_get::<&str, _>("content"))
            else {
                continue;
            };
            if !is_one(title, content) {
                long.push((row.try_get("workspace_id")?, row.try_get("id")?));
            }
        }
        drop(rows);
        let mark = format!("UPDATE {vectors} SET first_end = 0 WHERE workspace_id = ? AND {key} = ?");
        for (workspace, id) in long {
            let query = sqlx::query(AssertSqlSafe(mark.clone())).bind(workspace).bind(id);
            query.execute(&mut *conn).await?;
        }
    }
    Ok(())
}
