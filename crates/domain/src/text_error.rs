//! Why a text is refused.

/// The reason a text was refused. Error messages never contain the text itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// The text is empty or only white space.
    #[error("the {field} is empty")]
    Empty {
        /// Name of the field.
        field: &'static str,
    },
    #[error("the {field} is too long: {actual} {unit}, at most {limit}")]
    TooLong {
        /// Name of the field.
        field: &'static str,
        /// Actual length.
        actual: usize,
        /// Maximum length.
        limit: usize,
        /// "bytes" or "characters".
        unit: &'static str,
    },
    /// The text has a control character (including NUL) that is not allowed.
    #[error("the {field} contains the control character U+{code:04X} at position {position}")]
    Control {
        /// Name of the field.
        field: &'static str,
        /// The code point.
        code: u32,
        /// Character position, counted from 0.
        position: usize,
    },
    /// The text has a direction character, which is allowed in prose but not in names, tags and labels.
    #[error("the {field} contains the invisible direction mark U+{code:04X}, which could disguise it")]
    Bidi {
        /// Name of the field.
        field: &'static str,
        /// The code point.
        code: u32,
    },
    /// The text has a character that a model reads and people cannot see.
    #[error(
        "the {field} contains the hidden character U+{code:04X} at position {position}; write it without"
    )]
    Hidden {
        /// Name of the field.
        field: &'static str,
        /// The code point.
        code: u32,
        /// Character position, counted from 0.
        position: usize,
    },
    /// More keys than one entry may have.
    #[error("{actual} keys are too many: at most {limit}")]
    TooManyKeys {
        /// Actual number.
        actual: usize,
        /// Maximum number.
        limit: usize,
    },
    /// More tags than one entry may have.
    #[error("{actual} tags are too many: at most {limit}")]
    TooManyTags {
        /// Actual number.
        actual: usize,
        /// Maximum number.
        limit: usize,
    },
}
