//! Calls of tools: each calls one use case of the client session and returns the result. The tools are defined in
//! `inklings_application::tools`.

use inklings_application::{
    agent_write::remember::Remembered,
    client::{ClientSession, NewNote, ScrubAt, Where, Within},
    orientation::Oriented,
    proposal::Proposed,
    tools::{
        Call, Effect, InvalidArgument, ListedTool, TOOLS,
        argument::{Fraction, Whole, needed},
        arguments::{
            Conversation, ConversationAction, Fact, FactAction, MemoryForget, MemoryGet, MemoryPut,
            MemorySearch, MemoryUpdate, Orient, ProposalCreate, STANDARD_CONVERSATIONS, STANDARD_FOUND,
            STANDARD_MESSAGES, Scratchpad, ScratchpadAction, Scrub, ScrubAction,
        },
    },
    vault::reading::PagePart,
};
use inklings_domain::{conversation::message::Message, memory::MemoryPatch};
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::{
    answer::{self, plain, with_text},
    refusal::Refusal,
    telemetry::agent_telemetry,
};

type Answer = Result<CallToolResult, Refusal>;

/// True if there is a tool of this name, whoever may use it.
pub fn is_known(name: &str) -> bool {
    TOOLS.iter().any(|tool| tool.name == name)
}

/// A tool in the form of the protocol.
pub fn listed(tool: ListedTool) -> Tool {
    let all = |wanted: &[Effect]| tool.effects.iter().all(|effect| wanted.contains(effect));
    let hints = ToolAnnotations::with_title(tool.title)
        .read_only(all(&[Effect::Reads]))
        .destructive(tool.effects.contains(&Effect::Takes))
        .idempotent(all(&[Effect::Reads, Effect::Sets]))
        .open_world(false);
    Tool::new(tool.name, tool.description, tool.schema).with_title(tool.title).with_annotations(hints)
}

impl From<InvalidArgument> for Refusal {
    fn from(error: InvalidArgument) -> Self {
        Self::invalid(error.to_string())
    }
}

/// Calls a tool by name, and records the call.
///
/// # Errors
/// [`Refusal`] for invalid arguments, missing permission, or an error of the use case.
pub async fn call(client: &ClientSession, name: &str, arguments: JsonObject) -> Answer {
    let (client, acting) = client.acting(name, &arguments);
    // Boxed: the future of a tool is larger than what a connection should hold.
    let answer = Box::pin(dispatch(&client, name, &arguments)).await;
    acting.ended(answer.as_ref().err().map(|refusal| refusal.code));
    answer
}

async fn dispatch(client: &ClientSession, name: &str, arguments: &JsonObject) -> Answer {
    match Call::parse(name, arguments)? {
        Call::Orient(args) => orient(client, args).await,
        Call::MemorySearch(args) => memory_search(client, args).await,
        Call::MemoryGet(args) => memory_get(client, args).await,
        Call::MemoryPut(args) => memory_put(client, args).await,
        Call::MemoryUpdate(args) => memory_update(client, args).await,
        Call::MemoryForget(args) => memory_forget(client, args).await,
        Call::Fact(args) => fact(client, args).await,
        Call::Conversation(args) => conversation(client, args).await,
        Call::Scratchpad(args) => scratchpad(client, args).await,
        Call::ProposalCreate(args) => proposal_create(client, args).await,
        Call::MemorySwitch(args) => {
            client.switch_memory(args.enabled).await?;
            Ok(plain(json!({ "memory_enabled": args.enabled })))
        }
        Call::Scrub(args) => scrub(client, args).await,
        Call::AgentTelemetry(args) => agent_telemetry(client, args).await,
    }
}

fn count<const MIN: u64, const MAX: u64>(given: Option<Whole<MIN, MAX>>, standard: usize) -> usize {
    given.map_or(standard, |Whole(count)| usize::try_from(count).unwrap_or(usize::MAX))
}

async fn orient(client: &ClientSession, args: Orient) -> Answer {
    Ok(answer::orientation(&oriented(client, args).await?))
}

/// What memory holds for the arguments of `orient`, for the tool and the prompt.
///
/// # Errors
/// [`Refusal`] as the use case.
pub async fn oriented(client: &ClientSession, args: Orient) -> Result<Oriented, Refusal> {
    let budget = args.budget.map(|Whole(tokens)| tokens);
    Ok(client.orient(&args.query, budget, args.conversation.as_deref()).await?)
}

