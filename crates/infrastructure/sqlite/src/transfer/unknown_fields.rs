//! Stores fields of an imported file that this release does not know, with the row that they belong to, and
//! exports them at their original place.

use std::collections::HashMap;

use inklings_ports::transfer::{
    fields::text_of,
    shape::{Section, UNKNOWN_FIELDS, part_of},
    store::{Fields, TransferRow},
};
use serde_json::Value;
use sqlx::SqliteConnection;

use super::table;
use crate::{
    error::{DbError, DbResult},
    rows::json_list,
};

/// The row key of the file itself.
const FILE: &str = "file";

/// The key of a row in its table. `channel` maps a channel id of the file to the id here.
fn row_id(section: Section, fields: &Fields, channel: impl FnOnce(&str) -> String) -> String {
    let text = |name| text_of(fields, name).unwrap_or_default();
    match section {
        Section::Channels => channel(text("id")),
        Section::Scratchpads => format!("{} {}", text("conversation_id"), text("key")),
        _ => text("id").to_owned(),
    }
}

fn parsed(text: &str) -> DbResult<Value> {
    serde_json::from_str(text).map_err(|_| DbError::Row { column: "fields" })
}

/// Stores the unknown fields of a checked row and of the items of its lists.
pub async fn store(
    conn: &mut SqliteConnection,
    workspace: &str,
    section: Section,
    fields: &Fields,
    channel: impl FnOnce(&str) -> String,
) -> DbResult<()> {
    // The unknown fields of entries themselves are in `foreign_fields`.
    let own = fields.get(UNKNOWN_FIELDS).filter(|_| !section.holds_entries()).map(|own| (String::new(), own));
    let items = section.lists().iter().flat_map(|(list, _)| {
        let items = fields.get(*list).and_then(Value::as_array).into_iter().flatten();
        items
            .filter_map(Value::as_object)
            .filter_map(|item| Some((part_of(list, item), item.get(UNKNOWN_FIELDS)?)))
    });
    let retained: Vec<(String, &Value)> = own.into_iter().chain(items).collect();
    if retained.is_empty() {
        return Ok(());
    }
    let id = row_id(section, fields, channel);
    for (part, unknown) in retained {
        sqlx::query(
            "INSERT INTO beside (workspace_id, belongs_to, row_id, part, fields) VALUES (?, ?, ?, ?, ?)",
        )
        .bind(workspace.to_owned())
        .bind(table(section).0)
        .bind(id.clone())
        .bind(part)
        .bind(unknown.to_string())
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

/// Adds the stored fields back at their original place.
pub async fn hang(
    conn: &mut SqliteConnection,
    workspace: &str,
    section: Section,
    rows: &mut [TransferRow],
) -> DbResult<()> {
    let key = |row: &TransferRow| row_id(section, &row.fields, |_| row.key[1].clone());
    let ids: Vec<String> = rows.iter().map(key).collect();
    let found: Vec<(String, String, String)> = sqlx::query_as(
        "SELECT row_id, part, fields FROM beside WHERE workspace_id = ? AND belongs_to = ? \
         AND row_id IN (SELECT value FROM json_each(?))",
    )
    .bind(workspace.to_owned())
    .bind(table(section).0)
    .bind(json_list(&ids))
    .fetch_all(conn)
    .await?;
    let mut hanging: HashMap<String, Vec<(String, Value)>> = HashMap::new();
    for (id, part, fields) in found {
        hanging.entry(id).or_default().push((part, parsed(&fields)?));
    }
    for (row, id) in rows.iter_mut().zip(ids) {
        for (part, unknown) in hanging.remove(&id).unwrap_or_default() {
            if let Some(place) = place_of(&mut row.fields, &part) {
                put_back(place, unknown);
            }
        }
    }
    Ok(())
}

/// The row, or the item of one of its lists; `None` if that is not exported.
fn place_of<'f>(fields: &'f mut Fields, part: &str) -> Option<&'f mut Fields> {
    let Some((list, _)) = part.split_once('/') else { return Some(fields) };
    let items = fields.get_mut(list)?.as_array_mut()?.iter_mut();
    items.filter_map(Value::as_object_mut).find(|item| part_of(list, item) == part)
}

/// Adds stored fields to a row, except those that this release writes itself.
pub fn put_back(fields: &mut Fields, unknown: Value) {
    let Value::Object(unknown) = unknown else { return };
    for (name, value) in unknown {
        fields.entry(name).or_insert(value);
    }
}

/// The stored fields of a row itself.
pub async fn of_row(
    conn: &mut SqliteConnection,
    workspace: &str,
    section: Section,
    id: &str,
) -> DbResult<Option<Value>> {
    find(conn, workspace, table(section).0, id).await
}

/// The unknown top-level member with this name in an earlier file.
pub async fn member(conn: &mut SqliteConnection, workspace: &str, name: &str) -> DbResult<Option<Value>> {
    find(conn, workspace, FILE, name).await
}

async fn find(
    conn: &mut SqliteConnection,
    workspace: &str,
    belongs_to: &str,
    id: &str,
) -> DbResult<Option<Value>> {
    let found: Option<String> = sqlx::query_scalar(
        "SELECT fields FROM beside WHERE workspace_id = ? AND belongs_to = ? AND row_id = ? AND part = ''",
    )
    .bind(workspace.to_owned())
    .bind(belongs_to.to_owned())
    .bind(id.to_owned())
    .fetch_optional(conn)
    .await?;
    found.map(|text| parsed(&text)).transpose()
}

/// All unknown top-level members, by name.
pub async fn members(conn: &mut SqliteConnection, workspace: &str) -> DbResult<Fields> {
    let found: Vec<(String, String)> =
        sqlx::query_as("SELECT row_id, fields FROM beside WHERE workspace_id = ? AND belongs_to = ?")
            .bind(workspace.to_owned())
            .bind(FILE)
            .fetch_all(conn)
            .await?;
    found.into_iter().map(|(name, text)| Ok((name, parsed(&text)?))).collect()
}

/// Stores one unknown top-level member.
pub async fn put_member(
    conn: &mut SqliteConnection,
    workspace: &str,
    name: &str,
    value: &Value,
) -> DbResult<()> {
    sqlx::query(
        "INSERT INTO beside (workspace_id, belongs_to, row_id, fields) VALUES (?, ?, ?, ?) \
         ON CONFLICT DO UPDATE SET fields = excluded.fields",
    )
    .bind(workspace.to_owned())
    .bind(FILE)
    .bind(name.to_owned())
    .bind(value.to_string())
    .execute(conn)
    .await?;
    Ok(())
}
