//! The tools. Each parses its arguments, calls one use case of the client session, and returns the result.

mod list;

use inklings_application::{
    client::{ClientSession, NewNote, Noted, ScrubAt, Where},
    memory::remember::Remembered,
    proposal::Proposed,
};
use inklings_domain::{ids::MemoryId, memory::MemoryPatch};
use rmcp::model::{CallToolResult, JsonObject};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use self::list::{KNOWN, all};
use crate::{
    answer::{self, plain, with_text},
    args::{
        ConversationAppend, ConversationGet, ConversationList, FactGet, FactSet, MemoryForget, MemoryHistory,
        MemoryPut, MemoryRead, MemoryUpdate, NamedRead, Nothing, Orient, ProposalCreate, ScratchpadClear,
        ScratchpadList, ScratchpadRead, ScratchpadWrite, ScrubExecute, ScrubPreview,
    },
    refusal::Refusal,
};

type Answer = Result<CallToolResult, Refusal>;

/// Calls a tool by name.
///
/// # Errors
/// [`Refusal`] for invalid arguments, missing permission, or an error of the use case.
pub async fn call(client_session: &ClientSession, name: &str, arguments: JsonObject) -> Answer {
    let with = Value::Object(arguments);
    match name {
        "memory_read" => memory_read(client_session, read(with)?).await,
        "memory_put" => memory_put(client_session, read(with)?).await,
        "memory_update" => memory_update(client_session, read(with)?).await,
        "memory_forget" => memory_forget(client_session, read(with)?).await,
        "memory_history" => memory_history(client_session, read(with)?).await,
        "scratchpad_write" => scratchpad_write(client_session, read(with)?).await,
        "scratchpad_read" => scratchpad_read(client_session, read(with)?).await,
        "scratchpad_list" => scratchpad_list(client_session, read(with)?).await,
        "scratchpad_clear" => scratchpad_clear(client_session, read(with)?).await,
        "fact_set" => fact_set(client_session, read(with)?).await,
        "fact_get" => fact_get(client_session, read(with)?).await,
        "orient" => orient(client_session, read(with)?).await,
        "conversation_list" => conversation_list(client_session, read(with)?).await,
        "conversation_get" => conversation_get(client_session, read(with)?).await,
        "conversation_append" => conversation_append(client_session, read(with)?).await,
        "named_list" => named_list(client_session, read(with)?).await,
        "named_read" => named_read(client_session, read(with)?).await,
        "proposal_create" => proposal_create(client_session, read(with)?).await,
        "workspace_enable_memory" => switch(client_session, read(with)?, true).await,
        "workspace_disable_memory" => switch(client_session, read(with)?, false).await,
        "scrub_preview" => scrub_preview(client_session, read(with)?).await,
        "scrub_execute" => scrub_execute(client_session, read(with)?).await,
        _ => Err(Refusal {
            code: "not_found",
            message: "there is no such tool".into(),
            hint: "List the tools.",
        }),
    }
}

/// Parses arguments. The error message names the field and the expected type, never a value.
fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, Refusal> {
    serde_json::from_value(arguments).map_err(|error| Refusal::invalid(complaint(&error.to_string())))
}

/// The message of serde without values of the caller, which may be memory text. Field names and expected
/// types remain.
fn complaint(message: &str) -> String {
    let message = match message.strip_prefix("unknown variant `").and_then(|rest| rest.split_once('`')) {
        Some((_, rest)) => format!("unknown word{rest}"),
        None => message.to_owned(),
    };
    let parts = message.split('"').enumerate();
    parts.map(|(n, part)| if n % 2 == 0 { part } else { "…" }).collect::<String>().trim().to_owned()
}

fn memory_id(text: &str) -> Result<MemoryId, Refusal> {
    text.parse().map_err(|_| Refusal::invalid("'id' is no memory's id"))
}

fn limit(given: Option<u32>, standard: usize) -> usize {
    given.map_or(standard, |limit| limit as usize)
}

