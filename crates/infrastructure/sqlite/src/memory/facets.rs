//! Counts facets in one pass over the entries in scope: SQLite groups them by all facet columns, and the
//! count of each facet value is the sum over its groups.

use std::collections::HashMap;

use inklings_domain::{
    ids::MemoryId,
    memory::filter::{Facet, FacetTerm, HIGH_IMPORTANCE, MEDIUM_IMPORTANCE, MemoryFilter},
    provenance::Curator,
    scope::MemoryLifetime,
};
use inklings_ports::memory::store::FacetCount;
use sqlx::{Row, sqlite::SqliteRow};

use crate::{
    error::{DbError, DbResult},
    memory::filter_sql::{Sql, blank_entries, push_scope_filter},
};
use crate::{rows::json_list, store::SqliteStore};

/// The most values that a facet lists.
const MAX_VALUES: usize = 200;

const BUCKETS: [&str; 3] = ["low", "medium", "high"];

/// Entries with equal values in all facets.
struct Group {
    tags: Vec<String>,
    source: String,
    speaker: Option<String>,
    curator: Curator,
    lifetime: MemoryLifetime,
    importance: &'static str,
    embedded: bool,
    forgotten: bool,
    /// Negative for blank entries, which are subtracted.
    count: i64,
}

impl Group {
    /// The values of these entries in a facet.
    fn values(&self, facet: Facet) -> Vec<&str> {
        match facet {
            Facet::Tag => self.tags.iter().map(String::as_str).collect(),
            Facet::Source => vec![&self.source],
            Facet::Speaker => self.speaker.iter().map(String::as_str).collect(),
            Facet::Curator => vec![self.curator.as_str()],
            Facet::Lifetime => vec![self.lifetime.as_str()],
            Facet::Importance => vec![self.importance],
            Facet::Embedding => vec![if self.embedded { "yes" } else { "no" }],
            Facet::Forgotten if self.forgotten => vec!["yes"],
            Facet::Forgotten => Vec::new(),
        }
    }

    /// Which facet conditions these entries fail: none, one, or several; see [`Misfit`].
    fn misfit(&self, filter: &MemoryFilter) -> Misfit {
        let mut misfit = Misfit::None;
        for facet in Facet::ALL.iter().filter(|facet| !self.fits(filter, **facet)) {
            misfit = match misfit {
                Misfit::None => Misfit::Only(*facet),
                Misfit::Only(_) | Misfit::Several => Misfit::Several,
            };
        }
        misfit
    }

    fn fits(&self, filter: &MemoryFilter, facet: Facet) -> bool {
        if facet == Facet::Forgotten {
            return filter.activity().lets_through(!self.forgotten);
        }
        let mut terms = filter.terms.iter().filter(|term| term.facet == facet).peekable();
        if terms.peek().is_none() {
            return true;
        }
        let have = self.values(facet);
        let has = |term: &FacetTerm| have.contains(&term.value.as_str());
        let (without, wanted): (Vec<&FacetTerm>, Vec<&FacetTerm>) = terms.partition(|term| term.negated);
        (wanted.is_empty() || wanted.iter().any(|t| has(t))) && !without.iter().any(|t| has(t))
    }
}

/// Each facet is counted with the conditions of the other facets. So a group counts everywhere if it meets
/// all of them, in one facet if it fails only that one, and nowhere otherwise.
#[derive(Clone, Copy)]
enum Misfit {
    None,
    Only(Facet),
    Several,
}

impl Misfit {
    fn counts_in(self, facet: Facet) -> bool {
        match self {
            Self::None => true,
            Self::Only(other) => other == facet,
            Self::Several => false,
        }
    }
}

