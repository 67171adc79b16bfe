//! Column lists and row readers for search results.

use std::ops::Range;

use chrono::DateTime;
use inklings_domain::{
    ids::{ChannelId, ConversationId, MemoryId},
    memory::{
        Importance,
        decay::{DecayInputs, Exemption},
    },
    scope::{MemoryScope, Place},
};
use inklings_ports::search::store::ListHit;
use sqlx::{Row, sqlite::SqliteRow};

use crate::error::{DbError, DbResult};
use crate::search::row_cache::CachedRow;

/// The columns that [`hit`] reads, over the table alias `m`.
pub const HIT: &str = "m.id, m.scope, m.importance, m.access_count, m.accessed_at, \
                       CASE WHEN m.pinned OR m.name IS NOT NULL THEN 2 ELSE m.curator = 'author' END AS exemption";
/// The columns that [`place`] reads, over the table alias `m`.
pub const PLACE: &str = "m.scope, m.channel_id, m.conversation_id";

/// An SQL expression over the columns of [`HIT`], the row number and the score. It packs all entries into one
/// text for [`hits`].
pub const PACKED: &str = "group_concat(format('%d %s %s %!.20g %d %d %d %d %d %d %!.20g', \
                          m.seq, m.id, m.scope, m.importance, m.access_count, m.accessed_at, \
                          CASE WHEN m.pinned OR m.name IS NOT NULL THEN 2 ELSE m.curator = 'author' END, \
                          m.forgotten_at IS NULL, m.session IS NOT NULL, m.created_at, ";

/// Reads entries that [`PACKED`] packed into one text, with their row numbers. sqlx copies each
/// value of a row by itself, which takes longer (ADR 37).
pub fn hits(json_rows: Option<&str>) -> DbResult<Vec<(i64, CachedRow)>> {
    let mut words = json_rows.unwrap_or_default().split_ascii_whitespace();
    let mut hits = Vec::new();
    while let Some(seq) = words.next() {
        let seq = seq.parse().map_err(|_| DbError::Row { column: "seq" })?;
        let id = next(&mut words, "id")?;
        let decay = DecayInputs {
            scope: next(&mut words, "scope")?,
            importance: Importance::new(next(&mut words, "importance")?)
                .map_err(|_| DbError::Row { column: "importance" })?,
            access_count: next(&mut words, "access_count")?,
            accessed_at: DateTime::from_timestamp_micros(next(&mut words, "accessed_at")?)
                .ok_or(DbError::Row { column: "accessed_at" })?,
            exemption: exemption(next(&mut words, "exemption")?)?,
        };
        let active = next::<u8>(&mut words, "active")? != 0;
        let is_utterance = next::<u8>(&mut words, "session")? != 0;
        let created_at = DateTime::from_timestamp_micros(next(&mut words, "created_at")?)
            .ok_or(DbError::Row { column: "created_at" })?;
        let hit = ListHit { id, decay, score: next(&mut words, "score")?, vector: None, passage: None };
        hits.push((seq, CachedRow { hit, active, is_utterance, created_at }));
    }
    Ok(hits)
}

/// Reads the number that [`HIT`] and [`PACKED`] have for an exemption.
const fn exemption(number: i64) -> DbResult<Exemption> {
    match number {
        0 => Ok(Exemption::None),
        1 => Ok(Exemption::OfAuthor),
        2 => Ok(Exemption::Fixed),
        _ => Err(DbError::Row { column: "exemption" }),
    }
}

fn next<'t, T: std::str::FromStr>(
    words: &mut impl Iterator<Item = &'t str>,
    column: &'static str,
) -> DbResult<T> {
    words.next().and_then(|word| word.parse().ok()).ok_or(DbError::Row { column })
}

/// Reads an entry's id and its inputs to decay.
pub fn hit(row: &SqliteRow, score: f64) -> DbResult<ListHit> {
    let decay = DecayInputs {
        scope: word(row, "scope")?,
        importance: Importance::new(row.try_get("importance")?)
            .map_err(|_| DbError::Row { column: "importance" })?,
        access_count: row.try_get::<i64, _>("access_count")?.unsigned_abs(),
        accessed_at: DateTime::from_timestamp_micros(row.try_get("accessed_at")?)
            .ok_or(DbError::Row { column: "accessed_at" })?,
        exemption: exemption(row.try_get("exemption")?)?,
    };
    Ok(ListHit { id: id(row)?, decay, score, vector: None, passage: None })
}

/// Reads the bytes of a passage in its content.
pub fn passage(row: &SqliteRow) -> DbResult<Range<u32>> {
    let at = |column: &'static str| {
        u32::try_from(row.try_get::<i64, _>(column)?).map_err(|_| DbError::Row { column })
    };
    Ok(at("starts")?..at("ends")?)
}

/// Reads an entry's id.
pub fn id(row: &SqliteRow) -> DbResult<MemoryId> {
    word(row, "id")
}

/// Reads an entry's place.
pub fn place(row: &SqliteRow) -> DbResult<Place> {
    let channel = |row| word::<ChannelId>(row, "channel_id");
    Ok(match word(row, "scope")? {
        MemoryScope::Account => Place::Account,
        MemoryScope::Workspace => Place::Workspace,
        MemoryScope::Channel => Place::Channel(channel(row)?),
        MemoryScope::Conversation => {
            Place::Conversation(channel(row)?, word::<ConversationId>(row, "conversation_id")?)
        }
    })
}

fn word<T: std::str::FromStr>(row: &SqliteRow, column: &'static str) -> DbResult<T> {
    row.try_get::<&str, _>(column)?.parse().map_err(|_| DbError::Row { column })
}

/// Decodes a stored vector.
pub fn numbers(blob: &[u8]) -> Vec<f32> {
    blob.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// Encodes a vector for storage.
pub fn blob(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|x| x.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_vector_reads_back_as_it_was_stored(vector in proptest::collection::vec(proptest::num::f32::ANY, 0..50)) {
            let back = numbers(&blob(&vector));
            proptest::prop_assert_eq!(vector.len(), back.len());
            for (a, b) in vector.iter().zip(back) {
                proptest::prop_assert_eq!(a.to_bits(), b.to_bits());
            }
        }
    }
}
