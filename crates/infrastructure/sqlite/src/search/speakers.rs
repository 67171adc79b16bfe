//! The names of those who said something.

use inklings_domain::search::people::Speakers;

use crate::{
    connection::Database,
    error::{DbError, DbResult},
};

/// Every speaker once, from an index of them: each step seeks the next one.
macro_rules! speakers {
    ($table:literal) => {
        concat!(
            "WITH RECURSIVE each_speaker (speaker) AS (SELECT min(speaker) FROM ",
            $table,
            " WHERE speaker IS NOT NULL UNION ALL SELECT (SELECT min(m.speaker) FROM ",
            $table,
            " AS m WHERE m.speaker > each_speaker.speaker) FROM each_speaker WHERE speaker IS NOT NULL) ",
            "SELECT json_group_array(speaker) FROM each_speaker WHERE speaker IS NOT NULL"
        )
    };
}

/// The speakers of entries.
pub const OF_ENTRIES: &str = speakers!("memories");
/// The speakers of messages.
pub const OF_MESSAGES: &str = speakers!("messages");

/// Reads the speakers, all in one row (ADR 37).
pub async fn read(db: &Database, sql: &'static str) -> DbResult<Speakers> {
    let names: String = sqlx::query_scalar(sql).fetch_one(&db.reader()).await?;
    let names: Vec<String> = serde_json::from_str(&names).map_err(|_| DbError::Row { column: "speaker" })?;
    let mut speakers = Speakers::default();
    for name in &names {
        speakers.add(name);
    }
    Ok(speakers)
}
