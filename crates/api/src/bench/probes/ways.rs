//! Every way to read through a lens: those of the worldbuilder, of a client that is bound to it, and of the World Agent in a
//! conversation that has it. Each asks for one telling and returns everything that the reader got, refusals included.

use std::fmt::Debug;

use inklings_application::{
    client::{ClientSession, NewNote, Where, Within},
    error::AppError,
    orientation::OrientRequest,
    search::{DocumentSearch, Search},
    session::Session,
    subject::NamedLinks,
    vault::reading::PagePart,
};
use inklings_domain::{
    calendar::span::Span,
    conversation::Conversation,
    fact::FactKey,
    ids::MemoryId,
    memory::{
        MemoryPatch,
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    orientation::written,
    proposal::ProposalKind,
    provenance::{Actor, ActorKind, Interface},
    scope::MemoryScope,
    search::{conversation_query::ConversationQuery, query::QueryText},
};
use inklings_ports::{
    calendar::TimelineQuery, fact::FactQuery, model::chat::ToolCall,
    search::transcript_store::TranscriptFilter, vault::filter::PageFilter,
};
use serde_json::{Value, json};

use super::story::{Bearer, Telling};

/// The most rows of a list or a search.
const MOST: usize = 200;

/// Who reads.
pub struct Reader<'a> {
    pub session: &'a Session,
    /// The worldbuilder's filter with the lens.
    pub filter: ScopeFilter,
    /// A client that is bound to the lens.
    pub client: &'a ClientSession,
    /// A conversation that has the lens.
    pub conversation: &'a Conversation,
}

/// What a way in gave.
pub struct Got {
    /// Everything that the reader got, as text.
    pub text: String,
    /// An entry that a write made, to be taken away again.
    pub made: Option<MemoryId>,
}

macro_rules! ways {
    ($($way:ident = $name:literal, $shows:ident;)+) => {
        /// A way in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Way { $($way),+ }

        impl Way {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$way),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$way => $name),+ }
            }

            const fn shows_at(self) -> Shows {
                match self { $(Self::$way => Shows::$shows),+ }
            }
        }
    };
}

/// Which tellings a way in has to show where they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Those that have an entry.
    Entries,
    /// Those that are said.
    Messages,
    /// Those of a subject.
    OfSubjects,
    /// Named ones.
    Named,
    /// Those that happen on a day.
    Dated,
    Facts,
    /// None for sure: it chooses by rank or budget, or is a write.
    Nothing,
}

ways! {
    Words = "search by words", Entries;
    Meaning = "search by meaning", Nothing;
    Documents = "search over all kinds", Messages;
    List = "list", Entries;
    Facets = "facets", Nothing;
    SubjectByName = "subject by name", Nothing;
    SubjectPage = "page of a subject", OfSubjects;
    Neighbours = "neighbours by link", Nothing;
    Timeline = "timeline", Dated;
    Names = "names that recur", Nothing;
    Facts = "facts", Facts;
    FactsOfKey = "facts of a key", Facts;
    Orientation = "orientation", Nothing;
    ClientSearch = "client: search", Entries;
    ClientList = "client: most important", Nothing;
    ClientId = "client: by id", Entries;
    ClientHistory = "client: history by id", Entries;
    ClientName = "client: by name", Named;
    ClientNames = "client: named entries (resource)", Named;
    ClientOrient = "client: orientation", Nothing;
    ClientFacts = "client: facts", Facts;
    ClientFact = "client: facts of a key", Facts;
    ClientConversations = "client: conversations", Nothing;
    ClientTranscript = "client: transcript", Messages;
    ClientMessages = "client: search in conversations", Nothing;
    ClientNotes = "client: working notes", Nothing;
    ClientPut = "client: write the same", Nothing;
    ClientAbout = "client: write about it", Nothing;
    ClientUpdate = "client: change by id", Nothing;
    ClientForget = "client: forget by id", Nothing;
    ClientPropose = "client: propose by id", Nothing;
    AgentSearch = "agent: search", Entries;
    AgentPut = "agent: write the same", Nothing;
    AgentUpdate = "agent: change by id", Nothing;
    AgentForget = "agent: forget by id", Nothing;
    AgentConversations = "agent: conversations", Nothing;
    AgentTranscript = "agent: transcript", Messages;
    AgentMessages = "agent: search in conversations", Nothing;
    AgentFacts = "agent: facts", Facts;
    AgentFact = "agent: facts of a key", Facts;
    AgentId = "agent: by id", Nothing;
    Pages = "pages", Nothing;
    PageByName = "page by name", Nothing;
    PageId = "page by id", Nothing;
    ClientPage = "client: page by id", Nothing;
    AgentPage = "agent: page by id", Nothing;
}

