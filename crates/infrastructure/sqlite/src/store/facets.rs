//! Facet counts in two passes: one groups the entries by everything but their tags, and what each facet counts
//! is added up from the groups; the other counts the tags.

use std::collections::BTreeMap;

use inklings_application::ports::memory_store::FacetCount;
use inklings_domain::{
    filter::{Activity, Facet, FacetTerm, HIGH_IMPORTANCE, MEDIUM_IMPORTANCE, MemoryFilter},
    ids::MemoryId,
};
use sqlx::{Row, sqlite::SqliteRow};

use super::{SqliteStore, rows::json_list};
use crate::{
    error::DbResult,
    filter_sql::{Sql, push_activity, push_conditions, push_facet, push_reach},
};

/// The most values that a facet lists.
const MAX_VALUES: usize = 200;

/// Entries that agree in every facet but their tags.
struct Group {
    source: String,
    curator: String,
    lifetime: String,
    importance: &'static str,
    speaker: Option<String>,
    embedded: bool,
    forgotten: bool,
    /// True if their tags meet the conditions on tags.
    tags_fit: bool,
    count: u64,
}

impl Group {
    fn value(&self, facet: Facet) -> Option<&str> {
        Some(match facet {
            Facet::Source => &self.source,
            Facet::Curator => &self.curator,
            Facet::Lifetime => &self.lifetime,
            Facet::Importance => self.importance,
            Facet::Speaker => self.speaker.as_deref()?,
            Facet::Embedding if self.embedded => "yes",
            Facet::Embedding => "no",
            Facet::Forgotten if self.forgotten => "yes",
            Facet::Forgotten | Facet::Tag => return None,
        })
    }

    /// True if the conditions of every facet but one let the group through.
    fn fits(&self, filter: &MemoryFilter, but: Facet) -> bool {
        let in_view = match filter.activity() {
            _ if but == Facet::Forgotten => true,
            Activity::Active => !self.forgotten,
            Activity::Forgotten => self.forgotten,
            Activity::Any => true,
        };
        in_view
            && self.tags_fit
            && Facet::ALL
                .iter()
                .filter(|facet| **facet != but && !matches!(facet, Facet::Tag | Facet::Forgotten))
                .all(|facet| self.fits_facet(&filter.terms, *facet))
    }

    fn fits_facet(&self, terms: &[FacetTerm], facet: Facet) -> bool {
        let have = self.value(facet);
        let of = |negated| terms.iter().filter(move |t| t.facet == facet && t.negated == negated);
        let is = |term: &FacetTerm| have == Some(term.value.as_str());
        (of(false).next().is_none() || of(false).any(is)) && !of(true).any(is)
    }
}

fn group(row: &SqliteRow) -> DbResult<Group> {
    Ok(Group {
        source: row.try_get(0)?,
        curator: row.try_get(1)?,
        lifetime: row.try_get(2)?,
        importance: ["low", "medium", "high"][row.try_get::<i64, _>(3)?.clamp(0, 2) as usize],
        speaker: row.try_get(4)?,
        embedded: row.try_get(5)?,
        forgotten: row.try_get(6)?,
        tags_fit: row.try_get(7)?,
        count: row.try_get::<i64, _>(8)? as u64,
    })
}

impl SqliteStore {
    pub(super) async fn count_facets(
        &self,
        filter: &MemoryFilter,
        among: Option<&[MemoryId]>,
    ) -> DbResult<Vec<FacetCount>> {
        let among = among.map(json_list);
        let groups = self.read_groups(filter, among.as_deref()).await?;
        let mut counts = Vec::with_capacity(Facet::ALL.len());
        for facet in Facet::ALL {
            let values = match facet {
                Facet::Tag => self.count_tags(filter, among.as_deref()).await?,
                facet => add_up(&groups, filter, *facet),
            };
            counts.push(FacetCount { facet: *facet, values });
        }
        Ok(counts)
    }

    async fn read_groups(&self, filter: &MemoryFilter, among: Option<&str>) -> DbResult<Vec<Group>> {
        let mut sql = Sql::new("SELECT m.source, m.curator, m.lifetime, (m.importance >= ");
        sql.push_bind(MEDIUM_IMPORTANCE).push(") + (m.importance >= ").push_bind(HIGH_IMPORTANCE);
        sql.push("), m.speaker, m.embedded_by IS NOT NULL, m.forgotten_at IS NOT NULL, (TRUE");
        push_facet(&mut sql, &filter.terms, Facet::Tag);
        sql.push("), count(*) FROM memories AS m WHERE ");
        self.push_looked_at(&mut sql, filter, among);
        sql.push(" GROUP BY 1, 2, 3, 4, 5, 6, 7, 8");
        sql.build().fetch_all(self.db.reader()).await?.iter().map(group).collect()
    }

    async fn count_tags(&self, filter: &MemoryFilter, among: Option<&str>) -> DbResult<Vec<(String, u64)>> {
        let mut sql = Sql::new(
            "SELECT tag.value, count(*) FROM memories AS m, json_each(m.tags) AS tag WHERE m.tags <> '[]' AND ",
        );
        self.push_looked_at(&mut sql, filter, among);
        sql.push(" AND ");
        push_activity(&mut sql, filter.activity());
        push_conditions(&mut sql, &filter.terms, Some(Facet::Tag));
        sql.push(" GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ").push_bind(MAX_VALUES as i64);
        let counted: Vec<(String, i64)> = sql.build_query_as().fetch_all(self.db.reader()).await?;
        Ok(counted.into_iter().map(|(tag, count)| (tag, count as u64)).collect())
    }

    fn push_looked_at(&self, sql: &mut Sql, filter: &MemoryFilter, among: Option<&str>) {
        push_reach(sql, &filter.reach, self.db.workspace_id());
        if let Some(ids) = among {
            sql.push(" AND m.workspace_id = ").push_bind(self.workspace());
            sql.push(" AND m.id IN (SELECT value FROM json_each(").push_bind(ids.to_owned()).push("))");
        }
    }
}

fn add_up(groups: &[Group], filter: &MemoryFilter, facet: Facet) -> Vec<(String, u64)> {
    let mut counts = BTreeMap::<&str, u64>::new();
    for group in groups.iter().filter(|group| group.fits(filter, facet)) {
        if let Some(value) = group.value(facet) {
            *counts.entry(value).or_default() += group.count;
        }
    }
    let mut values: Vec<(String, u64)> = counts.into_iter().map(|(v, n)| (v.to_owned(), n)).collect();
    // Stable: equal counts stay in the order of their names.
    values.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    values.truncate(MAX_VALUES);
    values
}
