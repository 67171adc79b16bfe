//! Search over what was said in an [`InMemoryDatabase`]: every message is looked at, nothing is indexed.

use std::ops::Range;

use inklings_domain::{
    conversation::ConversationStatus,
    embedding::{ModelId, dot},
    ids::{ConversationId, MessageId},
    message::Message,
    query::{Clause, TextQuery},
};

use super::{
    memory_store::{InMemoryDatabase, Tables},
    oracle,
    transcript_store::is_said,
};
use crate::ports::{
    error::StoreError,
    transcript_search::{MessageHit, TranscriptReach, TranscriptSearch},
};

/// BM25's usual constants (Robertson and Zaragoza 2009).
const K1: f64 = 1.2;
const B: f64 = 0.75;

fn reaches(tables: &Tables, reach: &TranscriptReach, message: &Message) -> bool {
    let Ok(room) = tables.conversation(message.conversation) else { return false };
    reach.conversation.is_none_or(|only| only == room.id)
        && reach.channel.is_none_or(|only| only == room.channel_id)
        && (reach.archived || reach.conversation.is_some() || room.status != ConversationStatus::Archived)
}

fn hit(message: &Message, score: f64) -> MessageHit {
    MessageHit {
        id: message.id(),
        conversation: message.conversation,
        position: message.position,
        session: message.body.origin.as_ref().and_then(|o| o.session.clone()),
        score,
    }
}

/// Best first. What is equally good comes newest first: the hits come in the order in which they were written.
fn best(mut hits: Vec<MessageHit>, limit: usize) -> Vec<MessageHit> {
    hits.reverse();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    hits.truncate(limit);
    hits
}

#[async_trait::async_trait]
impl TranscriptSearch for InMemoryDatabase {
    async fn search_text(
        &self,
        query: &TextQuery,
        reach: &TranscriptReach,
        limit: usize,
    ) -> Result<Vec<MessageHit>, StoreError> {
        let tables = self.tables();
        let all = &tables.transcript.messages;
        let total = all.len() as f64;
        let length = |m: &Message| oracle::word_spans(&m.body.content).len() as f64;
        let times = |m: &Message, clause: &Clause| oracle::clause_spans(&m.body.content, clause).len() as f64;
        let average = (all.iter().map(length).sum::<f64>() / total.max(1.0)).max(1.0);
        let rarity = |clause: &Clause| {
            let with = all.iter().filter(|m| times(m, clause) > 0.0).count() as f64;
            (1.0 + (total - with + 0.5) / (with + 0.5)).ln()
        };
        let clauses: Vec<(&Clause, f64)> =
            oracle::wanted(query).into_iter().map(|clause| (clause, rarity(clause))).collect();
        let score = |m: &Message| {
            let norm = K1 * (1.0 - B + B * length(m) / average);
            clauses.iter().map(|(c, rare)| rare * times(m, c) * (K1 + 1.0) / (times(m, c) + norm)).sum()
        };
        let found = all.iter().filter(|m| {
            is_said(m) && reaches(&tables, reach, m) && oracle::any_answers(&[m.body.content.as_str()], query)
        });
        Ok(best(found.map(|m| hit(m, score(m))).collect(), limit))
    }

    async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        reach: &TranscriptReach,
        limit: usize,
    ) -> Result<Vec<MessageHit>, StoreError> {
        let tables = self.tables();
        let near = |m: &Message| {
            let own = tables.transcript.vectors.get(&(m.id(), model.clone()))?;
            (own.len() == vector.len()).then(|| hit(m, f64::from(dot(vector, own))))
        };
        let found = tables.transcript.messages.iter().filter(|m| is_said(m) && reaches(&tables, reach, m));
        Ok(best(found.filter_map(near).collect(), limit))
    }

    async fn at(&self, places: &[(ConversationId, u64)]) -> Result<Vec<MessageHit>, StoreError> {
        let tables = self.tables();
        let there = |m: &&Message| is_said(m) && places.contains(&(m.conversation, m.position));
        Ok(tables.transcript.messages.iter().filter(there).map(|m| hit(m, 0.0)).collect())
    }

    async fn highlights(
        &self,
        query: &TextQuery,
        ids: &[MessageId],
    ) -> Result<Vec<(MessageId, Vec<Range<usize>>)>, StoreError> {
        let tables = self.tables();
        let of = |m: &Message| (m.id(), oracle::highlights(&m.body.content, query));
        Ok(tables.transcript.messages.iter().filter(|m| ids.contains(&m.id())).map(of).collect())
    }
}