async fn memory_search(client: &ClientSession, args: MemorySearch) -> Answer {
    let within = Within {
        tier: args.tier,
        channel: args.channel.as_deref(),
        conversation: args.conversation.as_deref(),
    };
    let query = args.query.unwrap_or_default();
    let found = client.search(within, &query, count(args.limit, STANDARD_FOUND)).await?;
    Ok(answer::found(&found))
}

async fn memory_get(client: &ClientSession, args: MemoryGet) -> Answer {
    if let Some(id) = args.page {
        if args.id.is_some() || args.name.is_some() || args.history.is_some() {
            return Err(Refusal::invalid("'page' stands alone; leave 'id', 'name' and 'history' out"));
        }
        let part = PagePart { heading: args.heading.as_deref(), from: count(args.next, 0) };
        return Ok(answer::one_page(&client.page(id, part).await?));
    }
    match (args.id, args.name) {
        (Some(_), Some(_)) => Err(Refusal::invalid("'id' and 'name' are two ways to say which; give one")),
        (Some(id), None) if args.history == Some(true) => {
            Ok(plain(answer::history(&client.history(id).await?)))
        }
        (Some(id), None) => {
            let found = client.entry_with_links(id).await?;
            Ok(answer::one_memory(&client.noted_one(found.entry).await?, found.subject.as_ref()))
        }
        (None, Some(name)) if args.history == Some(true) => {
            Ok(plain(answer::history(&client.named_history(&name).await?)))
        }
        (None, Some(name)) => {
            let found = client.named_with_links(&name).await?;
            let noted = client.noted_one(found.entry).await?;
            Ok(plain(answer::named_whole(&noted, found.subject.as_ref())))
        }
        (None, None) => {
            let entries = client.named_entries().await?;
            let list: Vec<Value> = entries.iter().map(answer::named).collect();
            Ok(plain(json!({ "entries": list })))
        }
    }
}

async fn memory_put(client: &ClientSession, args: MemoryPut) -> Answer {
    let at = Where {
        tier: args.tier,
        channel: args.channel.as_deref(),
        conversation: args.conversation.as_deref(),
    };
    let note = NewNote {
        links: args.links(),
        content: args.content.clone(),
        importance: args.importance.map(|Fraction(importance)| importance),
        tags: args.tags.clone().unwrap_or_default(),
        sources: args.sources.clone().unwrap_or_default(),
    };
    Ok(plain(match client.put(at, note).await? {
        Remembered::Written(written) => {
            let id = written.id().to_string();
            json!({ "id": id, "version": 1, "curator": "agent", "change": written.change.to_string() })
        }
        Remembered::Proposed(proposed) => doubtful(proposed),
    }))
}

async fn memory_update(client: &ClientSession, args: MemoryUpdate) -> Answer {
    let patch = MemoryPatch {
        content: args.content,
        importance: args.importance.map(|Fraction(importance)| importance),
        tags: args.tags,
        ..MemoryPatch::default()
    };
    let version = args.version.map(|Whole(version)| version);
    Ok(plain(match client.update(args.id, version, patch, &args.sources.unwrap_or_default()).await? {
        Remembered::Written(written) => {
            json!({ "id": args.id.to_string(), "change": written.change.to_string() })
        }
        Remembered::Proposed(proposed) => doubtful(proposed),
    }))
}

/// The result for an entry that may concern a workspace: it is proposed instead of written to the account.
fn doubtful(proposed: Proposed) -> Value {
    let note = match proposed {
        Proposed::Filed(_) => {
            "this may be about a world; it was filed as a proposal, the worldbuilder decides"
        }
        Proposed::Before => "this was proposed before; the worldbuilder decides",
    };
    json!({ "proposed": proposed.id().map(|id| id.to_string()), "note": note })
}

async fn memory_forget(client: &ClientSession, args: MemoryForget) -> Answer {
    let written = client.forget(args.id, &args.reason).await?;
    Ok(plain(json!({ "id": args.id.to_string(), "forgotten": true, "change": written.change.to_string() })))
}

async fn fact(client: &ClientSession, args: Fact) -> Answer {
    match args.action {
        FactAction::Get => {
            let found = client.facts(&args.category, args.key.as_deref(), args.holds.as_deref()).await?;
            let facts: Vec<Value> = found.facts.iter().map(answer::fact).collect();
            Ok(plain(json!({ "framing": answer::FRAMING, "facts": facts, "more": found.more })))
        }
        FactAction::Set => {
            let (key, value) = (needed(args.key, "key")?, needed(args.value, "value")?);
            let set = client.set_fact(&args.category, &key, &value, args.holds.as_deref()).await?;
            let note = "this contradicts the worldbuilder's own word; they will settle it";
            Ok(plain(if set.claimed {
                json!({ "claimed": true, "note": note })
            } else {
                json!({ "claimed": false })
            }))
        }
    }
}

