//! Names that may become subjects.

use inklings_domain::{
    memory::filter::{MemoryFilter, ScopeFilter, Sort},
    named_entry::padded_words,
    scope::Place,
    subject::names::{RecurringName, RecurringNames},
};
use inklings_ports::conversation::{store::ConversationFilter, transcript_store::MessageRange};

use crate::{error::AppError, memory::browse::MAX_PAGE, services::Subjects};

/// The most names that are suggested.
pub const MOST_SUGGESTIONS: usize = 50;
/// A name is suggested if so many texts have it.
const MIN_TEXTS: u32 = 3;
/// The newest memories that are read.
const MOST_MEMORIES: usize = 3_000;
/// The newest conversations that are read, and the newest messages of each.
const MOST_CONVERSATIONS: usize = 30;
const MOST_MESSAGES: usize = 200;

impl Subjects<'_> {
    /// Names that recur in the newest memories and messages within a filter, and are no name of an entry, the most frequent
    /// first. Nothing is written: a name becomes a subject when the worldbuilder says so.
    pub async fn suggestions(&self, filter: &ScopeFilter) -> Result<Vec<RecurringName>, AppError> {
        let mut recurring = RecurringNames::default();
        self.add_memories(filter, &mut recurring).await?;
        self.add_messages(filter, &mut recurring).await?;
        let names = self.session.workspace.memory.store.names().await?.into_iter();
        // Padded words hold each other exactly if the words of one name follow one another in the other.
        let mut taken: Vec<String> =
            names.map(|(name, _)| padded_words(&name)).filter(|words| !words.trim().is_empty()).collect();
        let mut suggested: Vec<RecurringName> = Vec::new();
        for found in recurring.of_at_least(MIN_TEXTS) {
            let words = padded_words(&found.name);
            // A part of a name stands for the same, and so does a longer form of it.
            if taken.iter().any(|name| words.contains(name.as_str()) || name.contains(&words)) {
                continue;
            }
            taken.push(words);
            suggested.push(found);
            if suggested.len() == MOST_SUGGESTIONS {
                break;
            }
        }
        Ok(suggested)
    }

    async fn add_memories(&self, filter: &ScopeFilter, names: &mut RecurringNames) -> Result<(), AppError> {
        // Names of a world are names of its workspace.
        let filter = MemoryFilter::active(ScopeFilter { account: false, ..filter.clone() });
        let (mut after, mut read) = (None, 0);
        while read < MOST_MEMORIES {
            let page =
                self.session.memories().list(&filter, Sort::UpdatedDesc, after.as_ref(), MAX_PAGE).await?;
            read += page.entries.len();
            for stored in &page.entries {
                names.add(&stored.entry.content);
            }
            match page.next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        Ok(())
    }

    async fn add_messages(&self, filter: &ScopeFilter, names: &mut RecurringNames) -> Result<(), AppError> {
        let conversations = &self.session.workspace.conversations;
        let all = ConversationFilter::default();
        for summary in conversations.list_conversations(&all, None, MOST_CONVERSATIONS).await? {
            let conversation = summary.conversation;
            if !filter.holds(Place::Conversation(conversation.channel_id, conversation.id)) {
                continue;
            }
            let transcript = &self.session.workspace.transcript;
            for message in transcript.page(conversation.id, MessageRange::Newest, MOST_MESSAGES).await? {
                if message.is_speech() {
                    names.add(&message.body.content);
                }
            }
        }
        Ok(())
    }
}