impl Way {
    /// True if a telling that is known has to be shown.
    pub fn has_to_show(self, telling: &Telling) -> bool {
        match self.shows_at() {
            // The World Agent sees no other channel.
            Shows::Entries => {
                telling.id.is_some() && !(self == Self::AgentSearch && telling.bearer == Bearer::Channel)
            }
            Shows::Messages => telling.conversation.is_some(),
            Shows::OfSubjects => telling.subject.is_some(),
            Shows::Named => matches!(telling.bearer, Bearer::Subject | Bearer::Standing),
            Shows::Dated => telling.id.is_some() && telling.happens.is_some(),
            Shows::Facts => matches!(telling.bearer, Bearer::Fact | Bearer::AgentFact),
            Shows::Nothing => false,
        }
    }

    /// True if it names the telling by its id or its own text, so that these are not given away by an echo.
    pub const fn names_it(self) -> bool {
        matches!(
            self,
            Self::SubjectPage
                | Self::ClientId
                | Self::ClientHistory
                | Self::ClientUpdate
                | Self::ClientForget
                | Self::ClientPropose
                | Self::AgentUpdate
                | Self::AgentForget
                | Self::AgentId
        )
    }

    /// True if it names the page of the telling by its id.
    pub const fn names_page(self) -> bool {
        matches!(self, Self::PageId | Self::ClientPage | Self::AgentPage)
    }
}

/// Everything that a result shows, or the message of its refusal.
fn shown<T: Debug>(result: Result<T, AppError>) -> String {
    match result {
        Ok(found) => format!("{found:?}"),
        Err(error) => format!("{error} {error:?}"),
    }
}

fn search(query: &str, filter: &ScopeFilter) -> Search {
    Search {
        marked: true,
        ..Search::new(QueryText::Typed(query.to_owned()), MemoryFilter::active(filter.clone()), MOST)
    }
}

/// Asks for a telling by a way in.
pub async fn ask(way: Way, reader: &Reader<'_>, telling: &Telling) -> Got {
    let Reader { session, filter, client, .. } = reader;
    let handle = telling.handle.as_str();
    let question = format!("Where was the {handle} hidden?");
    let id = telling.id.unwrap_or_else(|| session.ids.memory_id());
    let only = |text: String| Got { text, made: None };
    match way {
        Way::Words => only(shown(session.search().memories(search(handle, filter)).await)),
        Way::Meaning => {
            let query = "something that somebody keeps secret from the others";
            only(shown(session.search().memories(search(query, filter)).await))
        }
        Way::Documents => {
            let messages = TranscriptFilter { lens: filter.lens.clone(), ..TranscriptFilter::default() };
            let documents = DocumentSearch {
                messages: Some(messages),
                pages: Some(PageFilter::within(filter)),
                ..DocumentSearch::from(search(handle, filter))
            };
            only(shown(session.search().documents(documents).await))
        }
        Way::List => {
            let all = session.memories().every(&MemoryFilter::active(filter.clone()), Sort::CreatedAsc).await;
            only(shown(all))
        }
        Way::Facets => {
            only(shown(session.memories().facets(&MemoryFilter::active(filter.clone()), None).await))
        }
        Way::SubjectByName => only(shown(session.subjects().find(handle, filter).await)),
        Way::SubjectPage => {
            let subject = telling.subject.unwrap_or(id);
            only(shown(session.subjects().get(subject, filter).await))
        }
        Way::Neighbours => {
            let around = [telling.subject.unwrap_or(id)];
            only(shown(session.subjects().neighbourhood(&around, filter, MOST).await))
        }
        Way::Timeline => {
            let query = TimelineQuery { within: Span::ALWAYS, kind: None, filter, after: None, limit: MOST };
            only(shown(session.calendars().timeline(query).await.map(|page| page.rows)))
        }
        Way::Names => only(shown(session.subjects().suggestions(filter).await)),
        Way::Facts
        | Way::FactsOfKey
        | Way::ClientFacts
        | Way::ClientFact
        | Way::AgentFacts
        | Way::AgentFact => facts(way, reader, handle).await,
        Way::Orientation => {
            let request = OrientRequest {
                query: ConversationQuery::Next(question),
                lens: filter.lens.clone(),
                ..OrientRequest::default()
            };
            let oriented = session.orientations().orient(request).await;
            only(shown(oriented.map(|oriented| written(&oriented.document))))
        }
        Way::ClientSearch => only(shown(client.search(Within::default(), handle, MOST).await)),
        Way::ClientList => only(shown(client.search(Within::default(), "", MOST).await)),
        Way::ClientId => only(shown(client.entry_with_links(id).await)),
        Way::ClientHistory => only(shown(client.history(id).await)),
        Way::ClientName => only(shown(client.named_with_links(handle).await)),
        Way::ClientNames => only(shown(client.named_entries().await)),
        Way::ClientOrient => {
            let oriented = client.orient(&question, None, None).await;
            only(shown(oriented.map(|oriented| (oriented.markdown, oriented.orientation.items))))
        }
        Way::ClientConversations
        | Way::ClientTranscript
        | Way::ClientMessages
        | Way::ClientNotes
        | Way::AgentConversations
        | Way::AgentTranscript
        | Way::AgentMessages => conversations(way, reader, telling).await,
        Way::ClientPut => put(client, &telling.text, NamedLinks::default()).await,
        Way::ClientAbout => {
            let about = [handle.to_owned()];
            let links = NamedLinks { about: &about, ..NamedLinks::default() };
            put(client, &format!("Somebody asked for number {id}."), links).await
        }
        Way::ClientUpdate => {
            let patch = MemoryPatch { importance: Some(0.4), ..MemoryPatch::default() };
            only(shown(client.update(id, None, patch, &[]).await))
        }
        Way::ClientForget => only(shown(client.forget(id, "a probe").await)),
        Way::ClientPropose => {
            let text = format!("The {handle} was never hidden, says number {id}.");
            only(shown(client.propose(ProposalKind::Edit, &[id], Some(text), "a probe").await))
        }
        Way::AgentSearch | Way::AgentPut | Way::AgentUpdate | Way::AgentForget | Way::AgentId => {
            of_agent(way, reader, telling, id).await
        }
        Way::Pages | Way::PageByName | Way::PageId | Way::ClientPage | Way::AgentPage => {
            pages(way, reader, telling).await
        }
    }
}

