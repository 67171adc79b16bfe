//! Sources that an agent or a client names for its own text. Each is read through its own filter, and has to hold the words.

use inklings_domain::{
    derivation::{Derivation, MAX_DERIVATIONS},
    ids::{FactId, MemoryId, MessageId, PageId},
    memory::{
        filter::ScopeFilter,
        source_claim::{Claim, holds_words_of},
    },
    scope::Place,
};
use inklings_ports::vault::filter::PageFilter;

use crate::{
    error::{AppError, GuardRefusal},
    services::Derivations,
    vault::page::page_text,
};

impl Derivations<'_> {
    /// Checks the sources that a caller names for a text. A source that it may not read is like one that is not there.
    ///
    /// # Errors
    /// [`AppError::Input`] with field `sources` for what names no source; [`AppError::NotFound`] for one that is not there;
    /// [`AppError::Guard`] with [`GuardRefusal::NotInSource`] if one does not hold the words.
    pub async fn claimed(
        &self,
        text: &str,
        sources: &[String],
        filter: &ScopeFilter,
    ) -> Result<Vec<Derivation>, AppError> {
        if sources.len() > MAX_DERIVATIONS {
            return Err(no_source("there are too many of them"));
        }
        let mut claimed = Vec::with_capacity(sources.len());
        for source in sources {
            let claim: Claim = source
                .parse()
                .map_err(|_| no_source("name each one like memory:ID, message:ID, fact:ID or page:ID"))?;
            let found = match claim {
                Claim::Memory(id) => self.claimed_memory(text, id, filter).await?,
                Claim::Message(id) => self.claimed_message(text, id, filter).await?,
                Claim::Fact(id) => self.claimed_fact(text, id, filter).await?,
                Claim::Page(id) => self.claimed_page(text, id, filter).await?,
            };
            let missing = || AppError::NotFound { what: "source", name: source.clone() };
            claimed.push(found.ok_or_else(missing)?);
        }
        Ok(claimed)
    }

    /// As [`Self::claimed`], for sources that the worldbuilder names.
    pub async fn named(&self, text: &str, sources: &[String]) -> Result<Vec<Derivation>, AppError> {
        self.claimed(text, sources, &ScopeFilter::EVERYTHING).await
    }

    async fn claimed_memory(
        &self,
        text: &str,
        id: MemoryId,
        filter: &ScopeFilter,
    ) -> Result<Option<Derivation>, AppError> {
        let found = self.session.entries(&[id]).await?.pop().map(|stored| stored.entry);
        let Some(entry) = found.filter(|entry| entry.is_active() && filter.admits(entry)) else {
            return Ok(None);
        };
        checked(&entry.titled_text(), text, entry.as_source()).map(Some)
    }

    async fn claimed_message(
        &self,
        text: &str,
        id: MessageId,
        filter: &ScopeFilter,
    ) -> Result<Option<Derivation>, AppError> {
        let Some(message) = self.session.workspace.transcript.messages(&[id]).await?.pop() else {
            return Ok(None);
        };
        let held_in = self.session.workspace.conversations.conversations(&[message.conversation]).await?;
        let is_readable =
            held_in.iter().any(|found| filter.holds(Place::Conversation(found.channel_id, found.id)));
        // Nothing is made of what was said while memory was off.
        if !is_readable || self.session.switch().off_record(message.conversation).await?.contains(&id) {
            return Ok(None);
        }
        checked(&message.body.content, text, Derivation::Message(id)).map(Some)
    }

    async fn claimed_fact(
        &self,
        text: &str,
        id: FactId,
        filter: &ScopeFilter,
    ) -> Result<Option<Derivation>, AppError> {
        let found = self.session.workspace.facts.fact_by_id(id).await?.map(|found| found.fact);
        let is_shown = |fact: &inklings_domain::fact::Fact| {
            filter.workspace
                && fact.removed_at.is_none()
                && filter.lens.as_ref().is_none_or(|lens| lens.withholds_fact(fact).is_none())
        };
        let Some(fact) = found.filter(is_shown) else { return Ok(None) };
        let words = format!("{} {}: {}", fact.key.category(), fact.key.key(), fact.value);
        checked(&words, text, Derivation::Fact { id, version: fact.version }).map(Some)
    }

    /// The block of a page with the words, under the headings above it.
    async fn claimed_page(
        &self,
        text: &str,
        id: PageId,
        filter: &ScopeFilter,
    ) -> Result<Option<Derivation>, AppError> {
        let found = self.session.workspace.pages.pages(&PageFilter::within(filter), &[id]).await?.pop();
        let Some(stored) = found else { return Ok(None) };
        let read = page_text(&stored);
        let holds = |words: &str| holds_words_of(words, text);
        let block = read.blocks.iter().find(|block| {
            let words = &read.content[block.range.clone()];
            // The page and its headings often name what a block is about.
            holds(words) || holds(&format!("{} {} {words}", read.title, block.heading))
        });
        match block {
            Some(block) => Ok(Some(Derivation::Page { id, hash: block.hash.clone() })),
            None => Err(GuardRefusal::NotInSource.into()),
        }
    }
}

fn no_source(message: &str) -> AppError {
    AppError::Input { field: "sources", message: message.to_owned() }
}

fn checked(source: &str, text: &str, derivation: Derivation) -> Result<Derivation, AppError> {
    if holds_words_of(source, text) { Ok(derivation) } else { Err(GuardRefusal::NotInSource.into()) }
}
