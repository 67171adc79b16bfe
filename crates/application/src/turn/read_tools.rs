//! Search and single reads of memory and pages by the World Agent.

use inklings_domain::{
    calendar::Calendar,
    client::Verb,
    conversation::Conversation,
    memory::{
        MemoryEntry,
        filter::{MemoryFilter, ScopeFilter},
    },
    orientation::shown::{Seen, Showing, Through},
    provenance::Actor,
    scope::MemoryScope,
};
use inklings_ports::vault::filter::PageFilter;
use serde_json::{Value, json};

use super::tools::{Refusal, ToolAnswer, here};
use crate::{
    agent_write::access::{AgentAccess, Bounds},
    calendar::holds,
    search::{
        for_agents::{AgentSearch, FoundText},
        pages::PageExcerpt,
    },
    services::Turns,
    session::Session,
    tools::{
        argument::{Whole, needed},
        arguments::{MemoryGet, MemorySearch, STANDARD_FOUND},
    },
    vault::reading::{PagePart, PageReading},
};

impl Turns<'_> {
    pub(super) async fn search_tool(
        &self,
        conversation: &Conversation,
        args: MemorySearch,
    ) -> Result<ToolAnswer, Refusal> {
        here(args.channel.as_ref(), args.conversation.as_ref())?;
        let tiers: Vec<MemoryScope> = args.tier.into_iter().collect();
        // The calendar is of the workspace, whichever tier is asked for.
        let readable = self.session.lenses().seen_from(conversation).await?;
        let scope_filter = ScopeFilter::new(&tiers, Some(conversation.channel_id), Some(conversation.id))
            .through(readable.lens.clone());
        let search = AgentSearch {
            query: args.query.unwrap_or_default(),
            pages: PageFilter::within(&scope_filter),
            memories: MemoryFilter::active(scope_filter),
            limit: args.limit.map_or(STANDARD_FOUND, |Whole(limit)| limit as usize),
        };
        let found = self.session.search().for_agents(search).await?;
        let used: Vec<_> = found.iter().filter_map(FoundText::used).collect();
        self.session.orientations().note_uses(used).await;
        let entries = found.iter().filter_map(FoundText::memory);
        let calendar = self.session.calendars().for_times_of(entries, &readable).await?;
        let hits: Vec<Value> = found
            .iter()
            .map(|text| match text {
                FoundText::Memory(entry) => memory(self.session, entry, calendar.as_deref()),
                FoundText::Page(page) => excerpt(page),
            })
            .collect();
        let seen = found.iter().map(FoundText::seen).collect();
        Ok(ToolAnswer::with(json!({ "candidates": hits }), Showing::of(Through::Search, seen)))
    }

    /// One memory with what is linked to it, or a part of a page.
    pub(super) async fn get_tool(
        &self,
        conversation: &Conversation,
        args: MemoryGet,
        agent: Actor,
    ) -> Result<ToolAnswer, Refusal> {
        if args.name.is_some() || args.history.is_some() {
            return Err(Refusal::invalid("give 'id' or 'page'; the named entries are in your context"));
        }
        let bounds = Bounds::of_conversation(self.session, conversation).await?;
        let readable = self.session.lenses().seen_from(conversation).await?;
        if let Some(id) = args.page {
            if args.id.is_some() {
                return Err(Refusal::invalid("'id' and 'page' are two ways to say which; give one"));
            }
            let next = args.next.map_or(0, |Whole(next)| usize::try_from(next).unwrap_or(usize::MAX));
            let part = PagePart { heading: args.heading.as_deref(), from: next };
            let page = self.session.vaults().read(&PageFilter::within(&readable), id, part).await?;
            return Ok(ToolAnswer::with(whole(&page), Showing::of(Through::Page, vec![Seen::page(id)])));
        }
        let access = AgentAccess::new(self.session, bounds, agent);
        let id = needed(args.id, "id")?;
        let found = access.linked(access.entry(Verb::Read, id).await?.entry).await?;
        self.session.orientations().note_uses([(id, found.entry.scope())]).await;
        let relations = found.subject.iter().flat_map(|subject| &subject.relations).map(|seen| &seen.stored);
        let about = found.subject.iter().flat_map(|subject| &subject.about);
        let linked: Vec<&MemoryEntry> = relations.chain(about).map(|stored| &stored.entry).collect();
        let all = std::iter::once(&found.entry).chain(linked.iter().copied());
        let calendar = self.session.calendars().for_times_of(all, &readable).await?;
        let of = |entry: &MemoryEntry| memory(self.session, entry, calendar.as_deref());
        let mut answer = of(&found.entry);
        answer["version"] = found.entry.version.into();
        answer["locked"] = found.entry.is_locked().into();
        answer["linked"] = linked.iter().map(|entry| of(entry)).collect();
        Ok(ToolAnswer::with(answer, Showing::of(Through::Entry, found.seen())))
    }
}

/// A memory as the World Agent reads it.
fn memory(session: &Session, entry: &MemoryEntry, calendar: Option<&Calendar>) -> Value {
    let (now, decay) = (session.clock.now(), session.decay());
    json!({
        "id": entry.id.to_string(), "tier": entry.scope().as_str(), "curator": entry.curator.as_str(),
        "importance": entry.importance.get(), "relevance": decay.terms(&entry.decay_inputs(), now).relevance(),
        "days_ago": session.clock.days_since(entry.updated_at), "name": entry.name, "title": entry.title,
        "holds": holds(entry, calendar), "noted_before": entry.content,
    })
}

/// A part of a page that a search found.
fn excerpt(page: &PageExcerpt) -> Value {
    json!({
        "page": page.id.to_string(), "title": page.title, "heading": page.heading,
        "written_by_the_worldbuilder": page.text, "has_more": page.has_more,
    })
}

/// A part of a page that was asked for.
fn whole(page: &PageReading) -> Value {
    json!({
        "page": page.id.to_string(), "title": page.title, "type": page.kind, "status": page.lifecycle,
        "aliases": page.aliases, "tags": page.tags, "headings": page.headings, "heading": page.heading,
        "written_by_the_worldbuilder": page.text, "next": page.next,
    })
}
