//! The tools of the World Agent. They call the same use cases as every other interface, with the agent as the
//! actor.

use inklings_domain::{
    agent_telemetry::ErrorCode,
    calendar::span::Span,
    client::Verb,
    conversation::Conversation,
    derivation::Derivation,
    fact::Assertion,
    memory::{Importance, MemoryDraft, MemoryPatch, Origin, filter::ScopeFilter, guard::says_the_same},
    orientation::shown::{Seen, Showing, Through},
    proposal::ProposalKind,
    provenance::Actor,
    scope::{MemoryLifetime, MemoryScope, Place},
};
use inklings_ports::model::chat::{ToolCall, ToolSpec};
use serde_json::{Value, json};

use crate::{
    agent_telemetry::acting::{Acts, Trace},
    agent_write::{
        access::{AgentAccess, AgentProposal, Bounds},
        remember::{Observed, Remembered},
    },
    calendar::time_text,
    error::AppError,
    fact::{FactPage, refuse_through},
    proposal::Proposed,
    services::Turns,
    tools::{
        self, Call, Caller, InvalidArgument, ListedTool,
        argument::{Fraction, Whole, needed},
        arguments::{Fact, FactAction, MemoryForget, MemoryPut, MemoryUpdate, Scratchpad, ScratchpadAction},
    },
};

/// Source recorded for memories that the agent creates in a conversation.
const SOURCE: &str = "orchestrator";
/// Maximum facts per read.
const MOST_FACTS: usize = 100;
/// Default reason of a proposed edit.
const UPDATE: &str = "the World Agent would say it differently";

/// Specifications of the tools.
pub fn specs() -> Vec<ToolSpec> {
    let spec = |tool: ListedTool| ToolSpec {
        name: tool.name,
        description: tool.description,
        schema: Value::Object(tool.schema),
    };
    tools::list(Caller::WorldAgent).into_iter().map(spec).collect()
}

/// Why a tool call failed. Sent to the model, never logged.
pub(super) struct Refusal {
    reason: String,
    code: ErrorCode,
}

impl From<AppError> for Refusal {
    fn from(error: AppError) -> Self {
        // The message tells the model why the call failed, so that it can choose its next step.
        let passage = match &error {
            AppError::Guard(refusal) => refusal.passage(),
            _ => None,
        };
        let known =
            passage.map(|passage| format!("; it is said here: {}", passage.shown())).unwrap_or_default();
        Self { code: error.code(), reason: format!("{error}{known}") }
    }
}

impl From<InvalidArgument> for Refusal {
    fn from(error: InvalidArgument) -> Self {
        Self { code: ErrorCode::Invalid, reason: error.to_string() }
    }
}

impl Refusal {
    /// A call with arguments that do not fit.
    pub(super) fn invalid(reason: &str) -> Self {
        Self { code: ErrorCode::Invalid, reason: reason.to_owned() }
    }
}

/// Refuses a call that names a place: that of the World Agent is its conversation.
pub(super) fn here(channel: Option<&String>, conversation: Option<&String>) -> Result<(), Refusal> {
    if channel.or(conversation).is_none() {
        return Ok(());
    }
    Err(Refusal::invalid("leave 'channel' and 'conversation' out: they are this conversation's"))
}

/// The answer of a tool, and the memory content in it, which the ledger records.
pub(super) struct ToolAnswer {
    answer: Value,
    showing: Option<Showing>,
}

impl ToolAnswer {
    /// An answer without memory content.
    pub(super) const fn only(answer: Value) -> Self {
        Self { answer, showing: None }
    }

    /// An answer with memory content.
    pub(super) const fn with(answer: Value, showing: Showing) -> Self {
        Self { answer, showing: Some(showing) }
    }
}

