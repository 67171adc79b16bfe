//! The tools of the World Agent. They call the same use cases as every other interface, with the agent as the
//! actor.

use inklings_domain::{
    client::Verb,
    conversation::Conversation,
    fact::FactKey,
    ids::MemoryId,
    memory::{
        MemoryDraft, MemoryPatch, Origin,
        filter::{MemoryFilter, ScopeFilter},
        guard::says_the_same,
    },
    orientation::shown::{Seen, Showing, Through},
    proposal::ProposalKind,
    provenance::Actor,
    scope::{MemoryLifetime, MemoryScope, Place},
    scratchpad::WORKING_TTL_SECONDS,
};
use serde_json::{Value, json};

use crate::{
    error::AppError,
    memory::{
        access::{AgentAccess, AgentProposal, Bounds},
        remember::{Observed, Remembered},
    },
    model::chat::{ToolCall, ToolSpec},
    proposal::Proposed,
    search::Search,
    services::Turns,
};

/// Source recorded for memories that the agent creates in a conversation.
const SOURCE: &str = "orchestrator";
/// Default reason of a proposed edit.
const UPDATE: &str = "the World Agent would say it differently";
/// Maximum memories per read.
const MOST_READ: usize = 20;

/// Specifications of the tools.
pub fn specs() -> Vec<ToolSpec> {
    let text = |what: &str| json!({ "type": "string", "description": what });
    let object = |properties: Value, required: &[&str]| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    let tier = json!({
        "type": "string", "enum": ["conversation", "channel", "workspace", "account"],
        "description": "conversation: this talk only; channel: this topic; workspace: the whole world; \
                        account: how the worldbuilder likes to work, in every world; never names of this one"
    });
    vec![
        ToolSpec {
            name: "memory_read",
            description: "Searches memory by words and meaning. What it gives are candidates noted before, not facts.",
            schema: object(
                json!({ "query": text("What to look for"),
                        "limit": { "type": "integer", "minimum": 1, "maximum": MOST_READ } }),
                &["query"],
            ),
        },
        ToolSpec {
            name: "memory_put",
            description: "Remembers something new that will matter later and is not noted yet.",
            schema: object(
                json!({ "tier": tier, "content": text("One self-contained statement"),
                        "importance": { "type": "number", "minimum": 0, "maximum": 1 },
                        "tags": { "type": "array", "items": { "type": "string" } } }),
                &["tier", "content"],
            ),
        },
        ToolSpec {
            name: "memory_update",
            description: "Rewrites a memory that an agent wrote. For one of the author's own it files a proposal instead.",
            schema: object(
                json!({ "id": text("The memory's id"), "content": text("Its new text"),
                        "reason": text("Why, in a few words"),
                        "importance": { "type": "number", "minimum": 0, "maximum": 1 } }),
                &["id"],
            ),
        },
        ToolSpec {
            name: "memory_forget",
            description: "Takes a memory that an agent wrote out of use; it can be restored. For one of the author's own it \
                          files a proposal instead.",
            schema: object(
                json!({ "id": text("The memory's id"), "reason": text("Why, in a few words") }),
                &["id", "reason"],
            ),
        },
        ToolSpec {
            name: "scratchpad_write",
            description: "Keeps a JSON value for yourself in this conversation. Not shown to you unless you read it.",
            schema: object(
                json!({ "key": text("Its name"), "value": { "description": "Any JSON value" },
                        "working": { "type": "boolean", "description": "True: it vanishes an hour after the last read" } }),
                &["key", "value"],
            ),
        },
        ToolSpec {
            name: "scratchpad_read",
            description: "Reads one of your values, or the names of all when no key is given.",
            schema: object(json!({ "key": text("Its name") }), &[]),
        },
        ToolSpec {
            name: "scratchpad_clear",
            description: "Removes one of your values, or all of this conversation when no key is given.",
            schema: object(json!({ "key": text("Its name") }), &[]),
        },
        ToolSpec {
            name: "fact_set",
            description: "Records a fact. What contradicts the worldbuilder's own word is kept as a claim for them to settle.",
            schema: object(
                json!({ "category": text("A group, e.g. a character's name"), "key": text("What it is about"),
                        "value": text("What holds") }),
                &["category", "key", "value"],
            ),
        },
        ToolSpec {
            name: "fact_get",
            description: "Reads facts: one by category and key, or all of a category.",
            schema: object(
                json!({ "category": text("The group"), "key": text("What it is about") }),
                &["category"],
            ),
        },
    ]
}

