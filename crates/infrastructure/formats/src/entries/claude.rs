//! Reads `memories.json` of Claude's export: one Markdown text for general memories and one per project. Each
//! section of a text becomes an entry.

use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, Spot, ThirdPartyEntry, builder::Builder, fields::Fields,
    limits::MAX_NAME_BYTES,
};
use crate::text::Tally;

/// True for the memories of an account.
pub fn is_account(value: &Value) -> bool {
    value.get("conversations_memory").is_some() || value.get("project_memories").is_some()
}

/// Reads the file: a list of accounts, or one account.
///
/// # Errors
/// [`FormatError`] with the number of the account as the entry, and the field.
pub fn read(value: Value, tally: Tally) -> Result<Collection, FormatError> {
    let accounts = match value {
        Value::Array(list) => list,
        one => vec![one],
    };
    let several = accounts.len() > 1;
    let mut made = Builder::new(Format::ClaudeMemories, tally);
    let mut rest = Vec::new();
    for (place, account) in accounts.into_iter().enumerate() {
        let mut fields = Fields::new(account, place + 1)?;
        let account = if several { format!("account {}:", place + 1) } else { String::new() };
        let text = fields.content("conversations_memory")?;
        sections(&text, &format!("{account}conversations"), &mut made)?;
        match fields.take("project_memories") {
            None | Some(Value::Null) => {}
            Some(Value::Object(projects)) => {
                let mut projects: Vec<(String, Value)> = projects.into_iter().collect();
                projects.sort_by(|(a, _), (b, _)| a.cmp(b));
                for (project, text) in projects {
                    project_text(&project, text, &account, place + 1, &mut made)?;
                }
            }
            Some(_) => {
                let at = Spot::field(place + 1, "project_memories");
                return Err(FormatError::broken(at, "an object of texts should stand here"));
            }
        }
        rest.push(Value::Object(fields.into_extra()));
    }
    let mut extra = Map::new();
    extra.insert("accounts".into(), rest.into());
    made.finish(extra)
}

fn project_text(
    project: &str,
    text: Value,
    account: &str,
    number: usize,
    made: &mut Builder,
) -> Result<(), FormatError> {
    let at = || Spot::field(number, "project_memories");
    if project.len() > MAX_NAME_BYTES / 2 {
        return Err(FormatError::large(at(), "the id of a project is too long"));
    }
    match text {
        Value::Null => Ok(()),
        Value::String(text) => sections(&text, &format!("{account}project {project}"), made),
        _ => Err(FormatError::broken(at(), "a text should stand here")),
    }
}

/// The heading of a line: `# ...`, or a bold line.
fn heading(line: &str) -> Option<&str> {
    let line = line.trim();
    let hashes = line.trim_start_matches('#');
    let title = if hashes.len() < line.len() && hashes.starts_with(' ') {
        hashes
    } else {
        line.strip_prefix("**")?.strip_suffix("**")?
    };
    let title = title.trim().trim_end_matches(':');
    (!title.is_empty() && title.len() <= 200 && !title.contains("**")).then_some(title)
}

/// Adds a section for each heading with a text. A heading without one belongs to the section behind it, or, at the end,
/// is a text itself.
fn sections(text: &str, id: &str, made: &mut Builder) -> Result<(), FormatError> {
    let mut title: Option<&str> = None;
    let mut body = String::new();
    let mut number = 0;
    let mut close = |title: Option<&str>, body: &mut String| {
        let content = std::mem::take(body).trim().to_owned();
        if content.is_empty() {
            return Ok(());
        }
        number += 1;
        made.push(ThirdPartyEntry {
            external_id: Some(format!("{id}:{number}")),
            name: title.map(str::to_owned),
            content,
            extra: serde_json::json!({}),
            ..ThirdPartyEntry::default()
        })
    };
    for line in text.split_inclusive('\n') {
        let Some(next) = heading(line) else {
            body.push_str(line);
            continue;
        };
        match title.replace(next) {
            Some(above) if body.trim().is_empty() => {
                body.clear();
                body.push_str(above);
                body.push_str("\n\n");
            }
            above => close(above, &mut body)?,
        }
    }
    if body.trim().is_empty() {
        body.extend(title.take());
    }
    close(title, &mut body)
}