async fn memory_read(client_session: &ClientSession, args: MemoryRead) -> Answer {
    let at = Where { tier: args.tier.into(), name: args.scope.as_deref() };
    let found: Vec<Noted> = client_session.read(at, &args.query, limit(args.limit, 10)).await?;
    Ok(answer::memories(&found))
}

async fn memory_put(client_session: &ClientSession, args: MemoryPut) -> Answer {
    let at = Where { tier: args.tier.into(), name: args.scope.as_deref() };
    let note = NewNote { content: args.content, importance: args.importance, tags: args.tags };
    Ok(plain(match client_session.put(at, note).await? {
        Remembered::Written(written) => {
            let id = written.ids.first().map(ToString::to_string);
            json!({ "id": id, "version": 1, "curator": "agent", "change": written.change.to_string() })
        }
        Remembered::Proposed(proposed) => doubtful(proposed),
    }))
}

async fn memory_update(client_session: &ClientSession, args: MemoryUpdate) -> Answer {
    let id = memory_id(&args.id)?;
    let patch = MemoryPatch {
        content: args.content,
        importance: args.importance,
        tags: args.tags,
        ..MemoryPatch::default()
    };
    Ok(plain(match client_session.update(id, args.version, patch).await? {
        Remembered::Written(written) => {
            json!({ "id": id.to_string(), "change": written.change.to_string() })
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

async fn memory_forget(client_session: &ClientSession, args: MemoryForget) -> Answer {
    let id = memory_id(&args.id)?;
    let written = client_session.forget(id, &args.reason).await?;
    Ok(plain(json!({ "id": id.to_string(), "forgotten": true, "change": written.change.to_string() })))
}

async fn memory_history(client_session: &ClientSession, args: MemoryHistory) -> Answer {
    Ok(plain(answer::history(&client_session.history(memory_id(&args.id)?).await?)))
}

async fn scratchpad_write(client_session: &ClientSession, args: ScratchpadWrite) -> Answer {
    let value = args.value.to_string();
    let note = client_session.write_note(&args.conversation, &args.key, &value, args.ttl_seconds).await?;
    Ok(plain(json!({ "key": note.key, "written": true })))
}

async fn scratchpad_read(client_session: &ClientSession, args: ScratchpadRead) -> Answer {
    let found = client_session.read_note(&args.conversation, &args.key).await?;
    Ok(plain(match found {
        Some(note) => json!({ "found": true, "note": answer::note(&note) }),
        None => json!({ "found": false }),
    }))
}

async fn scratchpad_list(client_session: &ClientSession, args: ScratchpadList) -> Answer {
    let notes = client_session.notes(&args.conversation).await?;
    Ok(plain(json!({ "notes": notes.iter().map(answer::note).collect::<Vec<_>>() })))
}

async fn scratchpad_clear(client_session: &ClientSession, args: ScratchpadClear) -> Answer {
    let cleared = client_session.clear_notes(&args.conversation, args.key.as_deref()).await?;
    Ok(plain(json!({ "cleared": cleared })))
}

async fn fact_set(client_session: &ClientSession, args: FactSet) -> Answer {
    let set = client_session.set_fact(&args.category, &args.key, &args.value).await?;
    let note = "this contradicts the worldbuilder's own word; they will settle it";
    Ok(plain(if set.claimed {
        json!({ "claimed": true, "note": note })
    } else {
        json!({ "claimed": false })
    }))
}

async fn fact_get(client_session: &ClientSession, args: FactGet) -> Answer {
    let facts = client_session.facts(&args.category, args.key.as_deref()).await?;
    let facts: Vec<Value> = facts.iter().map(answer::fact).collect();
    Ok(plain(json!({ "framing": answer::FRAMING, "facts": facts })))
}

async fn orient(client_session: &ClientSession, args: Orient) -> Answer {
    let budget = args.budget.map(u64::from);
    Ok(answer::orientation(&client_session.orient(&args.query, budget, args.conversation.as_deref()).await?))
}

async fn conversation_list(client_session: &ClientSession, args: ConversationList) -> Answer {
    let conversations = client_session.conversations(args.channel.as_deref(), limit(args.limit, 20)).await?;
    Ok(plain(
        json!({ "conversations": conversations.iter().map(answer::listed_conversation).collect::<Vec<_>>() }),
    ))
}

async fn conversation_get(client_session: &ClientSession, args: ConversationGet) -> Answer {
    let (conversation, page) =
        client_session.transcript(&args.conversation, args.before, limit(args.limit, 50)).await?;
    let messages: Vec<Value> = page.messages.iter().map(answer::message).collect();
    let value = json!({ "conversation": answer::conversation(&conversation), "messages": messages, "earlier": page.earlier });
    Ok(with_text(value, answer::transcript(&page.messages)))
}

async fn conversation_append(client_session: &ClientSession, args: ConversationAppend) -> Answer {
    let message = client_session.say(&args.conversation, &args.text).await?;
    Ok(plain(json!({ "position": message.position, "role": message.body.role.as_str() })))
}

async fn named_list(client_session: &ClientSession, _: Nothing) -> Answer {
    let entries = client_session.named_entries().await?;
    let list: Vec<Value> = entries.iter().map(|entry| answer::named(entry, false)).collect();
    Ok(plain(json!({ "entries": list })))
}

async fn named_read(client_session: &ClientSession, args: NamedRead) -> Answer {
    Ok(plain(answer::named(&client_session.named_entry(&args.name).await?, true)))
}

async fn proposal_create(client_session: &ClientSession, args: ProposalCreate) -> Answer {
    let ids: Result<Vec<MemoryId>, Refusal> = args.ids.iter().map(|id| memory_id(id)).collect();
    let filed = client_session.propose(args.kind.into(), &ids?, args.content, &args.reason).await?;
    Ok(plain(match filed {
        Proposed::Filed(id) => {
            json!({ "filed": true, "id": id.to_string(), "note": "the worldbuilder decides" })
        }
        Proposed::Before => {
            json!({ "filed": false, "note": "this was proposed before; the worldbuilder decides" })
        }
    }))
}

async fn switch(client_session: &ClientSession, _: Nothing, enabled: bool) -> Answer {
    client_session.switch_memory(enabled).await?;
    Ok(plain(json!({ "memory_enabled": enabled })))
}

async fn scrub_preview(client_session: &ClientSession, args: ScrubPreview) -> Answer {
    let at = ScrubAt { tier: args.tier.into(), name: args.scope.as_deref(), purge: args.purge };
    let manifest = client_session.preview_scrub(at, args.mode.into()).await?;
    Ok(plain(answer::manifest(&manifest)))
}

async fn scrub_execute(client_session: &ClientSession, args: ScrubExecute) -> Answer {
    let at = ScrubAt { tier: args.tier.into(), name: args.scope.as_deref(), purge: args.purge };
    let scrubbed = client_session.scrub(at, args.mode.into(), &args.hash, &args.phrase).await?;
    Ok(plain(json!({
        "manifest": answer::manifest(&scrubbed.manifest),
        "audit": scrubbed.audit.sequence,
        "residues": scrubbed.proof.residues,
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_about_arguments_names_the_field_and_repeats_no_value() {
        let wrong = json!({ "tier": "The secret of Veyra", "query": "x" });
        let refusal = read::<MemoryRead>(wrong).expect_err("no such tier");
        assert!(!refusal.message.contains("Veyra"), "{}", refusal.message);
        let unknown = json!({ "tier": "workspace", "curator": "author", "content": "x" });
        let refusal = read::<MemoryPut>(unknown).expect_err("nobody chooses its curator");
        assert!(refusal.message.contains("curator"), "{}", refusal.message);
    }

    #[test]
    fn every_tool_that_is_listed_has_a_name_clients_accept_and_a_dotted_title() {
        let tools = all();
        assert_eq!(tools.len(), KNOWN.len());
        for tool in &tools {
            assert!(tool.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{}", tool.name);
            assert!(tool.title.is_some() && tool.annotations.is_some(), "{}", tool.name);
            assert_eq!(tool.input_schema.get("type"), Some(&json!("object")), "{}", tool.name);
        }
    }
}
