//! The tools that models call: one definition for the World Agent and for MCP clients. Each caller sees the part
//! that it may use, and both parse arguments in the same way. What a call does is decided by the caller's own
//! use cases, which check every right again.

pub mod argument;
pub mod arguments;
mod catalogue;
mod recorded;

use inklings_domain::{
    client::{Capability, Grants, Verb},
    scope::MemoryScope,
};
use serde_json::{Map, Value};

use self::argument::{Field, Kind, kind_of};
pub(crate) use self::recorded::{is_shown_action, recorded};
pub use self::{
    argument::InvalidArgument,
    catalogue::{Call, TOOLS},
};

/// The effect of an action on what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Reads only.
    Reads,
    /// Adds something; twice adds twice.
    Adds,
    /// Sets something; twice is the same as once.
    Sets,
    /// Removes or overwrites something.
    Takes,
}

/// The grant that an action needs.
#[derive(Debug, Clone, Copy)]
pub struct Need {
    /// Access to a tier, if it needs any.
    pub verb: Option<Verb>,
    /// The tier; any one of the four if `None`.
    pub tier: Option<MemoryScope>,
    /// A capability besides.
    pub capability: Option<Capability>,
}

impl Need {
    /// True if the grants include it, in at least one channel or conversation where these matter.
    pub fn is_met(&self, grants: &Grants) -> bool {
        let may = |verb| match self.tier {
            Some(tier) => grants.may_somewhere(verb, tier),
            None => MemoryScope::ALL.iter().any(|tier| grants.may_somewhere(verb, *tier)),
        };
        self.verb.is_none_or(may) && self.capability.is_none_or(|capability| grants.can(capability))
    }
}

/// What a tool does: a tool with one purpose has one action without a word.
#[derive(Debug, Clone, Copy)]
pub struct Action {
    /// Value of the argument `action`; empty if the tool has no such argument.
    pub word: &'static str,
    /// Effect on what is stored.
    pub effect: Effect,
    /// The grant that it needs.
    pub need: Need,
    /// Description for the model.
    pub description: &'static str,
    /// True if the World Agent has it.
    pub world_agent: bool,
}

/// Definition of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// Name in the protocol: lower-case letters and underscores, because many clients refuse dots.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// The description begins with this.
    pub description: &'static str,
    /// What it does.
    pub actions: &'static [Action],
    /// Its arguments.
    pub fields: &'static [Field],
}

/// Who is shown the tools.
#[derive(Debug, Clone, Copy)]
pub enum Caller<'a> {
    /// The World Agent in a conversation, which fixes the channel and, for memory, the conversation.
    WorldAgent,
    /// A client with these grants.
    Client(&'a Grants),
}

/// A tool as one caller sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedTool {
    /// Name in the protocol.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Description for the model.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Map<String, Value>,
    /// Effects of the actions that the caller may use.
    pub effects: Vec<Effect>,
}

/// The tools that a caller may use, in list order.
pub fn list(caller: Caller<'_>) -> Vec<ListedTool> {
    TOOLS.iter().filter_map(|tool| tool.listed(caller)).collect()
}

impl Tool {
    /// The tool as a caller sees it; `None` if the caller may use none of its actions.
    pub fn listed(&self, caller: Caller<'_>) -> Option<ListedTool> {
        let may_use = |action: &&Action| match caller {
            Caller::WorldAgent => action.world_agent,
            Caller::Client(grants) => action.need.is_met(grants),
        };
        let actions: Vec<&Action> = self.actions.iter().filter(may_use).collect();
        if actions.is_empty() {
            return None;
        }
        let descriptions = actions.iter().map(|action| action.description);
        let description: Vec<&str> =
            std::iter::once(self.description).chain(descriptions).filter(|text| !text.is_empty()).collect();
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for field in self.fields.iter().filter(|field| is_shown(field, caller, &actions)) {
            properties.insert(field.name.to_owned(), field.schema(words(field, caller, &actions).as_deref()));
            required.extend(field.required.then(|| Value::from(field.name)));
        }
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), properties.into());
        if !required.is_empty() {
            schema.insert("required".to_owned(), required.into());
        }
        schema.insert("additionalProperties".to_owned(), false.into());
        Some(ListedTool {
            name: self.name,
            title: self.title,
            description: description.join(" "),
            schema,
            effects: actions.iter().map(|action| action.effect).collect(),
        })
    }
}

/// True if a field is of use to a caller.
fn is_shown(field: &Field, caller: Caller<'_>, actions: &[&Action]) -> bool {
    let used = field.actions.is_empty() || actions.iter().any(|action| field.actions.contains(&action.word));
    let reads_pages = || actions.iter().any(|action| action.need.capability == Some(Capability::ReadPages));
    used && match (field.name, caller) {
        // The World Agent is shown the named entries in its orientation.
        ("name" | "history" | "channel", Caller::WorldAgent) => false,
        ("page" | "heading" | "next", _) => reads_pages(),
        // Its place is its conversation; only an action on conversations takes another one.
        ("conversation", Caller::WorldAgent) => !field.actions.is_empty(),
        // The reason goes into the proposal that the World Agent files for a locked entry.
        ("reason", Caller::Client(_)) => field.required,
        ("channel", Caller::Client(grants)) => !grants.channels.is_empty(),
        ("conversation", Caller::Client(grants)) => {
            grants.may_somewhere(Verb::Read, MemoryScope::Conversation)
        }
        _ => true,
    }
}

/// The words of a field that a caller may use: its actions and tiers. `None`: all of them.
fn words(field: &Field, caller: Caller<'_>, actions: &[&Action]) -> Option<Vec<&'static str>> {
    match (field.name, field.kind, caller) {
        ("action", ..) => Some(actions.iter().map(|action| action.word).collect()),
        ("tier", Kind::Word(_), Caller::Client(grants)) => {
            let verb = actions.first().and_then(|action| action.need.verb).unwrap_or(Verb::Read);
            let may = |tier: &&MemoryScope| grants.may_somewhere(verb, **tier);
            Some(MemoryScope::ALL.iter().filter(may).map(|tier| tier.as_str()).collect())
        }
        _ => None,
    }
}

/// Parses the arguments of a call as JSON text; an empty text stands for none.
///
/// # Errors
/// [`InvalidArgument`] if it is no JSON object, or as [`Call::parse`].
pub fn parse(name: &str, arguments: &str) -> Result<Call, InvalidArgument> {
    Call::parse(name, &object_in(arguments)?)
}

/// The arguments of a call in any form that a model gives them: an object, or its JSON text.
///
/// # Errors
/// [`InvalidArgument::NoObject`].
pub fn object(arguments: Value) -> Result<Map<String, Value>, InvalidArgument> {
    match arguments {
        Value::Object(arguments) => Ok(arguments),
        Value::String(text) => object_in(&text),
        other => Err(InvalidArgument::NoObject { found: kind_of(&other) }),
    }
}

fn object_in(text: &str) -> Result<Map<String, Value>, InvalidArgument> {
    let text = if text.trim().is_empty() { "{}" } else { text };
    match serde_json::from_str(text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(other) => Err(InvalidArgument::NoObject { found: kind_of(&other) }),
        Err(_) => Err(InvalidArgument::NoObject { found: "no JSON" }),
    }
}
