//! Resources: named entries, memories, pages and conversations under `inklings://` URIs.

use inklings_application::{
    client::ClientSession, markdown::links::percent_decoded, vault::reading::PagePart,
};
use inklings_domain::{
    agent_telemetry::ErrorCode,
    ids::{MemoryId, PageId},
};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

use crate::{answer, refusal::Refusal};

const NAMED: &str = "inklings://workspace/named/";
const MEMORY: &str = "inklings://memory/";
const PAGE: &str = "inklings://page/";
const CONVERSATION: &str = "inklings://conversation/";
/// Maximum messages of a conversation resource.
const MESSAGES: usize = 200;
/// Maximum number of listed conversations.
const LISTED: usize = 50;

/// The target of a URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A named entry, by name or alias.
    Named(String),
    /// A memory.
    Memory(MemoryId),
    /// A page of a linked vault.
    Page(PageId),
    /// A conversation, by reference code or id.
    Conversation(String),
}

impl Address {
    /// Parses a URI with percent-escapes.
    ///
    /// # Errors
    /// [`Refusal`] for an invalid URI.
    pub fn read(uri: &str) -> Result<Self, Refusal> {
        let unknown = || Refusal {
            code: ErrorCode::NotFound,
            message: "there is no such resource".to_owned(),
            hint: "List the resources and templates.",
        };
        let part =
            |prefix: &str| uri.strip_prefix(prefix).and_then(percent_decoded).filter(|part| !part.is_empty());
        if let Some(name) = part(NAMED) {
            return Ok(Self::Named(name));
        }
        if let Some(id) = part(MEMORY) {
            return id.parse().map(Self::Memory).map_err(|_| unknown());
        }
        if let Some(id) = part(PAGE) {
            return id.parse().map(Self::Page).map_err(|_| unknown());
        }
        part(CONVERSATION).map(Self::Conversation).ok_or_else(unknown)
    }
}

fn escaped(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::new(), |mut all, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            all.push(char::from(byte));
        } else {
            let _ = write!(all, "%{byte:02X}");
        }
        all
    })
}

/// URI templates of the four kinds.
pub fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: String, name: &str, what: &str, mime: &str| {
        ResourceTemplate::new(uri, name).with_description(what).with_mime_type(mime)
    };
    vec![
        template(
            format!("{NAMED}{{name}}"),
            "named entry",
            "A standing note of the worldbuilder.",
            "text/markdown",
        ),
        template(
            format!("{MEMORY}{{id}}"),
            "memory",
            "One memory, with what is known about it.",
            "application/json",
        ),
        template(
            format!("{PAGE}{{id}}"),
            "page",
            "A page that the worldbuilder wrote in a file of their own, for clients that may read pages.",
            "application/json",
        ),
        template(
            format!("{CONVERSATION}{{ref}}"),
            "conversation",
            "What was said, newest last.",
            "text/plain",
        ),
    ]
}

/// Named entries and conversations that the client may read. A tier without permission lists nothing.
///
/// # Errors
/// [`Refusal`] if a database cannot be read, or the client was revoked.
pub async fn list(client_session: &ClientSession) -> Result<Vec<Resource>, Refusal> {
    let mut resources = Vec::new();
    for entry in granted(client_session.named_entries().await.map_err(Refusal::from))?.unwrap_or_default() {
        let name = entry.name.unwrap_or_default();
        resources.push(
            Resource::new(format!("{NAMED}{}", escaped(&name)), name)
                .with_description("A standing note of the worldbuilder.")
                .with_mime_type("text/markdown"),
        );
    }
    for conversation in
        granted(client_session.conversations(None, LISTED).await.map_err(Refusal::from))?.unwrap_or_default()
    {
        let code = conversation.conversation.ref_code.to_string();
        resources.push(
            Resource::new(format!("{CONVERSATION}{}", escaped(&code)), code)
                .with_title(answer::seen(&conversation.conversation.title))
                .with_mime_type("text/plain"),
        );
    }
    Ok(resources)
}

/// Treats a missing permission as absence.
fn granted<T>(result: Result<T, Refusal>) -> Result<Option<T>, Refusal> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(refusal) if refusal.code == ErrorCode::NotGranted => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

/// The content of a resource, with a version mark that changes with the content.
///
/// # Errors
/// [`Refusal`] if there is nothing that the client may read.
pub async fn read(client_session: &ClientSession, uri: &str) -> Result<(ResourceContents, String), Refusal> {
    match Address::read(uri)? {
        Address::Named(name) => {
            let entry = client_session.named_entry(&name).await?;
            let mark = format!("{} {}", entry.id, entry.version);
            Ok((contents(&entry.content, uri).with_mime_type("text/markdown"), mark))
        }
        Address::Memory(id) => {
            let entry = client_session.entry(id).await?;
            let mark = entry.version.to_string();
            let mut value = answer::memory(&client_session.noted_one(entry).await?);
            value["note"] = answer::FRAMING.into();
            let text = serde_json::to_string_pretty(&value).unwrap_or_default();
            Ok((contents(&text, uri).with_mime_type("application/json"), mark))
        }
        Address::Page(id) => {
            let page = client_session.page(id, PagePart::default()).await?;
            let mark = format!("{} {}", page.stat.modified_at, page.stat.size);
            let text = serde_json::to_string_pretty(&answer::page(&page)).unwrap_or_default();
            Ok((contents(&text, uri).with_mime_type("application/json"), mark))
        }
        Address::Conversation(code) => {
            let (conversation, page) = client_session.transcript(Some(&code), None, MESSAGES).await?;
            let last = page.messages.last().map(|message| (message.position, message.updated_at));
            let mark = format!("{} {} {last:?}", conversation.status, conversation.title);
            Ok((contents(&answer::transcript(&page.messages), uri), mark))
        }
    }
}

/// Converts a text to resource contents with hidden characters written out.
fn contents(text: &str, uri: &str) -> ResourceContents {
    ResourceContents::text(answer::seen(text), uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_addresses_of_any_name_parse_back() {
        for name in ["VOICE", "Tone & manner", "門/100%", "a b"] {
            let uri = format!("{NAMED}{}", escaped(name));
            assert!(uri.is_ascii());
            assert_eq!(Address::read(&uri), Ok(Address::Named(name.to_owned())));
        }
    }

    #[test]
    fn addresses_of_other_forms_are_refused() {
        for uri in [
            "",
            "inklings://",
            "inklings://memory/x",
            "inklings://page/x",
            "file:///etc/passwd",
            "inklings://workspace/named/",
            "inklings://workspace/named/%G0",
            "inklings://workspace/named/%FF",
        ] {
            assert!(Address::read(uri).is_err(), "{uri}");
        }
    }
}
