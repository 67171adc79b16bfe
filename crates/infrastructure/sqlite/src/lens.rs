//! Reads what a lens depends on, and keeps lenses in three columns: the knower, a moment, a chapter.

use std::collections::BTreeSet;

use inklings_domain::{
    calendar::{
        chapter::Chapter,
        moment::Moment,
        span::{InvertedSpan, Span},
        story_point::StoryPoint,
    },
    ids::{ConversationId, MemoryId},
    lens::{ChapterPlace, Lens, LensOnSubjects, Membership, World, is_member_of},
};
use inklings_ports::{lens::LensStore, store_error::StoreError};
use sqlx::{Row, sqlite::SqliteRow};

use crate::{
    error::{DbError, DbResult},
    memory::{filter_sql::Sql, lens_sql::push_lens},
    rows::{maybe, parsed},
    store::SqliteStore,
};

/// The lens in the three columns from `at` on.
pub fn lens(row: &SqliteRow, at: usize) -> DbResult<Lens> {
    let moment = moment(row, at + 1, "as_of")?.map(StoryPoint::Moment);
    let chapter = maybe::<MemoryId>(row, at + 2, "as_of_chapter")?.map(StoryPoint::Chapter);
    Ok(Lens { knower: maybe(row, at, "knower_id")?, at: moment.or(chapter) })
}

/// The values of the three columns.
pub fn columns(lens: Lens) -> (Option<String>, Option<i64>, Option<String>) {
    let (moment, chapter) = match lens.at {
        None => (None, None),
        Some(StoryPoint::Moment(moment)) => (Some(moment.value()), None),
        Some(StoryPoint::Chapter(id)) => (None, Some(id.to_string())),
    };
    (lens.knower.map(|id| id.to_string()), moment, chapter)
}

fn moment(row: &SqliteRow, at: usize, column: &'static str) -> DbResult<Option<Moment>> {
    let value = row.try_get::<Option<i64>, _>(at)?;
    value.map(|value| Moment::from_value(value).map_err(|_| DbError::Row { column })).transpose()
}

fn span(row: &SqliteRow, at: usize) -> DbResult<Span> {
    let (from, until) = (moment(row, at, "holds_from")?, moment(row, at + 1, "holds_until")?);
    Span::new(from, until).map_err(|_: InvertedSpan| DbError::Row { column: "holds_until" })
}

impl SqliteStore {
    /// Only the worldbuilder says who belongs to whom: what an agent wrote widens nobody's knowledge.
    async fn read_memberships(&self) -> DbResult<Vec<Membership>> {
        let found = sqlx::query(
            "SELECT m.relation, f.target_id, t.target_id, m.holds_from, m.holds_until FROM entry_links AS f \
             CROSS JOIN memories AS m ON m.workspace_id = f.workspace_id AND m.id = f.entry_id \
             CROSS JOIN entry_links AS t \
               ON t.workspace_id = f.workspace_id AND t.entry_id = f.entry_id AND t.role = 'to' \
             WHERE f.workspace_id = ?1 AND f.role = 'from' AND m.forgotten_at IS NULL AND m.curator <> 'agent' \
               AND (SELECT count(*) FROM memories AS s WHERE s.workspace_id = ?1 \
                    AND s.id IN (f.target_id, t.target_id) AND s.subject IS NOT NULL \
                    AND s.forgotten_at IS NULL) = 2",
        )
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        let mut memberships = Vec::new();
        for row in &found {
            if row.try_get::<Option<&str>, _>(0)?.is_some_and(is_member_of) {
                memberships.push(Membership {
                    member: parsed(row.try_get(1)?, "target_id")?,
                    group: parsed(row.try_get(2)?, "target_id")?,
                    span: span(row, 3)?,
                });
            }
        }
        Ok(memberships)
    }

    async fn read_chapter_places(&self) -> DbResult<Vec<ChapterPlace>> {
        let found = sqlx::query(
            "SELECT m.id, m.reading_number, m.holds_from, m.holds_until \
             FROM memories AS m INDEXED BY memories_by_reading \
             WHERE m.workspace_id = ?1 AND m.reading_number IS NOT NULL AND m.forgotten_at IS NULL",
        )
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        let place = |row: &SqliteRow| {
            let column = "reading_number";
            let number = u32::try_from(row.try_get::<i64, _>(1)?).ok().and_then(std::num::NonZeroU32::new);
            let span = Some(span(row, 2)?).filter(|span| *span != Span::ALWAYS);
            Ok(ChapterPlace {
                id: parsed(row.try_get(0)?, "id")?,
                chapter: Chapter::new(number.ok_or(DbError::Row { column })?, span),
            })
        };
        found.iter().map(place).collect()
    }

    async fn read_lensed_conversations(&self) -> DbResult<Vec<(ConversationId, Lens)>> {
        let found = sqlx::query(
            "SELECT c.id, c.knower_id, c.as_of, c.as_of_chapter \
             FROM conversations AS c INDEXED BY conversations_by_knower WHERE c.workspace_id = ?1 \
             AND (c.knower_id IS NOT NULL OR c.as_of IS NOT NULL OR c.as_of_chapter IS NOT NULL)",
        )
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().map(|row| Ok((parsed(row.try_get(0)?, "id")?, lens(row, 1)?))).collect()
    }

    async fn read_withheld_subjects(&self, lens: &LensOnSubjects) -> DbResult<BTreeSet<MemoryId>> {
        // What is linked to an entry that is no subject any more tells as much of it as before.
        let mut sql = Sql::new(
            "SELECT s.id FROM (SELECT m.id FROM memories AS m INDEXED BY memories_of_subjects \
             WHERE m.subject IS NOT NULL AND m.workspace_id = ",
        );
        sql.push_bind(self.workspace());
        sql.push(" UNION SELECT l.target_id FROM entry_links AS l WHERE l.role <> 'known_by' AND l.workspace_id = ");
        sql.push_bind(self.workspace());
        sql.push(") AS t CROSS JOIN memories AS s ON s.id = t.id AND s.workspace_id = ");
        sql.push_bind(self.workspace()).push(" WHERE NOT ");
        push_lens(&mut sql, Some(lens.on_subjects()), self.db.workspace_id(), "s");
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        rows.iter().map(|row| parsed(row.try_get(0)?, "id")).collect()
    }

    async fn read_world(&self, knower: Option<MemoryId>) -> DbResult<World> {
        let kind_of_knower = match knower {
            None => None,
            Some(id) => {
                let kind = sqlx::query_scalar(
                    "SELECT m.subject FROM memories AS m \
                     WHERE m.workspace_id = ?1 AND m.id = ?2 AND m.subject IS NOT NULL AND m.forgotten_at IS NULL",
                );
                kind.bind(self.workspace()).bind(id.to_string()).fetch_optional(&self.db.reader()).await?
            }
        };
        Ok(World {
            memberships: if knower.is_some() { self.read_memberships().await? } else { Vec::new() },
            chapters: self.read_chapter_places().await?,
            conversations: self.read_lensed_conversations().await?,
            kind_of_knower,
        })
    }
}

#[async_trait::async_trait]
impl LensStore for SqliteStore {
    async fn world(&self, knower: Option<MemoryId>) -> Result<World, StoreError> {
        self.public(self.read_world(knower).await)
    }

    async fn withheld_subjects(&self, lens: &LensOnSubjects) -> Result<BTreeSet<MemoryId>, StoreError> {
        self.public(self.read_withheld_subjects(lens).await)
    }
}