/// Why a tool call failed. Sent to the model, never logged.
struct Refusal(String);

impl From<AppError> for Refusal {
    fn from(error: AppError) -> Self {
        // The message tells the model why the call failed, so that it can choose its next step.
        Self(error.to_string())
    }
}

fn field<'a>(arguments: &'a Value, name: &str) -> Result<&'a str, Refusal> {
    arguments.get(name).and_then(Value::as_str).ok_or_else(|| Refusal(format!("'{name}' must be a string")))
}

/// The agent's reason for a call, if it gave one.
fn reason(arguments: &Value) -> Option<&str> {
    arguments.get("reason").and_then(Value::as_str).filter(|reason| !reason.trim().is_empty())
}

fn memory_id(arguments: &Value) -> Result<MemoryId, Refusal> {
    field(arguments, "id")?.parse().map_err(|_| Refusal("'id' is no memory's id".into()))
}

/// The answer of a tool, and the memory content in it, which the ledger records.
struct ToolAnswer {
    answer: Value,
    showing: Option<Showing>,
}

impl ToolAnswer {
    /// An answer without memory content.
    const fn only(answer: Value) -> Self {
        Self { answer, showing: None }
    }

    /// An answer with memory content.
    const fn with(answer: Value, showing: Showing) -> Self {
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
        let arguments = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
        let answer = match serde_json::from_str::<Value>(arguments) {
            Ok(arguments) if arguments.is_object() => {
                self.tool(conversation, &call.name, &arguments, shown, agent).await
            }
            _ => Err(Refusal("the arguments must be a JSON object".into())),
        };
        let ToolAnswer { answer, showing } =
            answer.unwrap_or_else(|Refusal(reason)| ToolAnswer::only(json!({ "error": reason })));
        (answer.to_string(), showing.map(|showing| showing.of_conversation(conversation)))
    }

    async fn tool(
        &self,
        conversation: &Conversation,
        name: &str,
        arguments: &Value,
        shown: &[String],
        agent: Actor,
    ) -> Result<ToolAnswer, Refusal> {
        match name {
            "memory_read" => self.read_tool(conversation, arguments).await,
            "memory_put" => self.put_tool(conversation, arguments, shown, agent).await.map(ToolAnswer::only),
            "memory_update" => {
                self.update_tool(conversation, arguments, shown, agent).await.map(ToolAnswer::only)
            }
            "memory_forget" => self.forget_tool(conversation, arguments, agent).await.map(ToolAnswer::only),
            "scratchpad_write" => {
                let value = arguments.get("value").ok_or_else(|| Refusal("'value' is missing".into()))?;
                let working = arguments.get("working").and_then(Value::as_bool).unwrap_or(false);
                let ttl = working.then_some(WORKING_TTL_SECONDS);
                let key = field(arguments, "key")?;
                let note =
                    self.session.scratchpad().write(conversation.id, key, &value.to_string(), ttl).await?;
                Ok(ToolAnswer::only(json!({ "written": note.key })))
            }
            "scratchpad_read" => self.scratchpad_tool(conversation, arguments).await,
            "scratchpad_clear" => {
                let key = match arguments.get("key") {
                    None | Some(Value::Null) => None,
                    Some(_) => Some(field(arguments, "key")?),
                };
                let cleared = self.session.scratchpad().clear(conversation.id, key, false).await?;
                Ok(ToolAnswer::only(json!({ "cleared": cleared })))
            }
            "fact_set" => {
                let (category, key) = (field(arguments, "category")?, field(arguments, "key")?);
                let value = field(arguments, "value")?;
                let set =
                    self.session.facts().set(category, key, value, Some(conversation.id), agent).await?;
                Ok(if set.claimed {
                    let fact = &set.fact.fact;
                    let answer = json!({ "claimed": true, "stands": fact.value,
                            "note": "this contradicts the worldbuilder's own word; they will settle it" });
                    ToolAnswer::with(
                        answer,
                        Showing::of(Through::Facts, vec![Seen::fact(fact.id, fact.version)]),
                    )
                } else {
                    ToolAnswer::only(json!({ "set": true }))
                })
            }
            "fact_get" => self.fact_tool(arguments).await,
            _ => Err(Refusal("there is no such tool".into())),
        }
    }

