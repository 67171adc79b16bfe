//! Use cases that only the benchmarks need.

pub mod probes;
mod random;
pub mod scale;
mod synthetic;

use std::collections::HashMap;

use chrono::{DateTime, Duration, Utc};
use inklings_application::search::{DocumentHit, DocumentSearch};
use inklings_domain::{
    conversation::message::{Delivery, MAX_MESSAGE_BYTES, MessageOrigin, NewMessage, Role, printable},
    ids::ConversationId,
    memory::filter::{MemoryFilter, ScopeFilter, Sort},
    scope::MemoryScope,
    search::query::QueryText,
};
use inklings_ports::search::transcript_store::TranscriptFilter;

use crate::{
    commands::BenchCommands,
    error::CommandError,
    search::{convert::contribution, parts::Contribution},
    vocabulary::DocumentKind,
};

/// Page size for reading entries.
const PAGE: usize = 500;

/// A turn of a test set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// Its id in the test set.
    pub id: String,
    pub text: String,
    /// The session of the test set that it belongs to.
    pub session: Option<String>,
    /// Name of the speaker.
    pub speaker: Option<String>,
    /// Timestamp in the format of the test set.
    pub ts: Option<String>,
}

/// The id of a document in its test set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestSetId {
    Known(String),
    /// It is that of the entry with this id (see [`BenchCommands::external_ids`]).
    OfEntry(String),
}

/// A conversation that turns of a test set are loaded into.
#[derive(Debug, Clone, Copy)]
pub struct LoadedConversation {
    id: ConversationId,
    /// Time of the next turn.
    next: DateTime<Utc>,
}

impl BenchCommands<'_> {
    /// Begins a conversation for so many turns of a test set.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open.
    pub async fn begin_turns(&self, title: &str, turns: usize) -> Result<LoadedConversation, CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().begin(None, title).await?;
        let next = session.clock.now() - Duration::seconds(i64::try_from(turns).unwrap_or(0));
        Ok(LoadedConversation { id: conversation.id, next })
    }

    /// Adds turns to the end of a conversation, in their order, a second apart.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open or its database cannot be written.
    pub async fn load_turns(
        &self,
        loaded: &mut LoadedConversation,
        turns: &[Turn],
    ) -> Result<(), CommandError> {
        let session = self.app.session()?;
        let start = loaded.next;
        let message = |(n, turn): (usize, &Turn)| NewMessage {
            id: session.ids.message_id(),
            role: Role::User,
            content: printable(&turn.text[..turn.text.floor_char_boundary(MAX_MESSAGE_BYTES)]),
            importance: Role::User.importance(),
            tool: None,
            calls: None,
            delivery: Delivery::Complete,
            marker: None,
            attachment: None,
            origin: Some(MessageOrigin {
                external_id: Some(turn.id.clone()),
                session: turn.session.clone(),
                speaker: turn.speaker.clone(),
                said_at: turn.ts.clone(),
            }),
            at: start + Duration::seconds(n as i64),
        };
        let messages: Vec<NewMessage> = turns.iter().enumerate().map(message).collect();
        session.workspace.transcript.append(loaded.id, &messages).await?;
        loaded.next = start + Duration::seconds(turns.len() as i64);
        Ok(())
    }

    /// Searches the documents of these kinds. Gives the hits with the contributions of the lists, best first, and the
    /// duration in milliseconds. Entries that are folded into a hit follow it.
    pub async fn find(
        &self,
        kinds: &[DocumentKind],
        query: &str,
        limit: u32,
        strategy: Option<String>,
    ) -> Result<(Vec<(TestSetId, Vec<Contribution>)>, f64), CommandError> {
        let session = self.app.session()?;
        let began = std::time::Instant::now();
        let search = DocumentSearch {
            query: QueryText::Typed(query.to_owned()),
            memories: kinds
                .contains(&DocumentKind::Memory)
                .then(|| MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Channel], None, None))),
            messages: kinds.contains(&DocumentKind::Message).then(TranscriptFilter::default),
            limit: limit as usize,
            strategy,
            marked: true,
            ..DocumentSearch::default()
        };
        let found = session.search().documents(search).await?;
        let ms = began.elapsed().as_secs_f64() * 1000.0;
        let mut hits = Vec::with_capacity(found.hits.len());
        for hit in found.hits {
            match hit {
                DocumentHit::Memory(hit) => {
                    let contributions: Vec<Contribution> =
                        hit.contributions.iter().map(contribution).collect();
                    let ids = std::iter::once(hit.stored.entry.id).chain(hit.folded);
                    hits.extend(ids.map(|id| (TestSetId::OfEntry(id.to_string()), contributions.clone())));
                }
                DocumentHit::Message(hit) => {
                    let contributions = hit.contributions.iter().map(contribution).collect();
                    let id = hit.message.body.origin.and_then(|origin| origin.external_id);
                    hits.extend(id.map(|id| (TestSetId::Known(id), contributions)));
                }
                // A test set has no pages.
                DocumentHit::Page(_) => {}
            }
        }
        Ok((hits, ms))
    }

    /// Maps each imported entry's id to its id in the source.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open or its database cannot be read.
    pub async fn external_ids(&self) -> Result<HashMap<String, String>, CommandError> {
        let session = self.app.session()?;
        let filter = MemoryFilter::active(ScopeFilter::EVERYTHING);
        let (mut ids, mut after) = (HashMap::new(), None);
        loop {
            let page = session.memories().list(&filter, Sort::CreatedAsc, after.as_ref(), PAGE).await?;
            for stored in page.entries {
                if let Some(id) = stored.entry.origin.and_then(|origin| origin.external_id) {
                    ids.insert(stored.entry.id.to_string(), id);
                }
            }
            after = page.next;
            if after.is_none() {
                return Ok(ids);
            }
        }
    }
}
