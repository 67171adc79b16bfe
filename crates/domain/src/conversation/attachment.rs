//! Files that the worldbuilder attaches to a message. An attachment is a message of its own, directly before the one that it is
//! sent with (ADR 57).

use crate::{
    conversation::message,
    text::{self, TextError},
};

/// Maximum size of one attached text in UTF-8 bytes: 256 KiB.
pub const MAX_ATTACHMENT_BYTES: usize = 256 * 1024;
/// Maximum number of attachments of one message.
pub const MAX_ATTACHMENTS: usize = 8;
/// Maximum length of the name of an attachment, in characters.
pub const MAX_NAME_CHARS: usize = 255;

/// What a message was attached as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    name: String,
}

impl Attachment {
    /// An attached file of this name.
    ///
    /// # Errors
    /// [`TextError`] if the name breaks a rule of [`name`].
    pub fn of_file(file_name: &str) -> Result<Self, TextError> {
        Ok(Self { name: name(file_name)? })
    }

    /// The name of the file, without its folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// An attached text as a model reads it: named, and inside a fence that the text itself cannot close.
    pub fn framed(&self, text: &str) -> String {
        let fence = "`".repeat(longest_run(text).max(2) + 1);
        format!("Attached file \"{}\":\n{fence}\n{text}\n{fence}", self.name)
    }
}

/// Checks the name of an attachment: a single line without control or direction characters.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn name(name: &str) -> Result<String, TextError> {
    text::given("attachment", name.trim(), MAX_NAME_CHARS)
}

/// Checks an attached text: at most [`MAX_ATTACHMENT_BYTES`], and by the rules of every message.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn content(text: &str) -> Result<String, TextError> {
    if text.len() > MAX_ATTACHMENT_BYTES {
        let (actual, limit) = (text.len(), MAX_ATTACHMENT_BYTES);
        return Err(TextError::TooLong { field: "attachment", actual, limit, unit: "bytes" });
    }
    message::content(text).map_err(|error| match error {
        TextError::Empty { .. } => TextError::Empty { field: "attachment" },
        error => error,
    })
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_and_the_name_of_an_attachment_are_limited() {
        assert!(content(&"x".repeat(MAX_ATTACHMENT_BYTES)).is_ok());
        let long = content(&"x".repeat(MAX_ATTACHMENT_BYTES + 1));
        assert!(matches!(long, Err(TextError::TooLong { limit: MAX_ATTACHMENT_BYTES, .. })));
        assert_eq!(content(" \n"), Err(TextError::Empty { field: "attachment" }));
        assert!(Attachment::of_file("a\nb.md").is_err() && Attachment::of_file("a\u{202E}dm.md").is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_text_closes_the_fence_around_it(text in "(`|a|\n){0,40}") {
            let framed = Attachment::of_file("a.md").expect("a name").framed(&text);
            let fence = framed.lines().nth(1).expect("a fence").to_owned();
            proptest::prop_assert!(!text.contains(&fence));
        }
    }
}
