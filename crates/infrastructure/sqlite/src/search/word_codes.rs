//! The codes of the words of short texts: stores them, and compares texts with a query word by word.

use inklings_domain::{
    memory::{
        embedding::{EmbeddingModel, ModelId},
        word_codes::WordCodes,
    },
    search::ranking::WordComparison,
};
use inklings_ports::memory::vector_store::TextVectors;
use rustc_hash::FxHashMap;
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::utterances::{PlacedUtterance, window};
use crate::{
    connection::Database, error::DbResult, functions::word_function::Compared, memory::filter_sql::Sql,
};

/// An SQL condition on a row `v` of vectors: they do not tell all of their text. They cover only its beginning, or were made
/// without codes.
macro_rules! in_part {
    () => {
        "(v.first_end = 0 OR (v.first_end IS NULL AND v.word_codes IS NULL))"
    };
}
pub(crate) use in_part;

/// A table of codes, and the table of the texts that they are of.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    codes: &'static str,
    texts: &'static str,
}

/// Of entries.
pub const MEMORIES: Table = Table { codes: "memory_word_codes", texts: "memories" };
/// Of messages.
pub const MESSAGES: Table = Table { codes: "message_word_codes", texts: "messages" };

/// What the row of a text's vector holds: its number of codes; `None` for a text of several passages.
pub fn count(vectors: &TextVectors) -> Option<i64> {
    vectors.words().map(|words| i64::try_from(words.len()).unwrap_or(i64::MAX))
}

/// Writes the codes of a text in place of earlier ones. `text` is its workspace and id.
pub(super) async fn replace(
    conn: &mut SqliteConnection,
    table: Table,
    text: &(String, String),
    model: &EmbeddingModel,
    vectors: &TextVectors,
) -> DbResult<()> {
    let Table { codes, texts } = table;
    let seq = format!("(SELECT seq FROM {texts} WHERE workspace_id = ?1 AND id = ?2)");
    sqlx::query(AssertSqlSafe(format!("DELETE FROM {codes} WHERE seq = {seq} AND model = ?3")))
        .bind(&text.0)
        .bind(&text.1)
        .bind(model.id.as_str())
        .execute(&mut *conn)
        .await?;
    let Some(words) = vectors.words().filter(|words| !words.is_empty()) else { return Ok(()) };
    sqlx::query(AssertSqlSafe(format!("INSERT INTO {codes} (seq, model, codes) VALUES ({seq}, ?3, ?4)")))
        .bind(&text.0)
        .bind(&text.1)
        .bind(model.id.as_str())
        .bind(words.bytes())
        .execute(&mut *conn)
        .await?;
    Ok(())
}

/// A query's codes as texts are compared with them.
#[derive(Debug, Clone, Copy)]
pub struct AskedWords<'q> {
    pub words: &'q WordCodes,
    pub model: &'q ModelId,
}

/// Compares texts that stand by themselves, by their row numbers.
///
/// # Errors
/// If the codes cannot be read.
pub async fn alone(
    db: &Database,
    table: Table,
    asked: AskedWords<'_>,
    seqs: &[i64],
) -> DbResult<Vec<(i64, WordComparison)>> {
    let nearest = nearest(db, table, asked, seqs).await?;
    let compared = |(seq, nearest): (i64, Vec<f32>)| {
        let own = Some(mean(&nearest));
        (seq, WordComparison { own, around: own })
    };
    Ok(nearest.into_iter().map(compared).collect())
}

/// Compares those of these texts that are wanted, each also together with what stands around it. `utterances` is ordered by group
/// and place.
///
/// # Errors
/// If the codes cannot be read.
pub async fn utterances<I: Copy>(
    db: &Database,
    table: Table,
    asked: AskedWords<'_>,
    utterances: &[PlacedUtterance<I>],
) -> DbResult<Vec<(I, WordComparison)>> {
    let wanted: Vec<usize> = (0..utterances.len()).filter(|at| utterances[*at].wanted).collect();
    let mut seqs: Vec<i64> = wanted
        .iter()
        .flat_map(|at| utterances[window(utterances, *at)].iter().map(|text| text.row.seq))
        .collect();
    seqs.sort_unstable();
    seqs.dedup();
    let nearest = nearest(db, table, asked, &seqs).await?;
    let mut compared = Vec::with_capacity(wanted.len());
    for at in wanted {
        let row = &utterances[at].row;
        let near = utterances[window(utterances, at)].iter().filter_map(|text| nearest.get(&text.row.seq));
        let around = near.fold(None, |best: Option<Vec<f32>>, other| match best {
            None => Some(other.clone()),
            Some(best) => Some(best.iter().zip(other).map(|(a, b)| a.max(*b)).collect()),
        });
        if let Some(around) = around {
            let own = nearest.get(&row.seq).map(|own| mean(own));
            compared.push((row.id, WordComparison { own, around: Some(mean(&around)) }));
        }
    }
    Ok(compared)
}

/// For each text with codes, the similarity of each word of the query to the nearest word of the text: 1 for equal codes, -1 for
/// opposite ones.
async fn nearest(
    db: &Database,
    table: Table,
    asked: AskedWords<'_>,
    seqs: &[i64],
) -> DbResult<FxHashMap<i64, Vec<f32>>> {
    if seqs.is_empty() || asked.words.is_empty() {
        return Ok(FxHashMap::default());
    }
    let dimension = i64::try_from(asked.words.dimension()).unwrap_or(i64::MAX);
    let mut sql = Sql::new("SELECT inklings_differing_bits(");
    sql.push_bind(asked.words.bytes()).push(", ").push_bind(dimension);
    sql.push(", c.seq, c.codes) FROM json_each(").push_bind(serde_json::Value::from(seqs).to_string());
    sql.push(") AS j CROSS JOIN ").push(table.codes).push(" AS c ON c.seq = j.value AND c.model = ");
    sql.push_bind(asked.model.as_str().to_owned());
    let answer: Option<Vec<u8>> = sql.build_query_scalar().fetch_one(&db.reader()).await?;
    let compared = Compared::new(answer.as_deref().unwrap_or_default(), asked.words.len());
    let similarity = |bits: u32| 1.0 - 2.0 * bits as f32 / asked.words.dimension() as f32;
    Ok(compared.each().map(|(seq, differing)| (seq, differing.map(similarity).collect())).collect())
}

fn mean(numbers: &[f32]) -> f64 {
    numbers.iter().map(|number| f64::from(*number)).sum::<f64>() / numbers.len().max(1) as f64
}