impl Turns<'_> {
    /// Runs a tool. Returns the JSON answer for the model, also if the call was refused, and the memory
    /// content in it.
    pub async fn run_tool(
        &self,
        conversation: &Conversation,
        call: &ToolCall,
        shown: &[String],
        agent: Actor,
    ) -> (String, Option<Showing>) {
        let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
        let acts = Acts { client: None, conversation: Some(conversation.id), turn: agent.run() };
        let recorded = tools::recorded(&call.name, &arguments);
        let (acting, trace) = self.session.agent_telemetry().begin(recorded, acts);
        let answer = match tools::parse(&call.name, &call.arguments) {
            Ok(call) => self.tool(conversation, call, (shown, &trace), agent).await,
            Err(refused) => Err(refused.into()),
        };
        if let Ok(ToolAnswer { showing: Some(showing), .. }) = &answer {
            trace.shows(showing);
        }
        acting.ended(answer.as_ref().err().map(|refusal| refusal.code));
        let ToolAnswer { answer, showing } =
            answer.unwrap_or_else(|Refusal { reason, .. }| ToolAnswer::only(json!({ "error": reason })));
        (answer.to_string(), showing.map(|showing| showing.of_conversation(conversation)))
    }

    async fn tool(
        &self,
        conversation: &Conversation,
        call: Call,
        (shown, trace): (&[String], &Trace),
        agent: Actor,
    ) -> Result<ToolAnswer, Refusal> {
        match call {
            Call::MemorySearch(args) => self.search_tool(conversation, args).await,
            Call::MemoryGet(args) => self.get_tool(conversation, args, agent).await,
            Call::MemoryPut(args) => {
                self.put_tool(conversation, args, (shown, trace), agent).await.map(ToolAnswer::only)
            }
            Call::MemoryUpdate(args) => {
                self.update_tool(conversation, args, (shown, trace), agent).await.map(ToolAnswer::only)
            }
            Call::MemoryForget(args) => {
                self.forget_tool(conversation, args, trace, agent).await.map(ToolAnswer::only)
            }
            Call::Scratchpad(args) => self.scratchpad_tool(conversation, args).await,
            Call::Conversation(args) => self.conversation_tool(conversation, args).await,
            Call::Fact(args) => match args.action {
                FactAction::Get => self.get_fact_tool(conversation, args).await,
                FactAction::Set => self.set_fact_tool(conversation, args, trace, agent).await,
            },
            _ => Err(InvalidArgument::UnknownTool.into()),
        }
    }

    async fn put_tool(
        &self,
        conversation: &Conversation,
        args: MemoryPut,
        (shown, trace): (&[String], &Trace),
        agent: Actor,
    ) -> Result<Value, Refusal> {
        here(args.channel.as_ref(), args.conversation.as_ref())?;
        let (place, lifetime) = match args.tier {
            MemoryScope::Conversation => {
                (Place::Conversation(conversation.channel_id, conversation.id), MemoryLifetime::Conversation)
            }
            MemoryScope::Channel => (Place::Channel(conversation.channel_id), MemoryLifetime::ShortTerm),
            MemoryScope::Workspace => (Place::Workspace, MemoryLifetime::ShortTerm),
            MemoryScope::Account => (Place::Account, MemoryLifetime::LongTerm),
        };
        let filter = self.session.lenses().seen_from(conversation).await?;
        let links = self.session.subjects().links_named(&args.links(), place, &filter).await?;
        let made_of = self.made_of(conversation, (&args.content, args.sources.as_deref()), &filter).await?;
        let draft = MemoryDraft {
            place,
            lifetime,
            source: SOURCE.to_owned(),
            title: None,
            keys: Vec::new(),
            content: args.content,
            importance: args.importance.map_or(Importance::DEFAULT.get(), |Fraction(importance)| importance),
            tags: args.tags.unwrap_or_default(),
            origin: Some(Origin { conversation: Some(conversation.id), ..Origin::default() }),
            derivations: made_of,
        };
        let observed = Observed { draft, conversation: Some(conversation), shown, within: None, links };
        let remembered = self.session.agent_writes().remember(observed, agent).await?;
        trace.remembers(&remembered);
        Ok(match remembered {
            Remembered::Written(written) => {
                json!({ "remembered": written.id().to_string() })
            }
            Remembered::Proposed(proposed) => doubtful(proposed),
        })
    }

    /// What a text of the agent was made of: the message that the turn answers, and the sources that the agent names.
    async fn made_of(
        &self,
        conversation: &Conversation,
        (text, sources): (&str, Option<&[String]>),
        filter: &ScopeFilter,
    ) -> Result<Vec<Derivation>, AppError> {
        let derivations = self.session.derivations();
        let mut made_of = derivations.claimed(text, sources.unwrap_or_default(), filter).await?;
        made_of.extend(derivations.of_turn(conversation).await?);
        Ok(made_of)
    }

    async fn update_tool(
        &self,
        conversation: &Conversation,
        args: MemoryUpdate,
        (shown, trace): (&[String], &Trace),
        agent: Actor,
    ) -> Result<Value, Refusal> {
        let MemoryUpdate { id, content, importance, tags, version, reason, sources } = args;
        let access =
            AgentAccess::new(self.session, Bounds::of_conversation(self.session, conversation).await?, agent);
        let entry = access.entry(Verb::Write, id).await?.entry;
        if let Some(text) = &content {
            // The entry's current text was also shown; rewording it is not an echo.
            let others: Vec<String> =
                shown.iter().filter(|known| !says_the_same(&entry.content, known)).cloned().collect();
            self.session.agent_writes().is_not_in_view(text, conversation.id, &others).await?;
        }
        let filter = self.session.lenses().seen_from(conversation).await?;
        let text = content.as_deref().unwrap_or(&entry.content);
        let made_of = match (&content, &sources) {
            (None, None) => None,
            _ => Some(self.made_of(conversation, (text, sources.as_deref()), &filter).await?),
        };
        if entry.is_locked()
            && let Some(content) = content
        {
            let reason = reason.as_deref().filter(|reason| !reason.trim().is_empty());
            let proposal = AgentProposal {
                kind: ProposalKind::Edit,
                ids: &[id],
                content: Some(content),
                reason: reason.unwrap_or(UPDATE),
                conversation: Some(conversation.id),
                derivations: entry.derivations.iter().cloned().chain(made_of.unwrap_or_default()).collect(),
            };
            trace.proposes();
            return propose_instead(&access, proposal).await;
        }
        let patch = MemoryPatch {
            content,
            importance: importance.map(|Fraction(importance)| importance),
            tags,
            derivations: made_of.map(|made_of| entry.derivations.iter().cloned().chain(made_of).collect()),
            ..MemoryPatch::default()
        };
        let version = version.map_or(entry.version, |Whole(version)| version);
        let remembered = access.update(id, Some(version), patch).await?;
        trace.remembers(&remembered);
        Ok(match remembered {
            Remembered::Written(_) => json!({ "updated": id.to_string() }),
            Remembered::Proposed(proposed) => doubtful(proposed),
        })
    }

    async fn forget_tool(
        &self,
        conversation: &Conversation,
        args: MemoryForget,
        trace: &Trace,
        agent: Actor,
    ) -> Result<Value, Refusal> {
        let (id, reason) = (args.id, args.reason.as_str());
        let access =
            AgentAccess::new(self.session, Bounds::of_conversation(self.session, conversation).await?, agent);
        let entry = access.entry(Verb::Write, id).await?.entry;
        if entry.is_locked() && entry.is_active() {
            let proposal = AgentProposal {
                kind: ProposalKind::Retire,
                ids: &[id],
                content: None,
                reason,
                conversation: Some(conversation.id),
                derivations: Vec::new(),
            };
            trace.proposes();
            return propose_instead(&access, proposal).await;
        }
        access.forget(id, reason).await?;
        Ok(json!({ "forgotten": id.to_string() }))
    }

    async fn scratchpad_tool(
        &self,
        conversation: &Conversation,
        args: Scratchpad,
    ) -> Result<ToolAnswer, Refusal> {
        here(None, args.conversation.as_ref())?;
        let notes = self.session.scratchpad();
        match (args.action, args.key) {
            (ScratchpadAction::Write, key) => {
                let (key, value) = (needed(key, "key")?, needed(args.value, "value")?);
                let ttl = args.ttl_seconds.and_then(|Whole(seconds)| u32::try_from(seconds).ok());
                let note = notes.write(conversation.id, &key, &value.to_string(), ttl).await?;
                Ok(ToolAnswer::only(json!({ "written": note.key })))
            }
            (ScratchpadAction::Clear, key) => {
                let cleared = notes.clear(conversation.id, key.as_deref(), false).await?;
                Ok(ToolAnswer::only(json!({ "cleared": cleared })))
            }
            (ScratchpadAction::Read, None) => {
                let keys: Vec<String> =
                    notes.list(conversation.id).await?.into_iter().map(|note| note.key).collect();
                let showing = Showing::counted(Through::Notes, keys.len());
                Ok(ToolAnswer::with(json!({ "keys": keys }), showing))
            }
            (ScratchpadAction::Read, Some(key)) => {
                let note = notes.read(conversation.id, &key).await?;
                let value = note.and_then(|note| serde_json::from_str::<Value>(&note.value).ok());
                let showing = Showing::counted(Through::Notes, usize::from(value.is_some()));
                Ok(ToolAnswer::with(json!({ "key": key, "value": value }), showing))
            }
        }
    }

    async fn set_fact_tool(
        &self,
        conversation: &Conversation,
        args: Fact,
        trace: &Trace,
        agent: Actor,
    ) -> Result<ToolAnswer, Refusal> {
        let (key, value) = (needed(args.key, "key")?, needed(args.value, "value")?);
        let readable = self.session.lenses().seen_from(conversation).await?;
        refuse_through(readable.lens.as_deref()).map_err(AppError::from)?;
        let assertion = Assertion::new(&args.category, &key, &value, Some(conversation.id));
        let span = match &args.holds {
            Some(dates) => Some(self.session.calendars().read(dates, None, &readable).await?),
            None => None,
        };
        let assertion = assertion.map_err(AppError::from)?.holding(span);
        let set = self.session.facts().assert(assertion, agent).await?;
        trace.wrote(*set.fact.fact.id.as_uuid());
        if !set.claimed {
            return Ok(ToolAnswer::only(json!({ "set": true })));
        }
        let fact = &set.fact.fact;
        let calendars = self.session.calendars();
        let calendar = calendars.for_spans([fact.span].into_iter(), &readable).await?;
        let answer = json!({ "claimed": true, "stands": fact.value,
                "holds": time_text(fact.span, calendar.as_deref()),
                "note": "this contradicts the worldbuilder's own word; they will settle it" });
        Ok(ToolAnswer::with(answer, Showing::of(Through::Facts, vec![Seen::fact(fact.id, fact.version)])))
    }

    async fn get_fact_tool(&self, conversation: &Conversation, args: Fact) -> Result<ToolAnswer, Refusal> {
        let readable = self.session.lenses().seen_from(conversation).await?;
        let within = match &args.holds {
            Some(dates) => self.session.calendars().read(dates, None, &readable).await?,
            None => Span::ALWAYS,
        };
        let of = (args.category.as_str(), args.key.as_deref());
        let lens = readable.lens.as_deref();
        let FactPage { rows: known, next } =
            self.session.facts().for_agent(of, within, MOST_FACTS, lens).await?;
        let calendar =
            self.session.calendars().for_spans(known.iter().map(|known| known.fact.span), &readable).await?;
        let seen = known.iter().map(|known| Seen::fact(known.fact.id, known.fact.version)).collect();
        let facts: Vec<Value> = known
            .iter()
            .map(|known| {
                let fact = &known.fact;
                json!({ "category": fact.key.category(), "key": fact.key.key(), "value": fact.value,
                        "holds": time_text(fact.span, calendar.as_deref()),
                        "said_by": fact.source.as_str(), "disputed": !known.claims.is_empty() })
            })
            .collect();
        let answer = json!({ "facts": facts, "more": next.is_some() });
        Ok(ToolAnswer::with(answer, Showing::of(Through::Facts, seen)))
    }
}

