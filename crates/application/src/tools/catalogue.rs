//! The table of tools. Memory has a tool for each verb; every other subject is one tool with an `action`.

use inklings_domain::{
    client::{Capability, Verb},
    scope::MemoryScope,
};
use serde_json::{Map, Value};

use super::{
    Action, Effect, Need, Tool,
    argument::InvalidArgument,
    arguments::{
        AgentTelemetry, Conversation, Fact, MemoryForget, MemoryGet, MemoryPut, MemorySearch, MemorySwitch,
        MemoryUpdate, Orient, ProposalCreate, Scratchpad, Scrub,
    },
};

/// Declares the call of each tool and its parser.
macro_rules! calls {
    ($($name:literal => $arguments:ident),+ $(,)?) => {
        /// A call of a tool with its arguments.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Call {
            $(#[doc = concat!("A call of `", $name, "`.")] $arguments($arguments),)+
        }

        impl Call {
            /// Parses the arguments of a call.
            ///
            /// # Errors
            /// [`InvalidArgument`] for an unknown tool or invalid arguments.
            pub fn parse(name: &str, arguments: &Map<String, Value>) -> Result<Self, InvalidArgument> {
                match name {
                    $($name => $arguments::parse(arguments).map(Self::$arguments),)+
                    _ => Err(InvalidArgument::UnknownTool),
                }
            }
        }
    };
}

calls! {
    "orient" => Orient,
    "memory_search" => MemorySearch,
    "memory_get" => MemoryGet,
    "memory_put" => MemoryPut,
    "memory_update" => MemoryUpdate,
    "memory_forget" => MemoryForget,
    "fact" => Fact,
    "conversation" => Conversation,
    "scratchpad" => Scratchpad,
    "proposal_create" => ProposalCreate,
    "memory_switch" => MemorySwitch,
    "scrub" => Scrub,
    "agent_telemetry" => AgentTelemetry,
}

const READS: Need = Need { verb: Some(Verb::Read), tier: None, capability: None };
const WRITES: Need = Need { verb: Some(Verb::Write), tier: None, capability: None };

const fn on(verb: Verb, tier: MemoryScope) -> Need {
    Need { verb: Some(verb), tier: Some(tier), capability: None }
}

const fn capable(verb: Option<Verb>, capability: Capability) -> Need {
    Need { verb, tier: None, capability: Some(capability) }
}

/// Telemetry is of no tier.
const TELEMETRY: Need = capable(None, Capability::AgentTelemetry);

/// The only action of a tool.
const fn only(effect: Effect, need: Need) -> Action {
    Action { word: "", effect, need, description: "" }
}

const fn action(word: &'static str, effect: Effect, need: Need, description: &'static str) -> Action {
    Action { word, effect, need, description }
}

use Effect::{Adds, Reads, Sets, Takes};

