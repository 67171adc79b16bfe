//! Search over the pages of linked vaults.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use inklings_domain::{
    ids::{PageId, VaultId},
    memory::embedding::ModelId,
    search::{query::TextQuery, ranking::CandidateValues},
    vault::link_name,
};
use inklings_ports::{
    search::{
        page_store::{PageHit, PageSearch},
        store::{Asked, Completed},
    },
    store_error::StoreError,
    vault::filter::PageFilter,
};
use rustc_hash::FxHashMap;
use sqlx::{Row, sqlite::SqliteRow};

use super::{
    expression,
    stats::PAGES,
    text_index::{TextIndex, holding, holds},
    text_vectors::{TextVectors, Texts},
    utterances::Neighbours,
    vector_index::WHOLE_BYTES,
};
use crate::{
    connection::Database,
    error::DbResult,
    functions::ticket::Scored,
    memory::filter_sql::Sql,
    rows::{json_list, parsed},
};

/// The vectors of pages. Their place is their vault.
const TEXTS: Texts = Texts {
    clock: "SELECT epoch, (SELECT coalesce(max(seq), 0) FROM page_vectors) AS newest FROM page_clock",
    load: "SELECT v.seq AS vector_seq, p.seq, p.vault_id AS place, v.first_end, v.vector \
        FROM page_vectors AS v CROSS JOIN pages AS p ON p.workspace_id = v.workspace_id AND p.id = v.page_id \
        WHERE v.seq > ? AND v.model = ? ORDER BY v.seq LIMIT ?",
    firsts: "SELECT v.seq AS vector_seq, v.first_end, v.vector FROM json_each(?) AS j \
        CROSS JOIN page_vectors AS v ON v.seq = j.value",
    passages: "SELECT v.seq AS vector_seq, p.starts, p.ends, p.vector FROM json_each(?) AS j \
        CROSS JOIN page_vectors AS v ON v.seq = j.value CROSS JOIN page_passages AS p \
        ON p.workspace_id = v.workspace_id AND p.page_id = v.page_id AND p.model = v.model \
        ORDER BY v.seq, p.ordinal",
    left: "SELECT seq FROM page_vectors WHERE model = ?",
};

/// Appends a condition on the page `p`: the filter lets it through.
pub fn push_page_filter(sql: &mut Sql, filter: &PageFilter, workspace: String) {
    if !filter.shows() {
        sql.push("FALSE AND ");
    }
    sql.push("p.workspace_id = ").push_bind(workspace);
    if let Some(vault) = filter.vault() {
        sql.push(" AND p.vault_id = ").push_bind(vault.to_string());
    }
}

/// Search over the pages of one workspace.
#[derive(Debug)]
pub struct PageIndex {
    db: Arc<Database>,
    text: TextIndex,
    models: Mutex<HashMap<ModelId, Arc<TextVectors<VaultId>>>>,
}

fn id(row: &SqliteRow) -> DbResult<PageId> {
    parsed(row.try_get("id")?, "id")
}

impl PageIndex {
    /// Creates the index of a database. The vectors of a model load on first use.
    pub fn new(db: Arc<Database>) -> Self {
        Self { db, text: TextIndex::of(PAGES), models: Mutex::default() }
    }

    fn model(&self, id: &ModelId) -> Arc<TextVectors<VaultId>> {
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(
            models
                .entry(id.clone())
                .or_insert_with(|| Arc::new(TextVectors::new(TEXTS, id.clone(), WHOLE_BYTES))),
        )
    }

    fn workspace(&self) -> String {
        self.db.workspace_id().to_string()
    }

    async fn words(&self, query: &TextQuery, filter: &PageFilter, limit: usize) -> DbResult<Vec<PageHit>> {
        if limit == 0 || !filter.shows() {
            return Ok(Vec::new());
        }
        if let TextQuery::Literal(folded) = query {
            return self.literal(folded, filter, limit).await;
        }
        let best = self.text.best(&self.db, query, over(filter), limit).await?;
        self.hits(best.into_iter().map(|Scored { seq, score }| (seq, score, None))).await
    }

    /// Reads the rows of what was found, each a row number, a score and a passage. Pages that no longer exist are dropped.
    async fn hits(
        &self,
        found: impl Iterator<Item = (i64, f64, Option<Range<usize>>)> + Send,
    ) -> DbResult<Vec<PageHit>> {
        let (mut seqs, mut scores) = (Vec::new(), FxHashMap::default());
        for (seq, score, passage) in found {
            seqs.push(seq);
            scores.insert(seq, (score, passage));
        }
        let rows = sqlx::query(
            "SELECT p.seq, p.id FROM json_each(?) AS j CROSS JOIN pages AS p ON p.seq = j.value ORDER BY j.key",
        )
        .bind(serde_json::Value::from(seqs).to_string())
        .fetch_all(&self.db.reader())
        .await?;
        let mut hits = Vec::with_capacity(rows.len());
        for row in &rows {
            if let Some((score, passage)) = scores.remove(&row.try_get("seq")?) {
                hits.push(PageHit { id: id(row)?, score, passage });
            }
        }
        Ok(hits)
    }