/// Files a proposal for content that belongs to the author, instead of changing it.
async fn propose_instead(access: &AgentAccess<'_>, proposal: AgentProposal<'_>) -> Result<Value, Refusal> {
    let filed = access.propose(proposal).await?;
    let note = match &filed {
        Some(_) => "this belongs to the worldbuilder; it was filed as a proposal for them to decide",
        None => "this was proposed before; the worldbuilder decides",
    };
    Ok(json!({ "proposed": filed.map(|proposal| proposal.id.to_string()), "note": note }))
}

/// The answer for a text that may describe a world and was therefore proposed, not written, to the account.
fn doubtful(proposed: Proposed) -> Value {
    let note = match proposed {
        Proposed::Filed(_) => {
            "this may be about a world; it was filed as a proposal for the account, the worldbuilder decides"
        }
        Proposed::Before => "this was proposed before; the worldbuilder decides",
    };
    json!({ "proposed": proposed.id().map(|id| id.to_string()), "note": note })
}

/// Serialises tool calls for storage with their message.
pub fn to_json(calls: &[ToolCall]) -> String {
    let list: Vec<Value> =
        calls.iter().map(|c| json!({ "id": c.id, "name": c.name, "arguments": c.arguments })).collect();
    Value::from(list).to_string()
}

/// Inverse of [`to_json`]; skips invalid calls.
pub fn from_json(text: &str) -> Vec<ToolCall> {
    let list: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    list.iter()
        .filter_map(|v| {
            Some(ToolCall { id: text(v, "id")?, name: text(v, "name")?, arguments: text(v, "arguments")? })
        })
        .collect()
}
