//! Reads an agent file of Letta (`.af`): the memory blocks of one agent (`core_memory`) or of several (`agents` and
//! `blocks`). Messages, tools and prompts are named and left behind.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, LeftBehind, Spot, ThirdPartyEntry,
    builder::Builder,
    fields::Fields,
    listed::{self, word},
};
use crate::text::Tally;

/// The parts of a file that become no entries, the heaviest first.
const OTHERS: [(&str, &str); 7] = [
    ("messages", "chat"),
    ("tools", "tools"),
    ("files", "file"),
    ("mcp_servers", "tools"),
    ("sources", "file"),
    ("skills", "tools"),
    ("system", "system prompt"),
];

/// True for an agent file.
pub fn is_agent(top: &Map<String, Value>) -> bool {
    let list = |key: &str| top.get(key).is_some_and(Value::is_array);
    (list("agents") && list("blocks")) || (list("core_memory") && top.contains_key("agent_type"))
}

/// Reads an agent file.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut made = Builder::new(Format::Letta, tally);
    let field = if top.contains_key("core_memory") { "core_memory" } else { "blocks" };
    let Some(Value::Array(blocks)) = top.remove(field) else {
        return Err(FormatError::broken(Spot::top("blocks"), "a list of memory blocks should stand here"));
    };
    let agents = top.get("agents").and_then(Value::as_array);
    let one = agents.and_then(|agents| agents.first().filter(|_| agents.len() == 1));
    made.name = word(one.and_then(|agent| agent.get("name")).or_else(|| top.get("name")));
    let owners = owners(agents.into_iter().flatten());
    let mut labels: HashMap<String, u64> = HashMap::new();
    for value in blocks {
        let fields = Fields::new(value, made.next())?;
        let entry = block(fields, &owners, &mut labels, &mut made.tally)?;
        made.push(entry)?;
    }
    if let Some(Value::Array(agents)) = top.get_mut("agents") {
        for agent in agents.iter_mut().filter_map(Value::as_object_mut) {
            let name = word(agent.get("name")).unwrap_or_else(|| "agent".to_owned());
            for (field, what) in [("messages", "chat"), ("system", "system prompt")] {
                let value = agent.remove(field);
                let says = match &value {
                    Some(Value::Array(list)) => !list.is_empty(),
                    Some(Value::String(text)) => !text.trim().is_empty(),
                    _ => false,
                };
                if says {
                    made.left_behind.push(LeftBehind { what, path: format!("{name}: {field}") });
                }
            }
        }
    }
    let rest = listed::rest(top, &OTHERS, &mut made);
    let mut extra = Map::new();
    extra.insert("fields".into(), rest.into());
    extra.insert("list".into(), field.into());
    made.finish(extra)
}

/// The name of the agent that each block belongs to, for blocks with one owner.
fn owners<'a>(agents: impl Iterator<Item = &'a Value>) -> HashMap<&'a str, Option<String>> {
    let mut owners: HashMap<&str, Option<String>> = HashMap::new();
    for agent in agents {
        let name = word(agent.get("name"));
        let blocks = agent.get("block_ids").and_then(Value::as_array).into_iter().flatten();
        for id in blocks.filter_map(Value::as_str) {
            owners.entry(id).and_modify(|owner| *owner = None).or_insert_with(|| name.clone());
        }
    }
    owners
}

fn block(
    mut fields: Fields,
    owners: &HashMap<&str, Option<String>>,
    labels: &mut HashMap<String, u64>,
    tally: &mut Tally,
) -> Result<ThirdPartyEntry, FormatError> {
    let id = word(fields.get("id"));
    let label = fields.name("label", tally);
    // Every agent has blocks `human` and `persona`, and a name is given once.
    let name = label.as_ref().map(|label| {
        let seen = labels.entry(label.clone()).or_default();
        *seen += 1;
        let owner = id.as_deref().and_then(|id| owners.get(id)).cloned().flatten();
        match owner {
            _ if *seen == 1 => label.clone(),
            Some(owner) => format!("{label} ({owner})"),
            None => format!("{label} ({seen})"),
        }
    });
    let entry = ThirdPartyEntry {
        external_id: id.or_else(|| name.clone()),
        content: fields.content("value")?,
        standing: true,
        created: fields.moment("created_at"),
        updated: fields.moment("updated_at"),
        ..ThirdPartyEntry::default()
    };
    if name != label
        && let Some(label) = label
    {
        fields.put_back("label", label.into());
    }
    Ok(ThirdPartyEntry { name, extra: fields.into_extra().into(), ..entry })
}
