//! Generates synthetic entries: Zipf-distributed word frequencies as in prose, 60 to 150 words per entry,
//! clustered vectors. The output is the same in every run.

use inklings_domain::ids::{ChannelId, MemoryId, WorkspaceId};
use uuid::Uuid;

use crate::{connection::Database, error::DbResult, search::rows};

/// The model name of the vectors.
pub const MODEL: &str = "made-up";
const CHANNELS: usize = 10;
const WORDS: usize = 30_000;
const CLUSTERS: usize = 200;
/// Distance of vectors from their cluster's centre, which has length 1: cosines within a cluster are about
/// 0.5.
const SPREAD: f32 = 1.0;
/// The most frequent words stand for stop words, which are dropped from a query before it runs. The number is
/// about that of the domain's list.
const STOP_WORDS: usize = 100;
const PER_TRANSACTION: usize = 10_000;

/// The workspace of all generated rows.
pub fn workspace() -> WorkspaceId {
    WorkspaceId::from_uuid(Uuid::from_u128(0xbe_c4))
}

/// The id of the `n`th channel.
pub fn channel(n: usize) -> ChannelId {
    ChannelId::from_uuid(Uuid::from_u128(0xc4a1_0000 + n as u128))
}

/// The id of the `n`th entry.
pub fn id(n: usize) -> MemoryId {
    MemoryId::from_uuid(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + n as u128))
}

/// Generator of texts, queries and vectors.
pub struct Corpus {
    state: u64,
    dimension: usize,
    words: Vec<String>,
    /// Cumulative frequencies of the words.
    sums: Vec<f64>,
    centres: Vec<Vec<f32>>,
}

impl Corpus {
    /// Creates a generator of vectors with `dimension` components.
    pub fn new(dimension: usize) -> Self {
        let mut sum = 0.0;
        let sums = (0..WORDS)
            .map(|rank| {
                sum += (rank as f64 + 2.7).powf(-1.07);
                sum
            })
            .collect();
        let words = (0..WORDS).map(word).collect();
        let mut corpus = Self { state: 0x14b1_1465, dimension, words, sums, centres: Vec::new() };
        corpus.centres = (0..CLUSTERS).map(|_| corpus.direction(None)).collect();
        corpus
    }

    /// `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014), as a number in [0, 1).
    fn share(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.share() * end as f64) as usize).min(end.saturating_sub(1))
    }

    fn rank(&mut self) -> usize {
        let at = self.share() * self.sums.last().copied().unwrap_or(0.0);
        self.sums.partition_point(|sum| *sum < at).min(WORDS - 1)
    }

    /// The text of an entry.
    pub fn text(&mut self) -> String {
        let count = 60 + self.below(91);
        let ranks: Vec<usize> = (0..count).map(|_| self.rank()).collect();
        ranks.iter().map(|rank| self.words[*rank].as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Three to six words with the frequencies of the texts, without stop words.
    pub fn query(&mut self) -> String {
        let count = 3 + self.below(4);
        let mut words = Vec::with_capacity(count);
        while words.len() < count {
            let rank = self.rank();
            if rank >= STOP_WORDS {
                words.push(self.words[rank].as_str().to_owned());
            }
        }
        words.join(" ")
    }

    /// A unit vector near one of the clusters.
    pub fn vector(&mut self) -> Vec<f32> {
        let cluster = self.below(CLUSTERS);
        self.direction(Some(cluster))
    }

    fn direction(&mut self, cluster: Option<usize>) -> Vec<f32> {
        // The sum of uniformly distributed numbers approximates a normal distribution.
        let mut vector: Vec<f32> =
            (0..self.dimension).map(|_| (0..3).map(|_| self.share()).sum::<f64>() as f32 - 1.5).collect();
        normalise(&mut vector);
        if let Some(cluster) = cluster {
            vector.iter_mut().zip(&self.centres[cluster]).for_each(|(x, c)| *x = *c + SPREAD * *x);
            normalise(&mut vector);
        }
        vector
    }
}

fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    for x in vector {
        *x /= length;
    }
}

/// The `n`th word: syllables, with an ending that the stemmer leaves unchanged.
fn word(n: usize) -> String {
    const SYLLABLES: [&str; 20] = [
        "ba", "co", "du", "fi", "ga", "ho", "ju", "ka", "lo", "mu", "na", "po", "qui", "ra", "so", "tu",
        "va", "wo", "xa", "zu",
    ];
    let (mut word, mut rest) = (String::new(), n + SYLLABLES.len());
    while rest > 0 {
        word.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
    }
    word.push('k');
    word
}

/// Writes the entries and their vectors, all in channels.
pub async fn fill(db: &Database, corpus: &mut Corpus, entries: usize) -> DbResult<()> {
    let w = workspace().to_string();
    let mut tx = db.begin_immediate().await?;
    sqlx::query("INSERT INTO meta (one, workspace_id, name, created_at) VALUES (1, ?, 'bench', 0)")
        .bind(&w)
        .execute(&mut *tx)
        .await?;
    for n in 0..CHANNELS {
        let sql =
            "INSERT INTO channels (workspace_id, id, name, name_folded, created_at) VALUES (?, ?, ?, ?, 0)";
        let name = format!("channel {n}");
        let query = sqlx::query(sql).bind(&w).bind(channel(n).to_string()).bind(&name).bind(&name);
        query.execute(&mut *tx).await?;
    }
    tx.commit().await?;
    let mut first = 0;
    while first < entries {
        let next = (first + PER_TRANSACTION).min(entries);
        write(db, corpus, &w, first..next).await?;
        first = next;
    }
    Ok(())
}

async fn write(
    db: &Database,
    corpus: &mut Corpus,
    workspace: &str,
    entries: std::ops::Range<usize>,
) -> DbResult<()> {
    let change = Uuid::from_u128(0xc4a6_0000 + entries.start as u128).to_string();
    let mut tx = db.begin_immediate().await?;
    sqlx::query(
        "INSERT INTO journal (workspace_id, id, action, hand, door, at, entries) \
         VALUES (?, ?, 'import', 'import', 'cli', 0, ?)",
    )
    .bind(workspace)
    .bind(&change)
    .bind(entries.len() as i64)
    .execute(&mut *tx)
    .await?;
    for n in entries.clone() {
        sqlx::query(
            "INSERT INTO memories (workspace_id, id, scope, channel_id, lifetime, curator, kind, importance, \
             source, change_seq, version, written_by, change_id, created_at, accessed_at, updated_at, content) \
             VALUES (?1, ?2, 'channel', ?3, 'long_term', 'import', 'note', 0.5, 'bench', \
             (SELECT tick FROM change_clock), 1, 'import', ?4, ?5, ?5, ?5, ?6)",
        )
        .bind(workspace)
        .bind(id(n).to_string())
        .bind(channel(n % CHANNELS).to_string())
        .bind(&change)
        .bind(n as i64)
        .bind(corpus.text())
        .execute(&mut *tx)
        .await?;
    }
    for n in entries {
        sqlx::query(
            "INSERT INTO memory_vectors (workspace_id, memory_id, model, dimension, version, vector) \
             VALUES (?, ?, ?, ?, 1, ?)",
        )
        .bind(workspace)
        .bind(id(n).to_string())
        .bind(MODEL)
        .bind(corpus.dimension as i64)
        .bind(rows::blob(&corpus.vector()))
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok(())
}