async fn conversation(client: &ClientSession, args: Conversation) -> Answer {
    let name = args.conversation.as_deref();
    match args.action {
        ConversationAction::List => {
            let limit = count(args.limit, STANDARD_CONVERSATIONS);
            let found = client.conversations(args.channel.as_deref(), limit).await?;
            let list: Vec<Value> = found.iter().map(answer::listed_conversation).collect();
            Ok(plain(json!({ "conversations": list })))
        }
        ConversationAction::Read => {
            let before = args.before.map(|Whole(position)| position);
            let (conversation, page) =
                client.transcript(name, before, count(args.limit, STANDARD_MESSAGES)).await?;
            let messages: Vec<Value> = page.messages.iter().map(answer::message).collect();
            let value = json!({
                "conversation": answer::conversation(&conversation), "messages": messages, "earlier": page.earlier,
            });
            Ok(with_text(value, answer::transcript(&page.messages)))
        }
        ConversationAction::Search => {
            let (query, channel) = (needed(args.query, "query")?, args.channel.as_deref());
            let limit = count(args.limit, STANDARD_FOUND);
            let found = client.search_messages(channel, name, &query, limit).await?;
            let list: Vec<Value> = found.iter().map(answer::found_message).collect();
            let messages: Vec<Message> = found.into_iter().map(|(_, message)| message).collect();
            Ok(with_text(json!({ "messages": list }), answer::transcript(&messages)))
        }
        ConversationAction::Append => {
            let message = client.say(name, &needed(args.text, "text")?).await?;
            Ok(plain(json!({ "position": message.position, "role": message.body.role.as_str() })))
        }
    }
}

async fn scratchpad(client: &ClientSession, args: Scratchpad) -> Answer {
    let name = args.conversation.as_deref();
    match (args.action, args.key) {
        (ScratchpadAction::Write, key) => {
            let (key, value) = (needed(key, "key")?, needed(args.value, "value")?);
            let ttl = args.ttl_seconds.and_then(|Whole(seconds)| u32::try_from(seconds).ok());
            let note = client.write_note(name, &key, &value.to_string(), ttl).await?;
            Ok(plain(json!({ "key": note.key, "written": true })))
        }
        (ScratchpadAction::Clear, key) => {
            Ok(plain(json!({ "cleared": client.clear_notes(name, key.as_deref()).await? })))
        }
        (ScratchpadAction::Read, None) => {
            let notes: Vec<Value> = client.notes(name).await?.iter().map(answer::note).collect();
            Ok(plain(json!({ "notes": notes })))
        }
        (ScratchpadAction::Read, Some(key)) => Ok(plain(match client.read_note(name, &key).await? {
            Some(note) => json!({ "found": true, "note": answer::note(&note) }),
            None => json!({ "found": false }),
        })),
    }
}

async fn proposal_create(client: &ClientSession, args: ProposalCreate) -> Answer {
    let filed = client.propose(args.kind.into(), &args.ids, args.content, &args.reason).await?;
    Ok(plain(match filed {
        Proposed::Filed(id) => {
            json!({ "filed": true, "id": id.to_string(), "note": "the worldbuilder decides" })
        }
        Proposed::Before => {
            json!({ "filed": false, "note": "this was proposed before; the worldbuilder decides" })
        }
    }))
}

async fn scrub(client: &ClientSession, args: Scrub) -> Answer {
    let at = ScrubAt {
        tier: args.tier,
        channel: args.channel.as_deref(),
        conversation: args.conversation.as_deref(),
        purge: args.purge.unwrap_or_default(),
    };
    match args.action {
        ScrubAction::Preview => Ok(plain(answer::manifest(&client.preview_scrub(at, args.mode).await?))),
        ScrubAction::Execute => {
            let (hash, phrase) = (needed(args.hash, "hash")?, needed(args.phrase, "phrase")?);
            let scrubbed = client.scrub(at, args.mode, &hash, &phrase).await?;
            Ok(plain(json!({
                "manifest": answer::manifest(&scrubbed.manifest),
                "audit": scrubbed.audit.sequence,
                "residues": scrubbed.proof.residues,
            })))
        }
    }
}
