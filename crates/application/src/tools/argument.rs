//! Fields of tool arguments: one declaration gives the typed struct, its parser and its JSON schema.

use inklings_domain::{
    agent_telemetry::{ActionType, ErrorCode, Outcome, TargetType, metric::Measure, pattern::Annotation},
    ids::{MemoryId, PageId},
    scope::MemoryScope,
    scrub::ScrubMode,
};
use serde_json::{Map, Value, json};

/// Longest name of an unknown argument that an error repeats; a longer one may be text.
const MAX_NAME_CHARS: usize = 32;

/// What a field takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Any text.
    Text,
    /// The id of a memory.
    Id,
    /// The id of a page of a linked vault.
    PageId,
    /// One of some words.
    Word(fn() -> Vec<&'static str>),
    /// A whole number.
    Whole {
        /// The least.
        min: u64,
        /// The most.
        max: u64,
    },
    /// A number from 0 to 1.
    Fraction,
    /// True or false.
    Flag,
    /// A list of texts.
    Texts,
    /// A list of ids of memories.
    Ids,
    /// Any JSON value.
    Any,
}

impl Kind {
    /// What to give, for an error.
    fn expected(self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Id => "the id of a memory, as memory_search tells it".to_owned(),
            Self::PageId => "the id of a page, as memory_search tells it".to_owned(),
            Self::Word(words) => one_of(&words()),
            Self::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Self::Fraction => "a number from 0 to 1".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Texts => "a list of texts".to_owned(),
            Self::Ids => "a list of ids of memories, as memory_search tells them".to_owned(),
            Self::Any => "a value".to_owned(),
        }
    }

    /// The JSON schema, for the given words. It has no type unions, references or number formats, because
    /// some clients refuse these.
    fn schema(self, words: Option<&[&'static str]>) -> Value {
        match self {
            Self::Text | Self::Id | Self::PageId | Self::Any => json!({ "type": "string" }),
            Self::Word(all) => json!({ "type": "string", "enum": words.map_or_else(all, <[_]>::to_vec) }),
            Self::Whole { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Self::Fraction => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Texts | Self::Ids => json!({ "type": "array", "items": { "type": "string" } }),
        }
    }
}

fn one_of(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// A field of the arguments of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Name of the argument.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// True if every call has it.
    pub required: bool,
    /// Description for the model.
    pub description: &'static str,
    /// The actions of the tool that use it; all if empty.
    pub actions: &'static [&'static str],
}

impl Field {
    /// The JSON schema of the field. `words` replaces the words of a field that takes words.
    pub fn schema(&self, words: Option<&[&'static str]>) -> Value {
        let mut schema = self.kind.schema(words);
        schema["description"] = self.description.into();
        schema
    }
}

/// Why arguments were refused. Names a number or a switch, and repeats no text, because it may be memory text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidArgument {
    /// A required argument is missing.
    #[error("'{field}' is missing; give {expected}")]
    Missing {
        /// Name of the argument.
        field: &'static str,
        /// What it takes.
        expected: String,
    },
    /// An argument has a value that it does not take.
    #[error("'{field}' is {found}; give {expected}")]
    Value {
        /// Name of the argument.
        field: &'static str,
        /// The given number or switch, or the kind of the given value.
        found: String,
        /// What it takes.
        expected: String,
    },
    /// The tool has no such argument.
    #[error("{given} is no argument of this tool; it takes {known}")]
    Unknown {
        /// The given name in quotes, or what stands for it.
        given: String,
        /// Names of all arguments.
        known: String,
    },
    /// The arguments are not a JSON object.
    #[error("the arguments are {found}; give a JSON object")]
    NoObject {
        /// Kind of the given value.
        found: &'static str,
    },
    /// There is no such tool.
    #[error("there is no such tool")]
    UnknownTool,
}

/// The kind of a value, for an error.
pub(super) const fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "another number",
        Value::String(_) => "another text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A value for an error: a number or a switch as it is, and of anything else its kind.
fn named(value: &Value) -> String {
    match value {
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => Some(number.to_string())
            .filter(|digits| digits.len() <= MAX_NAME_CHARS)
            .unwrap_or_else(|| kind_of(value).to_owned()),
        _ => kind_of(value).to_owned(),
    }
}

/// A type of a field.
pub trait Argument: Sized {
    /// What the field takes.
    const KIND: Kind;

    /// Reads a value; `None` if the field does not take it.
    fn read(value: &Value) -> Option<Self>;
}

impl Argument for String {
    const KIND: Kind = Kind::Text;

    fn read(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl Argument for MemoryId {
    const KIND: Kind = Kind::Id;

    fn read(value: &Value) -> Option<Self> {
        value.as_str()?.trim().parse().ok()
    }
}

impl Argument for PageId {
    const KIND: Kind = Kind::PageId;

    fn read(value: &Value) -> Option<Self> {
        value.as_str()?.trim().parse().ok()
    }
}

impl Argument for Value {
    const KIND: Kind = Kind::Any;

    fn read(value: &Value) -> Option<Self> {
        Some(value.clone())
    }
}

impl Argument for bool {
    const KIND: Kind = Kind::Flag;

    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}

/// A number, also if it is given as a text.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A whole number in a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole<const MIN: u64, const MAX: u64>(pub u64);

impl<const MIN: u64, const MAX: u64> Argument for Whole<MIN, MAX> {
    const KIND: Kind = Kind::Whole { min: MIN, max: MAX };

    fn read(value: &Value) -> Option<Self> {
        let whole = match value {
            Value::Number(number) => number.as_u64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        // Some programs write every number with a fraction.
        let rounded = || {
            let number =
                number(value).filter(|number| number.fract() == 0.0 && (0.0..=1e15).contains(number))?;
            format!("{number:.0}").parse().ok()
        };
        whole.or_else(rounded).filter(|number| (MIN..=MAX).contains(number)).map(Self)
    }
}

/// A number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fraction(pub f64);

impl Argument for Fraction {
    const KIND: Kind = Kind::Fraction;

    fn read(value: &Value) -> Option<Self> {
        number(value).filter(|number| (0.0..=1.0).contains(number)).map(Self)
    }
}

/// The texts of a list, also if the list is given as JSON in a text, or if a text is given alone.
fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(list @ Value::Array(_)) => texts(&list),
            _ => Some(vec![text.clone()]),
        },
        _ => None,
    }
}

