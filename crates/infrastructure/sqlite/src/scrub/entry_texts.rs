//! The texts of an entry that a scrub searches: every text column that is not listed here.

use crate::rows::entry_row::text_columns;

/// The text columns of an entry in which nobody's words stand.
const WITHOUT_WORDS: &[&str] = &[
    // Ids.
    "id",
    "channel_id",
    "conversation_id",
    "source_conversation_id",
    "change_id",
    "forgotten_run",
    "consolidated_into",
    // Words of the program.
    "scope",
    "lifetime",
    "curator",
    "kind",
    "written_by",
    "forgotten_code",
    // The model of the newest vector.
    "embedded_by",
    // Lists of roles, ids and moments.
    "links",
    "derived_from",
];

/// The columns with words, each as an expression over the alias `m`.
fn texts() -> impl Iterator<Item = (&'static str, String)> {
    let with_words = text_columns().filter(|column| !WITHOUT_WORDS.contains(column));
    with_words.map(|column| (column, expression(column)))
}

fn expression(column: &str) -> String {
    match column {
        // Ids and digests, and the names of files. A damaged list is searched as it is.
        "derivations" => "iif(json_valid(m.derivations), \
             (SELECT group_concat(d.value ->> 'name', char(10)) FROM json_each(m.derivations) AS d), m.derivations)"
            .to_owned(),
        _ => format!("m.{column}"),
    }
}

/// All texts of an entry over the alias `m`, as one text.
pub(crate) fn all() -> String {
    let texts: Vec<String> = texts().map(|(_, text)| text).collect();
    format!("concat_ws(char(10), {})", texts.join(", "))
}

/// The texts other than the content over the alias `m`, as a JSON list.
pub(crate) fn except_content() -> String {
    let texts: Vec<String> =
        texts().filter(|(column, _)| *column != "content").map(|(_, text)| text).collect();
    format!("json_array({})", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::migrate::{ACCOUNT, WORKSPACE, fresh};

    /// Text columns beside those of an entry.
    const OF_THE_TABLES: &[&str] = &[
        // Whose file it is, and the versions' ids.
        "workspace_id",
        "memory_id",
        "replaced_by",
        // Made of a column that is searched.
        "name_folded",
        "aliases_folded",
    ];

    #[tokio::test]
    async fn every_text_column_of_an_entry_is_searched_or_has_no_words() {
        for schema in [&ACCOUNT, &WORKSPACE] {
            let mut conn = fresh(schema, schema.version()).await.expect("a database");
            for table in ["memories", "memory_versions"] {
                let columns: Vec<String> =
                    sqlx::query_scalar("SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'")
                        .bind(table)
                        .fetch_all(&mut conn)
                        .await
                        .expect("columns");
                let known: BTreeSet<&str> = texts()
                    .map(|(column, _)| column)
                    .chain(WITHOUT_WORDS.iter().chain(OF_THE_TABLES).copied())
                    .collect();
                let forgotten: Vec<&String> =
                    columns.iter().filter(|column| !known.contains(column.as_str())).collect();
                assert!(columns.len() > 20 && forgotten.is_empty(), "{table}: {forgotten:?}");
            }
        }
    }
}