    async fn read_tool(&self, conversation: &Conversation, arguments: &Value) -> Result<ToolAnswer, Refusal> {
        let limit = arguments.get("limit").and_then(Value::as_u64).unwrap_or(8) as usize;
        let scope_filter = ScopeFilter::new(&[], Some(conversation.channel_id), Some(conversation.id));
        let search = Search {
            query: field(arguments, "query")?.to_owned(),
            filter: MemoryFilter::active(scope_filter),
            limit: limit.clamp(1, MOST_READ),
            strategy: None,
            vector: None,
            first: None,
            marked: false,
        };
        let found = self.session.search().memories(search).await?;
        self.session
            .orientations()
            .note_uses(found.hits.iter().map(|hit| (hit.stored.entry.id, hit.stored.entry.scope())))
            .await;
        let now = self.session.clock.now();
        let hits: Vec<Value> = found
            .hits
            .iter()
            .map(|hit| {
                let entry = &hit.stored.entry;
                json!({
                    "id": entry.id.to_string(), "tier": entry.scope().as_str(), "curator": entry.curator.as_str(),
                    "importance": entry.importance.get(), "relevance": hit.decay.relevance(),
                    "days_ago": (now - entry.updated_at).num_days().max(0), "name": entry.name,
                    "noted_before": entry.content,
                })
            })
            .collect();
        let seen = found.hits.iter().map(|hit| Seen::entry(&hit.stored.entry)).collect();
        Ok(ToolAnswer::with(json!({ "candidates": hits }), Showing::of(Through::Search, seen)))
    }

    async fn put_tool(
        &self,
        conversation: &Conversation,
        arguments: &Value,
        shown: &[String],
        agent: Actor,
    ) -> Result<Value, Refusal> {
        let (place, lifetime) = match field(arguments, "tier")?.parse::<MemoryScope>() {
            Ok(MemoryScope::Conversation) => {
                (Place::Conversation(conversation.channel_id, conversation.id), MemoryLifetime::Conversation)
            }
            Ok(MemoryScope::Channel) => (Place::Channel(conversation.channel_id), MemoryLifetime::ShortTerm),
            Ok(MemoryScope::Workspace) => (Place::Workspace, MemoryLifetime::ShortTerm),
            Ok(MemoryScope::Account) => (Place::Account, MemoryLifetime::LongTerm),
            Err(_) => {
                return Err(Refusal("'tier' must be conversation, channel, workspace or account".into()));
            }
        };
        let tags = arguments.get("tags").and_then(Value::as_array).cloned().unwrap_or_default();
        let draft = MemoryDraft {
            place,
            lifetime,
            source: SOURCE.to_owned(),
            content: field(arguments, "content")?.to_owned(),
            importance: arguments.get("importance").and_then(Value::as_f64).unwrap_or(0.5),
            tags: tags.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            origin: Some(Origin { conversation: Some(conversation.id), ..Origin::default() }),
        };
        let observed = Observed { draft, conversation: Some(conversation), shown, within: None };
        Ok(match self.session.agent_writes().remember(observed, agent).await? {
            Remembered::Written(written) => {
                json!({ "remembered": written.ids.first().map(ToString::to_string) })
            }
            Remembered::Proposed(proposed) => doubtful(proposed),
        })
    }

