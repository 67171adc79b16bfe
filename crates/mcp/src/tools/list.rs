//! The list of tools: names, titles, annotations, schemas.

use std::sync::Arc;

use rmcp::{
    handler::server::common::schema_for_type,
    model::{JsonObject, Tool, ToolAnnotations},
};

use crate::args::{
    ConversationAppend, ConversationGet, ConversationList, FactGet, FactSet, MemoryForget, MemoryHistory,
    MemoryPut, MemoryRead, MemoryUpdate, NamedRead, Nothing, Orient, ProposalCreate, ScratchpadClear,
    ScratchpadList, ScratchpadRead, ScratchpadWrite, ScrubExecute, ScrubPreview,
};

/// The effect of a tool on memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Read only.
    Reads,
    /// Adds something; not idempotent.
    Adds,
    /// Sets something; idempotent.
    Sets,
    /// Removes or overwrites something.
    Takes,
}

/// Definition of a tool without its schema.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Name in the protocol, without dots, because many clients refuse them.
    pub name: &'static str,
    /// Dotted name for users.
    pub title: &'static str,
    /// Description of the tool for the model.
    pub description: &'static str,
    /// Effect on memory.
    pub effect: Effect,
    schema: fn() -> Arc<JsonObject>,
}

const fn tool(
    name: &'static str,
    title: &'static str,
    effect: Effect,
    schema: fn() -> Arc<JsonObject>,
    description: &'static str,
) -> Known {
    Known { name, title, description, effect, schema }
}

use Effect::{Adds, Reads, Sets, Takes};

/// All tools in list order.
pub const KNOWN: &[Known] = &[
    tool(
        "memory_read",
        "memory.read",
        Reads,
        schema_for_type::<MemoryRead>,
        "Searches one tier of memory by words and meaning. What it gives was noted before: candidates to check, not facts.",
    ),
    tool(
        "memory_put",
        "memory.put",
        Adds,
        schema_for_type::<MemoryPut>,
        "Remembers something new that will matter later. Refused if it is noted already or can be read elsewhere anyway. \
         What may be about a world is filed as a proposal for the account instead.",
    ),
    tool(
        "memory_update",
        "memory.update",
        Takes,
        schema_for_type::<MemoryUpdate>,
        "Rewrites a memory that an agent wrote. What belongs to the worldbuilder is locked: use proposal_create.",
    ),
    tool(
        "memory_forget",
        "memory.forget",
        Takes,
        schema_for_type::<MemoryForget>,
        "Takes a memory that an agent wrote out of use. The worldbuilder can restore it.",
    ),
    tool(
        "memory_history",
        "memory.history",
        Reads,
        schema_for_type::<MemoryHistory>,
        "Every version of a memory, newest first, with who made it.",
    ),
    tool(
        "scratchpad_write",
        "scratchpad.write",
        Sets,
        schema_for_type::<ScratchpadWrite>,
        "Keeps a JSON value for yourself in a conversation. Working notes are not memory.",
    ),
    tool(
        "scratchpad_read",
        "scratchpad.read",
        Reads,
        schema_for_type::<ScratchpadRead>,
        "Reads one of a conversation's working notes.",
    ),
    tool(
        "scratchpad_list",
        "scratchpad.list",
        Reads,
        schema_for_type::<ScratchpadList>,
        "Every working note of a conversation.",
    ),
    tool(
        "scratchpad_clear",
        "scratchpad.clear",
        Takes,
        schema_for_type::<ScratchpadClear>,
        "Removes one working note of a conversation, or all of them. Only the worldbuilder can bring them back.",
    ),
    tool(
        "fact_set",
        "fact.set",
        Sets,
        schema_for_type::<FactSet>,
        "Records a fact. What contradicts the worldbuilder's own word is kept as a claim for them to settle.",
    ),
    tool(
        "fact_get",
        "fact.get",
        Reads,
        schema_for_type::<FactGet>,
        "Reads facts: one by category and key, or all of a category.",
    ),
    tool(
        "orient",
        "memory.orient",
        Reads,
        schema_for_type::<Orient>,
        "What you should have before you begin: the worldbuilder's standing notes, facts, and what memory holds about the \
         query, within a budget of tokens.",
    ),
    tool(
        "conversation_list",
        "conversation.list",
        Reads,
        schema_for_type::<ConversationList>,
        "Conversations in which you take part, latest activity first.",
    ),
    tool(
        "conversation_get",
        "conversation.get",
        Reads,
        schema_for_type::<ConversationGet>,
        "What was said in a conversation, in order: the last messages, or the last before a position.",
    ),
    tool(
        "conversation_append",
        "conversation.append",
        Adds,
        schema_for_type::<ConversationAppend>,
        "Says something in a conversation, as the agent. Only the worldbuilder can take it back.",
    ),
    tool(
        "named_list",
        "named.list",
        Reads,
        schema_for_type::<Nothing>,
        "The worldbuilder's named entries (VOICE, SOUL and others), without their texts.",
    ),
    tool(
        "named_read",
        "named.read",
        Reads,
        schema_for_type::<NamedRead>,
        "A named entry whole, by its name or an alias.",
    ),
    tool(
        "proposal_create",
        "proposal.create",
        Adds,
        schema_for_type::<ProposalCreate>,
        "Proposes what you may not do yourself: another text, a merge, retiring memories, or a contradiction. The worldbuilder \
         decides.",
    ),
    tool(
        "workspace_enable_memory",
        "workspace.enable_memory",
        Sets,
        schema_for_type::<Nothing>,
        "Switches the capture of memory in this workspace on.",
    ),
    tool(
        "workspace_disable_memory",
        "workspace.disable_memory",
        Sets,
        schema_for_type::<Nothing>,
        "Switches the capture of memory in this workspace off: agents and tasks add nothing durable. What is there stays.",
    ),
    tool(
        "scrub_preview",
        "scrub.preview",
        Reads,
        schema_for_type::<ScrubPreview>,
        "What a scrub would destroy, in numbers, with the hash and the phrase that executing it needs. Changes nothing.",
    ),
    tool(
        "scrub_execute",
        "scrub.execute",
        Takes,
        schema_for_type::<ScrubExecute>,
        "Destroys for good what a manifest names: it cannot be taken back. Refused if anything changed since the manifest.",
    ),
];

/// All tools in the form of the protocol.
pub fn all() -> Vec<Tool> {
    KNOWN.iter().map(listed).collect()
}

fn listed(known: &Known) -> Tool {
    let hints = ToolAnnotations::with_title(known.title)
        .read_only(known.effect == Reads)
        .destructive(known.effect == Takes)
        .idempotent(matches!(known.effect, Reads | Sets))
        .open_world(false);
    let mut schema = (*(known.schema)()).clone();
    // The description is in the tool; a schema without properties must have an empty object.
    schema.remove("title");
    schema.remove("description");
    schema.entry("properties").or_insert_with(|| serde_json::json!({}));
    Tool::new(known.name, known.description, schema).with_title(known.title).with_annotations(hints)
}