    /// Pages that contain a folded text, newest first; all have the same score.
    async fn literal(&self, folded: &str, filter: &PageFilter, limit: usize) -> DbResult<Vec<PageHit>> {
        if folded.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = Sql::new("SELECT p.id, p.content FROM pages AS p WHERE ");
        push_page_filter(&mut sql, filter, self.workspace());
        if !folded.is_ascii() {
            // Folding never turns ASCII into other characters, so an ASCII text cannot contain it.
            sql.push(" AND length(p.content) <> octet_length(p.content)");
        }
        sql.push(" ORDER BY p.seq DESC");
        let hit = |row: &SqliteRow| {
            let hit = || Ok(PageHit { id: id(row)?, score: 1.0, passage: None });
            holds(row.try_get("content")?, folded).then(hit).transpose()
        };
        holding(&self.db, sql, limit, hit).await
    }

    async fn nearest(
        &self,
        vector: &[f32],
        model: &ModelId,
        filter: &PageFilter,
        limit: usize,
    ) -> DbResult<Vec<PageHit>> {
        if !filter.shows() {
            return Ok(Vec::new());
        }
        let rows = sqlx::query("SELECT id FROM vaults").fetch_all(&self.db.reader()).await?;
        let vaults = rows.iter().map(|row| parsed(row.try_get("id")?, "id"));
        let mut within: HashSet<VaultId> = vaults.collect::<DbResult<_>>()?;
        within.retain(|id| filter.vault().is_none_or(|only| only == *id));
        let nearest = self.model(model).search(&self.db, vector, within, limit).await?;
        self.hits(nearest.into_iter().map(|near| (near.seq, near.passage.cosine, near.passage.range))).await
    }

    async fn completed(
        &self,
        asked: Asked<'_>,
        filter: &PageFilter,
        ids: &[PageId],
    ) -> DbResult<Vec<Completed<PageId>>> {
        if !filter.shows() {
            return Ok(Vec::new());
        }
        let mut sql = Sql::new("SELECT p.seq, p.id FROM json_each(");
        sql.push_bind(json_list(ids)).push(") AS j CROSS JOIN pages AS p ON p.id = j.value AND ");
        push_page_filter(&mut sql, filter, self.workspace());
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        let mut texts = Vec::with_capacity(rows.len());
        for row in &rows {
            texts.push((id(row)?, Neighbours { own: row.try_get("seq")?, adjacent: [None, None] }));
        }
        let matches = self.text.matches(&self.db, asked.query, over(filter)).await?;
        let mut compared = Vec::new();
        if let Some((query, model)) = asked.vector {
            let loaded = self.model(model);
            loaded.catch_up(&self.db).await?;
            compared = loaded.compare(&texts.iter().map(|(_, text)| *text).collect::<Vec<_>>(), query);
        }
        let compared = compared.into_iter().chain(std::iter::repeat(None));
        Ok(texts
            .into_iter()
            .zip(compared)
            .map(|((id, text), compared)| Completed {
                id,
                decay: None,
                values: CandidateValues {
                    text: matches.find(text.own).map(|found| matches.score(found)),
                    meaning: compared.map(|own| own.nearest),
                    ..CandidateValues::default()
                },
            })
            .collect())
    }

    async fn named(&self, text: &str, filter: &PageFilter) -> DbResult<Vec<PageId>> {
        let mut sql = Sql::new(
            "SELECT DISTINCT p.id FROM page_names AS n CROSS JOIN pages AS p ON p.seq = n.page AND ",
        );
        push_page_filter(&mut sql, filter, self.workspace());
        sql.push(" WHERE n.workspace_id = ").push_bind(self.workspace());
        sql.push(" AND n.name = ").push_bind(link_name(text));
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(id).collect()
    }
}

/// Makes the expression of a query over the pages that a filter lets through.
fn over(filter: &PageFilter) -> impl Fn(&TextQuery) -> Option<String> {
    let vault = filter.vault();
    move |query| expression::over_pages(query, vault)
}

#[async_trait::async_trait]
impl PageSearch for PageIndex {
    async fn search_text(
        &self,
        query: &TextQuery,
        filter: &PageFilter,
        limit: usize,
    ) -> Result<Vec<PageHit>, StoreError> {
        self.words(query, filter, limit).await.map_err(|error| self.db.fail(error))
    }

    async fn called(&self, text: &str, filter: &PageFilter) -> Result<Vec<PageId>, StoreError> {
        self.named(text, filter).await.map_err(|error| self.db.fail(error))
    }

    async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        filter: &PageFilter,
        limit: usize,
    ) -> Result<Vec<PageHit>, StoreError> {
        self.nearest(vector, model, filter, limit).await.map_err(|error| self.db.fail(error))
    }

    async fn complete(
        &self,
        asked: Asked<'_>,
        filter: &PageFilter,
        ids: &[PageId],
    ) -> Result<Vec<Completed<PageId>>, StoreError> {
        self.completed(asked, filter, ids).await.map_err(|error| self.db.fail(error))
    }

    async fn highlights(
        &self,
        query: &TextQuery,
        ids: &[PageId],
    ) -> Result<Vec<(PageId, Vec<Range<usize>>)>, StoreError> {
        self.text.marks(&self.db, query, ids).await.map_err(|error| self.db.fail(error))
    }
}