    async fn update_tool(
        &self,
        conversation: &Conversation,
        arguments: &Value,
        shown: &[String],
        agent: Actor,
    ) -> Result<Value, Refusal> {
        let id = memory_id(arguments)?;
        let access = AgentAccess::new(self.session, Bounds::of_conversation(conversation), agent);
        let entry = access.entry(Verb::Write, id).await?.entry;
        let content = arguments.get("content").and_then(Value::as_str).map(str::to_owned);
        if let Some(text) = &content {
            // The entry's current text was also shown; rewording it is not an echo.
            let others: Vec<String> =
                shown.iter().filter(|known| !says_the_same(&entry.content, known)).cloned().collect();
            self.session.agent_writes().is_not_in_view(text, Some(conversation), &others, None).await?;
        }
        if entry.is_locked()
            && let Some(content) = content
        {
            let proposal = AgentProposal {
                kind: ProposalKind::Edit,
                ids: &[id],
                content: Some(content),
                reason: reason(arguments).unwrap_or(UPDATE),
                conversation: Some(conversation.id),
            };
            return propose_instead(&access, proposal).await;
        }
        let patch = MemoryPatch {
            content,
            importance: arguments.get("importance").and_then(Value::as_f64),
            ..MemoryPatch::default()
        };
        Ok(match access.update(id, Some(entry.version), patch).await? {
            Remembered::Written(_) => json!({ "updated": id.to_string() }),
            Remembered::Proposed(proposed) => doubtful(proposed),
        })
    }

    async fn forget_tool(
        &self,
        conversation: &Conversation,
        arguments: &Value,
        agent: Actor,
    ) -> Result<Value, Refusal> {
        let id = memory_id(arguments)?;
        let reason = field(arguments, "reason")?;
        let access = AgentAccess::new(self.session, Bounds::of_conversation(conversation), agent);
        let entry = access.entry(Verb::Write, id).await?.entry;
        if entry.is_locked() && entry.is_active() {
            let proposal = AgentProposal {
                kind: ProposalKind::Retire,
                ids: &[id],
                content: None,
                reason,
                conversation: Some(conversation.id),
            };
            return propose_instead(&access, proposal).await;
        }
        access.forget(id, reason).await?;
        Ok(json!({ "forgotten": id.to_string() }))
    }

    async fn scratchpad_tool(
        &self,
        conversation: &Conversation,
        arguments: &Value,
    ) -> Result<ToolAnswer, Refusal> {
        let Some(key) = arguments.get("key").and_then(Value::as_str) else {
            let notes = self.session.scratchpad().list(conversation.id).await?;
            let keys: Vec<String> = notes.into_iter().map(|note| note.key).collect();
            let showing = Showing::counted(Through::Notes, keys.len());
            return Ok(ToolAnswer::with(json!({ "keys": keys }), showing));
        };
        let note = self.session.scratchpad().read(conversation.id, key).await?;
        let value = note.and_then(|note| serde_json::from_str::<Value>(&note.value).ok());
        let showing = Showing::counted(Through::Notes, usize::from(value.is_some()));
        Ok(ToolAnswer::with(json!({ "key": key, "value": value }), showing))
    }

    async fn fact_tool(&self, arguments: &Value) -> Result<ToolAnswer, Refusal> {
        let category = field(arguments, "category")?;
        let mut known = match arguments.get("key").and_then(Value::as_str) {
            Some(key) => {
                vec![self.session.facts().get(&FactKey::new(category, key).map_err(AppError::from)?).await?]
            }
            None => self.session.facts().list(Some(category), None, 100).await?.rows,
        };
        known.retain(|known| known.fact.removed_at.is_none());
        let seen = known.iter().map(|known| Seen::fact(known.fact.id, known.fact.version)).collect();
        let facts: Vec<Value> = known
            .iter()
            .map(|known| {
                let fact = &known.fact;
                json!({ "category": fact.key.category(), "key": fact.key.key(), "value": fact.value,
                        "said_by": fact.source.as_str(), "disputed": !known.claims.is_empty() })
            })
            .collect();
        Ok(ToolAnswer::with(json!({ "facts": facts }), Showing::of(Through::Facts, seen)))
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