/// Decodes a group. The facets with few values are packed as the digits of one number: a narrow key sorts
/// faster than six columns.
fn group(row: &SqliteRow) -> DbResult<Group> {
    let mut code = usize::try_from(row.try_get::<i64, _>(3)?).map_err(|_| DbError::Row { column: "code" })?;
    let mut digit = |base: usize| {
        let digit = code % base;
        code /= base;
        digit
    };
    Ok(Group {
        tags: serde_json::from_str(row.try_get(0)?).map_err(|_| DbError::Row { column: "tags" })?,
        source: row.try_get(1)?,
        speaker: row.try_get(2)?,
        forgotten: digit(2) == 1,
        embedded: digit(2) == 1,
        importance: BUCKETS[digit(3)],
        lifetime: MemoryLifetime::ALL[digit(3)],
        curator: Curator::ALL[digit(3)],
        count: row.try_get(4)?,
    })
}

/// Appends a CASE expression that maps a word to its index in the domain's list of words.
fn push_place<T: std::fmt::Display>(sql: &mut Sql, column: &str, words: &[T]) {
    sql.push("CASE ").push(column);
    for (place, word) in words.iter().enumerate() {
        // Words and numbers of this program; a literal is cheaper here than a bound value in every row.
        sql.push(format_args!(" WHEN '{word}' THEN {place}"));
    }
    sql.push(" END");
}

impl SqliteStore {
    pub(crate) async fn count_facets(
        &self,
        filter: &MemoryFilter,
        among: Option<&[MemoryId]>,
    ) -> DbResult<Vec<FacetCount>> {
        let groups = self.read_groups(filter, among).await?;
        let misfits: Vec<Misfit> = groups.iter().map(|group| group.misfit(filter)).collect();
        let count = |facet: &Facet| {
            let groups = groups.iter().zip(&misfits).filter(|(_, misfit)| misfit.counts_in(*facet));
            FacetCount { facet: *facet, values: add_up(groups.map(|(group, _)| group), *facet) }
        };
        Ok(Facet::ALL.iter().map(count).collect())
    }

    fn push_among(&self, sql: &mut Sql, filter: &MemoryFilter, among: Option<&[MemoryId]>) {
        sql.push(" AND ");
        push_scope_filter(sql, &filter.scope_filter, self.db.workspace_id());
        if let Some(ids) = among {
            sql.push(" AND m.workspace_id = ").push_bind(self.workspace());
            sql.push(" AND m.id IN (SELECT value FROM json_each(").push_bind(json_list(ids)).push("))");
        }
        sql.push(" GROUP BY 4, 1, 2, 3");
    }

    async fn read_groups(&self, filter: &MemoryFilter, among: Option<&[MemoryId]>) -> DbResult<Vec<Group>> {
        let mut sql = Sql::new("");
        push_groups(&mut sql);
        sql.push("count(*) FROM memories AS m WHERE TRUE");
        self.push_among(&mut sql, filter, among);
        sql.push(" UNION ALL ");
        push_groups(&mut sql);
        sql.push(concat!("-count(*) FROM ", blank_entries!()));
        self.push_among(&mut sql, filter, among);
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(group).collect()
    }
}

/// Appends all columns that [`group`] reads except the last.
fn push_groups(sql: &mut Sql) {
    sql.push("SELECT m.tags, m.source, m.speaker, (((");
    push_place(sql, "m.curator", Curator::ALL);
    sql.push(") * 3 + ");
    push_place(sql, "m.lifetime", MemoryLifetime::ALL);
    sql.push(") * 3 + (m.importance >= ").push(MEDIUM_IMPORTANCE);
    sql.push(") + (m.importance >= ").push(HIGH_IMPORTANCE);
    sql.push(")) * 4 + (m.embedded_by IS NOT NULL) * 2 + (m.forgotten_at IS NOT NULL), ");
}

fn add_up<'a>(groups: impl Iterator<Item = &'a Group>, facet: Facet) -> Vec<(String, u64)> {
    let mut counts = HashMap::<&str, i64>::new();
    for group in groups {
        for value in group.values(facet) {
            *counts.entry(value).or_default() += group.count;
        }
    }
    let counted = counts.into_iter().filter(|(_, n)| *n > 0);
    let mut values: Vec<(String, u64)> = counted.map(|(v, n)| (v.to_owned(), n.unsigned_abs())).collect();
    values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    values.truncate(MAX_VALUES);
    values
}