/// All tools in list order.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "orient",
        title: "Orient before a task",
        description: "Call this first. Gives what you should know before you begin: the worldbuilder's standing notes, facts, \
                      and what memory holds about the query, in one document within a budget.",
        actions: &[only(Reads, READS)],
        fields: Orient::FIELDS,
        world_agent: false,
    },
    Tool {
        name: "memory_search",
        title: "Search memory",
        description: "Finds memories by words and meaning, best first, each with its id. What it gives was noted before: \
                      candidates to check, not facts.",
        actions: &[only(Reads, READS)],
        fields: MemorySearch::FIELDS,
        world_agent: true,
    },
    Tool {
        name: "memory_get",
        title: "Open one memory",
        description: "Opens one memory by its id, or a named entry of the worldbuilder (VOICE, SOUL and others) by its name. \
                      Without arguments: the list of named entries.",
        actions: &[only(Reads, READS)],
        fields: MemoryGet::FIELDS,
        world_agent: false,
    },
    Tool {
        name: "memory_put",
        title: "Remember something new",
        description: "Adds a new memory that will matter later. Refused if it is noted already or can be read elsewhere. What \
                      may be about a world is proposed for the account instead.",
        actions: &[only(Adds, WRITES)],
        fields: MemoryPut::FIELDS,
        world_agent: true,
    },
    Tool {
        name: "memory_update",
        title: "Change a memory",
        description: "Changes an existing memory that an agent wrote. The worldbuilder's own entries are locked; a change to \
                      one can only be proposed.",
        actions: &[only(Takes, WRITES)],
        fields: MemoryUpdate::FIELDS,
        world_agent: true,
    },
    Tool {
        name: "memory_forget",
        title: "Forget a memory",
        description: "Takes a memory that an agent wrote out of use; it can be restored. The worldbuilder's own entries are \
                      locked.",
        actions: &[only(Takes, WRITES)],
        fields: MemoryForget::FIELDS,
        world_agent: true,
    },
    Tool {
        name: "fact",
        title: "Facts of the world",
        description: "Facts: short values by category and key.",
        actions: &[
            action(
                "get",
                Reads,
                on(Verb::Read, MemoryScope::Workspace),
                "get: reads one, or all of a category.",
            ),
            action(
                "set",
                Sets,
                on(Verb::Write, MemoryScope::Workspace),
                "set: records one; one key may have several values, each at a time of its own. What contradicts the worldbuilder's \
                 own word is kept as a claim for them to settle.",
            ),
        ],
        fields: Fact::FIELDS,
        world_agent: true,
    },
    Tool {
        name: "conversation",
        title: "Conversations",
        description: "Conversations in which you take part.",
        actions: &[
            action(
                "list",
                Reads,
                on(Verb::Read, MemoryScope::Conversation),
                "list: latest activity first, with reference codes.",
            ),
            action(
                "read",
                Reads,
                on(Verb::Read, MemoryScope::Conversation),
                "read: the last messages, or the last before a position.",
            ),
            action(
                "append",
                Adds,
                on(Verb::Write, MemoryScope::Conversation),
                "append: says something as the agent; only the worldbuilder can take it back.",
            ),
        ],
        fields: Conversation::FIELDS,
        world_agent: false,
    },
    Tool {
        name: "scratchpad",
        title: "Working notes",
        description: "Your own working notes in a conversation. They are not memory.",
        actions: &[
            action("read", Reads, on(Verb::Read, MemoryScope::Conversation), "read: one note, or all."),
            action(
                "write",
                Sets,
                on(Verb::Write, MemoryScope::Conversation),
                "write: keeps a value under a key. It is not shown to you unless you read it.",
            ),
            action(
                "clear",
                Takes,
                on(Verb::Write, MemoryScope::Conversation),
                "clear: removes one note, or all.",
            ),
        ],
        fields: Scratchpad::FIELDS,
        world_agent: true,
    },
    Tool {
        name: "proposal_create",
        title: "Propose a change",
        description: "Proposes what you may not do yourself, such as a change of the worldbuilder's own entries. The \
                      worldbuilder decides.",
        actions: &[only(Adds, capable(Some(Verb::Read), Capability::Propose))],
        fields: ProposalCreate::FIELDS,
        world_agent: false,
    },
    Tool {
        name: "memory_switch",
        title: "Switch memory on or off",
        description: "Switches the capture of memory in this workspace on or off.",
        actions: &[only(Sets, capable(None, Capability::MemorySwitch))],
        fields: MemorySwitch::FIELDS,
        world_agent: false,
    },
    Tool {
        name: "scrub",
        title: "Destroy memory for good",
        description: "Permanent removal; it cannot be taken back.",
        actions: &[
            action(
                "preview",
                Reads,
                capable(Some(Verb::Write), Capability::ScrubPreview),
                "preview: counts what would be destroyed, with the hash and phrase that execute needs. Changes nothing.",
            ),
            action(
                "execute",
                Takes,
                capable(Some(Verb::Write), Capability::ScrubExecute),
                "execute: destroys it. Refused if anything changed since the preview.",
            ),
        ],
        fields: Scrub::FIELDS,
        world_agent: false,
    },
    Tool {
        name: "agent_telemetry",
        title: "How agents work here",
        description: "What calls of tools led to in this workspace: types of actions and outcomes, never text.",
        actions: &[
            action("search", Reads, TELEMETRY, "search: patterns, and sequences of actions by their steps."),
            action(
                "context",
                Reads,
                TELEMETRY,
                "context: before a task, the patterns of your tools and sequences that are like it.",
            ),
            action("annotate", Sets, TELEMETRY, "annotate: judges a pattern, or hides it from agents."),
            action(
                "metric_create",
                Adds,
                TELEMETRY,
                "metric_create: counts the actions that match every given part, each day.",
            ),
            action("benchmark_get", Reads, TELEMETRY, "benchmark_get: the values of metrics by day."),
        ],
        fields: AgentTelemetry::FIELDS,
        world_agent: false,
    },
];
