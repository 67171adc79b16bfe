//! Converts columns to file values and back.

use std::collections::HashMap;

use inklings_domain::forget_reason::ForgetReason;
use inklings_ports::transfer::{
    fields::{self, put_forget_reason, read_moment, written_moment},
    shape::{DEFAULT_CHANNEL, Field, Kind, REASON, REASON_CODE},
    store::Fields,
    vector,
};
use serde_json::{Number, Value};
use sqlx::{Row, Sqlite, query_builder::Separated, sqlite::SqliteRow};

use crate::{
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
    rows::{forget_reason, micros, moment},
};

/// The rows of a nested list.
pub fn items(fields: &Fields, name: &str) -> Vec<Fields> {
    let list = fields.get(name).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|item| item.as_object().cloned()).collect()
}

/// Appends columns of the alias `t`.
pub fn push_columns(sql: &mut Sql, fields: &[Field]) {
    for (n, field) in fields.iter().enumerate() {
        sql.push(if n == 0 { "t.\"" } else { ", t.\"" }).push(field.name).push("\"");
    }
}

/// Reads the values of the columns from `from` on. `general` is the id of the default channel.
pub fn read(row: &SqliteRow, from: usize, fields: &[Field], general: &str) -> DbResult<Fields> {
    let mut values = Fields::new();
    for (n, field) in fields.iter().enumerate() {
        if field.name == REASON {
            if let Some(reason) = reason(row)? {
                put_forget_reason(&mut values, &reason);
            }
        } else if field.name != REASON_CODE
            && let Some(value) = value(row, from + n, field, general)?
        {
            values.insert(field.name.to_owned(), value);
        }
    }
    Ok(values)
}

/// The reason why a row is forgotten, if it is.
fn reason(row: &SqliteRow) -> DbResult<Option<ForgetReason>> {
    let Some(words) = row.try_get::<Option<&str>, _>(REASON)? else { return Ok(None) };
    forget_reason(row.try_get(REASON_CODE)?, words).map(Some)
}

/// A column's value; `None` if it is omitted from the file.
fn value(row: &SqliteRow, at: usize, field: &Field, general: &str) -> DbResult<Option<Value>> {
    let column = field.name;
    let broken = || DbError::Row { column };
    let text = || row.try_get::<Option<String>, _>(at);
    let empty_says_nothing = |is_empty: bool| field.required || !is_empty;
    Ok(match field.kind {
        Kind::Channel => text()?.map(|id| if id == general { DEFAULT_CHANNEL.into() } else { id.into() }),
        Kind::Id | Kind::Word(_) | Kind::Json(_) | Kind::Plain(_) => text()?.map(Value::from),
        Kind::Text(_) | Kind::Rule(_) => {
            text()?.filter(|text| empty_says_nothing(text.is_empty())).map(Value::from)
        }
        Kind::Time => match row.try_get::<Option<i64>, _>(at)? {
            Some(at) => Some(written_moment(moment(at, column)?).into()),
            None => None,
        },
        Kind::Whole => {
            let number = row.try_get::<Option<i64>, _>(at)?.filter(|number| empty_says_nothing(*number == 0));
            number.map(|number| u64::try_from(number).map_err(|_| broken())).transpose()?.map(Value::from)
        }
        Kind::Moment => row.try_get::<Option<i64>, _>(at)?.map(Value::from),
        Kind::Calendar => {
            text()?.map(|json| serde_json::from_str(&json).map_err(|_| broken())).transpose()?
        }
        Kind::Unit => Some(Value::Number(Number::from_f64(row.try_get(at)?).ok_or_else(broken)?)),
        Kind::Flag => {
            Some(row.try_get::<bool, _>(at)?).filter(|flag| empty_says_nothing(!flag)).map(Value::from)
        }
        Kind::Texts | Kind::Ids | Kind::Keys | Kind::Links | Kind::Knowers | Kind::Derivations => {
            let list: Option<Value> =
                text()?.map(|list| serde_json::from_str(&list).map_err(|_| broken())).transpose()?;
            list.filter(|list| empty_says_nothing(list.as_array().is_none_or(Vec::is_empty)))
        }
        Kind::Vector => row.try_get::<Option<Vec<u8>>, _>(at)?.map(|bytes| vector::encode(&bytes).into()),
    })
}