/// The tools of the World Agent that read and write memories.
async fn of_agent(way: Way, reader: &Reader<'_>, telling: &Telling, id: MemoryId) -> Got {
    let id = id.to_string();
    let (name, arguments) = match way {
        Way::AgentSearch => ("memory_search", json!({ "query": telling.handle, "limit": 50 })),
        Way::AgentPut => ("memory_put", json!({ "tier": "workspace", "content": telling.text })),
        Way::AgentUpdate => ("memory_update", json!({ "id": id, "importance": 0.4 })),
        Way::AgentForget => ("memory_forget", json!({ "id": id, "reason": "a probe" })),
        _ => ("memory_get", json!({ "id": id })),
    };
    tool(reader, name, &arguments).await
}

/// The page about a telling.
async fn pages(way: Way, reader: &Reader<'_>, telling: &Telling) -> Got {
    let (vaults, filter) = (reader.session.vaults(), PageFilter::within(&reader.filter));
    let text = match way {
        Way::Pages => shown(vaults.pages(&filter, None, MOST).await),
        // It repeats the name that was asked for.
        Way::PageByName => shown(vaults.page_named(&filter, &telling.handle).await),
        Way::PageId => shown(vaults.page(&filter, telling.page).await),
        Way::ClientPage => shown(reader.client.page(telling.page, PagePart::default()).await),
        _ => return tool(reader, "memory_get", &json!({ "page": telling.page.to_string() })).await,
    };
    Got { text, made: None }
}

/// The facts of the category, or of the key that a telling is under.
async fn facts(way: Way, reader: &Reader<'_>, handle: &str) -> Got {
    let of_key = matches!(way, Way::FactsOfKey | Way::ClientFact | Way::AgentFact);
    let key = of_key.then_some(handle);
    let text = match way {
        Way::AgentFacts | Way::AgentFact => {
            let mut arguments = json!({ "action": "get", "category": "probe" });
            if let Some(key) = key {
                arguments["key"] = key.into();
            }
            return tool(reader, "fact", &arguments).await;
        }
        Way::ClientFacts | Way::ClientFact => shown(reader.client.facts("probe", key, None).await),
        _ => {
            let (facts, lens) = (reader.session.facts(), reader.filter.lens.as_deref());
            match key.map(|key| FactKey::new("probe", key)) {
                None => {
                    let query = FactQuery {
                        category: Some("probe"),
                        within: Span::ALWAYS,
                        lens,
                        limit: MOST,
                        claimed: false,
                    };
                    shown(facts.page(query, None).await)
                }
                Some(Ok(key)) => shown(facts.of_key(&key, Span::ALWAYS, lens).await),
                Some(Err(error)) => error.to_string(),
            }
        }
    };
    Got { text, made: None }
}