impl Argument for Vec<String> {
    const KIND: Kind = Kind::Texts;

    fn read(value: &Value) -> Option<Self> {
        texts(value)
    }
}

impl Argument for Vec<MemoryId> {
    const KIND: Kind = Kind::Ids;

    fn read(value: &Value) -> Option<Self> {
        texts(value)?.iter().map(|text| text.trim().parse().ok()).collect()
    }
}

macro_rules! domain_words {
    ($($type:ty),+) => {
        $(impl Argument for $type {
            const KIND: Kind = Kind::Word(|| Self::ALL.iter().map(|word| word.as_str()).collect());

            fn read(value: &Value) -> Option<Self> {
                value.as_str()?.trim().parse().ok()
            }
        })+
    };
}

domain_words!(MemoryScope, ScrubMode, ActionType, TargetType, Outcome, ErrorCode, Annotation, Measure);

/// Declares an enum of the words that a field takes.
macro_rules! argument_words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $crate::tools::argument::Argument for $name {
            const KIND: $crate::tools::argument::Kind =
                $crate::tools::argument::Kind::Word(|| vec![$($word),+]);

            fn read(value: &serde_json::Value) -> Option<Self> {
                match value.as_str()?.trim() {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

/// Declares the arguments of a tool: `required` or `optional`, the name, the type, the description for the
/// model, and the actions that use it.
macro_rules! arguments {
    ($(#[$doc:meta])* $name:ident {
        $($need:ident $field:ident: $type:ty = $what:literal $([$($action:literal),+])?;)*
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        #[allow(clippy::doc_markdown, reason = "the descriptions are read by models, and mark nothing up")]
        pub struct $name {
            $(#[doc = $what] pub $field: $crate::tools::argument::arguments!(@type $need $type),)*
        }

        impl $name {
            /// The fields in the order of the schema.
            pub const FIELDS: &'static [$crate::tools::argument::Field] = &[
                $($crate::tools::argument::Field {
                    name: stringify!($field),
                    kind: <$type as $crate::tools::argument::Argument>::KIND,
                    required: $crate::tools::argument::arguments!(@required $need),
                    description: $what,
                    actions: &[$($($action),+)?],
                },)*
            ];

            /// Parses the arguments of a call.
            ///
            /// # Errors
            /// [`InvalidArgument`] for an unknown, missing or invalid argument.
            pub fn parse(
                given: &serde_json::Map<String, serde_json::Value>,
            ) -> Result<Self, $crate::tools::argument::InvalidArgument> {
                $crate::tools::argument::refuse_unknown(given, Self::FIELDS)?;
                Ok(Self {
                    $($field: $crate::tools::argument::$need::<$type>(given, stringify!($field))?,)*
                })
            }
        }
    };
    (@type required $type:ty) => { $type };
    (@type optional $type:ty) => { Option<$type> };
    (@required required) => { true };
    (@required optional) => { false };
}

pub(super) use {argument_words, arguments};

/// Refuses arguments that a tool does not have.
pub(super) fn refuse_unknown(given: &Map<String, Value>, fields: &[Field]) -> Result<(), InvalidArgument> {
    let is_unknown = |name: &&String| !fields.iter().any(|field| field.name == **name);
    let Some(name) = given.keys().find(is_unknown) else { return Ok(()) };
    let is_name = name.chars().count() <= MAX_NAME_CHARS
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    let known: Vec<&str> = fields.iter().map(|field| field.name).collect();
    Err(InvalidArgument::Unknown {
        given: if is_name { format!("'{name}'") } else { "one of the names".to_owned() },
        known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
    })
}

/// An argument that may be left out; null counts as left out.
pub(super) fn optional<T: Argument>(
    given: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<T>, InvalidArgument> {
    let Some(value) = given.get(field).filter(|value| !value.is_null()) else { return Ok(None) };
    let refused = || InvalidArgument::Value { field, found: named(value), expected: T::KIND.expected() };
    T::read(value).map(Some).ok_or_else(refused)
}

/// An argument that every call has.
pub(super) fn required<T: Argument>(
    given: &Map<String, Value>,
    field: &'static str,
) -> Result<T, InvalidArgument> {
    needed(optional(given, field)?, field)
}

/// An argument that one action of a tool needs.
///
/// # Errors
/// [`InvalidArgument::Missing`] if it was left out.
pub fn needed<T: Argument>(given: Option<T>, field: &'static str) -> Result<T, InvalidArgument> {
    given.ok_or_else(|| InvalidArgument::Missing { field, expected: T::KIND.expected() })
}