/// The column value for a field that a file omits.
fn default_of(name: &str) -> Option<&'static str> {
    matches!(name, "description" | "title").then_some("")
}

/// Binds the value of a field in the type of its column.
pub fn bind(
    row: &mut Separated<'_, Sqlite, &str>,
    field: &Field,
    values: &Fields,
    channels: &HashMap<String, String>,
) {
    if matches!(field.name, REASON | REASON_CODE) {
        let reason = fields::forget_reason(values);
        let column = reason.as_ref().map(|reason| match field.name {
            REASON => reason.note().unwrap_or_default().to_owned(),
            _ => reason.code().to_owned(),
        });
        row.push_bind(column);
        return;
    }
    let value = values.get(field.name);
    let text = || value.and_then(Value::as_str).map(str::to_owned);
    match field.kind {
        Kind::Channel => {
            row.push_bind(text().map(|id| channels.get(&id).cloned().unwrap_or(id)));
        }
        Kind::Time => {
            row.push_bind(text().as_deref().and_then(read_moment).map(micros));
        }
        Kind::Whole => {
            let number = value.and_then(Value::as_u64).and_then(|number| i64::try_from(number).ok());
            row.push_bind(number.or((field.name == "access_count").then_some(0)));
        }
        Kind::Moment => {
            row.push_bind(value.and_then(Value::as_i64));
        }
        Kind::Calendar => {
            row.push_bind(value.map(Value::to_string));
        }
        Kind::Unit => {
            row.push_bind(value.and_then(Value::as_f64));
        }
        Kind::Flag => {
            row.push_bind(value.and_then(Value::as_bool).unwrap_or_default());
        }
        Kind::Texts | Kind::Ids => {
            row.push_bind(value.map_or_else(|| "[]".to_owned(), Value::to_string));
        }
        Kind::Plain(_) => {
            row.push_bind(text());
        }
        Kind::Keys | Kind::Links | Kind::Knowers | Kind::Derivations => {
            let some = value.filter(|list| list.as_array().is_some_and(|list| !list.is_empty()));
            row.push_bind(some.map(Value::to_string));
        }
        Kind::Vector => {
            let dimension = values.get("dimension").and_then(Value::as_u64).unwrap_or_default();
            row.push_bind(text().and_then(|text| vector::decode(&text, dimension)));
        }
        Kind::Id | Kind::Text(_) | Kind::Rule(_) | Kind::Json(_) | Kind::Word(_) => {
            row.push_bind(text().or_else(|| default_of(field.name).map(str::to_owned)));
        }
    }
}

#[cfg(test)]
mod tests {
    use inklings_ports::transfer::shape::Section;

    use crate::rows::entry_row::COLUMNS;

    /// The columns of an entry that no file has: an import is a change of its own, and a file has the vectors themselves.
    const OF_THIS_DATABASE: &[&str] = &["change_id", "embedded_by"];
    /// The columns that a version does not change, so a file has them once.
    const SAME_IN_EACH_VERSION: &[&str] = &["id", "scope", "channel_id", "conversation_id", "created_at"];

    /// A column that is missing in a file is lost by an export and an import.
    #[test]
    fn a_file_has_every_column_of_an_entry_and_of_its_versions() {
        let lists = Section::Memories.lists();
        let (_, versions) = lists.iter().find(|(name, _)| *name == "history").expect("earlier versions");
        for column in COLUMNS.iter().filter(|column| !OF_THIS_DATABASE.contains(column)) {
            assert!(Section::Memories.fields().iter().any(|field| field.name == *column), "{column}");
            let in_version = versions.iter().any(|field| field.name == *column);
            assert_eq!(in_version, !SAME_IN_EACH_VERSION.contains(column), "{column} of a version");
        }
    }
}