/// The conversations, and what was said where a telling was.
async fn conversations(way: Way, reader: &Reader<'_>, telling: &Telling) -> Got {
    let Reader { client, conversation, .. } = reader;
    let handle = telling.handle.as_str();
    let code = telling.conversation.as_ref().unwrap_or(conversation).ref_code.to_string();
    let arguments = match way {
        Way::AgentConversations => json!({ "action": "list", "limit": 200 }),
        Way::AgentTranscript => json!({ "action": "read", "conversation": code, "limit": 200 }),
        Way::AgentMessages => json!({ "action": "search", "query": handle, "limit": 50 }),
        Way::ClientTranscript => {
            return Got { text: shown(client.transcript(Some(&code), None, MOST).await), made: None };
        }
        Way::ClientMessages => {
            return Got { text: shown(client.search_messages(None, None, handle, MOST).await), made: None };
        }
        Way::ClientNotes => return Got { text: shown(client.notes(Some(&code)).await), made: None },
        _ => return Got { text: shown(client.conversations(None, MOST).await), made: None },
    };
    tool(reader, "conversation", &arguments).await
}

async fn put(client: &ClientSession, text: &str, links: NamedLinks<'_>) -> Got {
    let at = Where { tier: MemoryScope::Workspace, channel: None, conversation: None };
    let note =
        NewNote { content: text.to_owned(), importance: None, tags: Vec::new(), links, sources: Vec::new() };
    match client.put(at, note).await {
        // Its own words come back to it.
        Ok(remembered) => Got { text: String::new(), made: remembered.written().map(|written| written.id()) },
        refused => Got { text: shown(refused), made: None },
    }
}

async fn tool(reader: &Reader<'_>, name: &str, arguments: &Value) -> Got {
    let Ok(agent) = Actor::new(ActorKind::Agent, Interface::Cli, Some(reader.session.ids.run_id())) else {
        return Got { text: String::new(), made: None };
    };
    let call = ToolCall { id: "1".to_owned(), name: name.to_owned(), arguments: arguments.to_string() };
    let (text, _) = reader.session.turns().run_tool(reader.conversation, &call, &[], agent).await;
    let answer: Value = serde_json::from_str(&text).unwrap_or_default();
    let made = answer.get("remembered").and_then(Value::as_str).and_then(|id| id.parse().ok());
    Got { text, made }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use inklings_application::tools::TOOLS;

    use super::*;

    /// The ways in through each tool of agents, or why it is none.
    fn through(tool: &str) -> Result<&'static [Way], &'static str> {
        Ok(match tool {
            "orient" => &[Way::ClientOrient],
            "memory_search" => &[Way::ClientSearch, Way::ClientList, Way::AgentSearch],
            "memory_get" => &[
                Way::ClientId,
                Way::ClientHistory,
                Way::ClientName,
                Way::ClientPage,
                Way::AgentId,
                Way::AgentPage,
            ],
            "memory_put" => &[Way::ClientPut, Way::ClientAbout, Way::AgentPut],
            "memory_update" => &[Way::ClientUpdate, Way::AgentUpdate],
            "memory_forget" => &[Way::ClientForget, Way::AgentForget],
            "fact" => &[Way::ClientFacts, Way::ClientFact, Way::AgentFacts, Way::AgentFact],
            "conversation" => &[
                Way::ClientConversations,
                Way::ClientTranscript,
                Way::ClientMessages,
                Way::AgentConversations,
                Way::AgentTranscript,
                Way::AgentMessages,
            ],
            "scratchpad" => &[Way::ClientNotes],
            "proposal_create" => &[Way::ClientPropose],
            "memory_switch" => return Err("it reads nothing"),
            "scrub" | "agent_telemetry" => return Err("a client with a lens has no such permission"),
            _ => panic!("no probe goes through the tool {tool}"),
        })
    }

    #[test]
    fn every_tool_of_agents_is_a_way_in_or_reads_nothing() {
        let ways: BTreeSet<&str> =
            TOOLS.iter().filter_map(|tool| through(tool.name).ok()).flatten().map(|way| way.name()).collect();
        let of_agents = Way::ALL.iter().filter(|way| way.name().contains(": "));
        for way in of_agents.filter(|way| **way != Way::ClientNames) {
            assert!(ways.contains(way.name()), "no tool leads through {}", way.name());
        }
    }
}
