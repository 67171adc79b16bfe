//! Writes the graph of a world as `GraphML`: subjects are nodes, relations are edges. A link of a subject to another that it
//! is about is an edge too.

use std::{
    collections::{HashMap, HashSet},
    io::Write,
};

use serde_json::Value;

use super::{Collection, FormatError, Relation, ThirdPartyEntry};

/// The keys of the data: where they stand, and their names.
const KEYS: [(&str, &str); 9] = [
    ("node", "name"),
    ("node", "kind"),
    ("node", "aliases"),
    ("node", "text"),
    ("node", "page"),
    ("edge", "role"),
    ("edge", "relation"),
    ("edge", "text"),
    ("edge", "name"),
];

/// Field of an entry that is a page of a linked vault, or a link of one. A page's text is not written.
pub const PAGE: &str = "page";

/// The nodes of a graph: the subjects, by their names.
struct Nodes<'w> {
    by_name: HashMap<&'w str, usize>,
}

impl<'w> Nodes<'w> {
    fn of(entries: &'w [ThirdPartyEntry]) -> Self {
        let mut by_name = HashMap::new();
        for (number, entry) in subjects(entries).enumerate() {
            if let Some(name) = &entry.name {
                by_name.entry(name.as_str()).or_insert(number);
            }
        }
        Self { by_name }
    }

    fn get(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The relation of an entry with its ends, if both are nodes.
    fn edge<'e>(&self, entry: &'e ThirdPartyEntry) -> Option<(&'e Relation, usize, usize)> {
        let relation = entry.relation.as_ref().filter(|_| entry.subject.is_none())?;
        Some((relation, self.get(&relation.from)?, self.get(&relation.to)?))
    }
}

/// True for a page of a linked vault, or a link of one.
fn is_page(entry: &ThirdPartyEntry) -> bool {
    entry.extra.get(PAGE) == Some(&Value::Bool(true))
}

fn subjects(entries: &[ThirdPartyEntry]) -> impl Iterator<Item = &ThirdPartyEntry> {
    entries.iter().filter(|entry| entry.subject.is_some())
}

/// Number of entries that the graph has no place for.
pub fn left_out(entries: &[ThirdPartyEntry]) -> u64 {
    let nodes = Nodes::of(entries);
    let is_left = |entry: &&ThirdPartyEntry| entry.subject.is_none() && nodes.edge(entry).is_none();
    entries.iter().filter(is_left).count() as u64
}

/// Writes a file.
///
/// # Errors
/// [`FormatError::Io`].
pub fn write(world: &Collection, to: &mut dyn Write) -> Result<(), FormatError> {
    let mut out = Xml { to };
    out.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    out.raw("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n")?;
    for (of, name) in KEYS {
        out.raw(&format!(
            "  <key id=\"{of}-{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"string\"/>\n"
        ))?;
    }
    out.raw("  <graph id=\"world\" edgedefault=\"directed\">\n")?;
    let nodes = Nodes::of(&world.entries);
    for (number, entry) in subjects(&world.entries).enumerate() {
        out.raw(&format!("    <node id=\"n{number}\">\n"))?;
        // One alias a line: an alias has no line end.
        let aliases = entry.aliases.join("\n");
        let kind = entry.subject.as_deref().unwrap_or_default();
        let name = entry.called();
        let page = if is_page(entry) { "true" } else { "" };
        for (key, text) in [
            ("name", &*name),
            ("kind", kind),
            ("aliases", &aliases),
            ("text", &entry.content),
            ("page", page),
        ] {
            out.data("node", key, text)?;
        }
        out.raw("    </node>\n")?;
    }
    let mut edges = Edges { out, next: 0 };
    for entry in &world.entries {
        let Some((relation, from, to)) = nodes.edge(entry) else { continue };
        let name = entry.name.as_deref().unwrap_or_default();
        let data = [
            ("role", if is_page(entry) { "link" } else { "relation" }),
            ("relation", &relation.relation),
            ("text", &entry.content),
            ("name", name),
        ];
        edges.write(from, to, &data)?;
    }
    for (number, entry) in subjects(&world.entries).enumerate() {
        let mut seen = HashSet::from([number]);
        for to in entry.about.iter().filter_map(|name| nodes.get(name)) {
            if seen.insert(to) {
                edges.write(number, to, &[("role", "about")])?;
            }
        }
    }
    edges.out.raw("  </graph>\n</graphml>\n")
}

struct Edges<'w> {
    out: Xml<'w>,
    next: usize,
}

impl Edges<'_> {
    fn write(&mut self, from: usize, to: usize, data: &[(&str, &str)]) -> Result<(), FormatError> {
        let number = self.next;
        self.next += 1;
        self.out.raw(&format!("    <edge id=\"e{number}\" source=\"n{from}\" target=\"n{to}\">\n"))?;
        for (key, text) in data {
            self.out.data("edge", key, text)?;
        }
        self.out.raw("    </edge>\n")
    }
}

struct Xml<'w> {
    to: &'w mut dyn Write,
}

impl Xml<'_> {
    fn raw(&mut self, text: &str) -> Result<(), FormatError> {
        self.to.write_all(text.as_bytes()).map_err(|error| FormatError::io(&error))
    }

    fn data(&mut self, of: &str, key: &str, text: &str) -> Result<(), FormatError> {
        if text.is_empty() {
            return Ok(());
        }
        self.raw(&format!("      <data key=\"{of}-{key}\">{}</data>\n", escaped(text)))
    }
}

/// A text of an element. Characters that XML has no place for are replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // A reader makes a line feed of a plain one.
            '\r' => out.push_str("&#13;"),
            '\u{85}' => out.push_str("&#133;"),
            '\u{2028}' => out.push_str("&#8232;"),
            '\t' | '\n' => out.push(c),
            '\u{0}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use inklings_domain::text::{body, label};
    use proptest::prelude::*;
    use quick_xml::{Reader, XmlVersion, events::Event};

    use super::*;
    use crate::entries::{Format, losses, write_entries};

    /// Data of an element by key.
    type Data = BTreeMap<String, String>;
    /// The two ends of an edge with its data.
    type Edge = (String, String, Data);

    /// The nodes by id, and the edges with their ends, as an XML reader finds them.
    fn read(world: &Collection) -> (BTreeMap<String, Data>, Vec<Edge>) {
        let mut bytes = Vec::new();
        write_entries(world, Format::GraphMl, &mut bytes).expect("written");
        let text = String::from_utf8(bytes).expect("UTF-8");
        let mut reader = Reader::from_str(&text);
        let (mut nodes, mut edges) = (BTreeMap::new(), Vec::new());
        let (mut data, mut key, mut value, mut ends) = (Data::new(), None, String::new(), Data::new());
        loop {
            match reader.read_event().expect("well-formed XML") {
                Event::Start(start) => {
                    let attributes = start.attributes().map(|found| {
                        let found = found.expect("an attribute");
                        (
                            found.key.as_ref().to_owned(),
                            found.normalized_value(XmlVersion::Explicit1_0).expect("a value").into_owned(),
                        )
                    });
                    let attributes: Data = attributes.collect();
                    if start.name().as_ref() == "data" {
                        key = attributes.get("key").cloned();
                        value.clear();
                    } else {
                        ends = attributes;
                        data = Data::new();
                    }
                }
                Event::Text(text) => {
                    value.push_str(&text.xml10_content());
                }
                Event::GeneralRef(reference) => {
                    let known = |name: &str| match name {
                        "amp" => '&',
                        "lt" => '<',
                        "gt" => '>',
                        other => panic!("an unknown reference: {other}"),
                    };
                    let found = reference.resolve_char_ref().expect("a reference");
                    value.push(found.unwrap_or_else(|| known(&reference)));
                }
                Event::End(end) => match end.name().as_ref() {
                    "data" => {
                        let key = key.take().expect("data has a key");
                        data.insert(key, std::mem::take(&mut value));
                    }
                    "node" => {
                        nodes.insert(ends["id"].clone(), std::mem::take(&mut data));
                    }
                    "edge" => {
                        edges.push((
                            ends["source"].clone(),
                            ends["target"].clone(),
                            std::mem::take(&mut data),
                        ));
                    }
                    _ => {}
                },
                Event::Eof => return (nodes, edges),
                _ => {}
            }
        }
    }

    fn subject(name: &str, content: &str) -> ThirdPartyEntry {
        ThirdPartyEntry {
            name: Some(name.to_owned()),
            subject: Some("character".to_owned()),
            content: content.to_owned(),
            ..ThirdPartyEntry::default()
        }
    }

    fn relation(from: &str, relation: &str, to: &str) -> ThirdPartyEntry {
        let [from, relation, to] = [from, relation, to].map(str::to_owned);
        ThirdPartyEntry {
            relation: Some(Relation { relation, from, to }),
            content: "Since the flood.".to_owned(),
            ..ThirdPartyEntry::default()
        }
    }

    #[test]
    fn subjects_are_nodes_and_relations_and_links_between_them_are_edges() {
        let mira = ThirdPartyEntry {
            aliases: vec!["the ferrywoman".to_owned(), "M.".to_owned()],
            about: vec!["Toma".to_owned(), "Mira".to_owned(), "Nobody".to_owned()],
            extra: serde_json::json!({"front": "secret"}),
            ..subject("Mira", "Rows.\nHums.")
        };
        let other = ThirdPartyEntry { content: "A plain memory.".to_owned(), ..ThirdPartyEntry::default() };
        let entries = vec![
            relation("Toma", "fears", "Mira"),
            mira,
            subject("Toma", ""),
            other,
            relation("Mira", "x", "Sel"),
        ];
        assert_eq!(losses(&entries, Format::GraphMl), [("entries that are no part of a graph", 2)]);
        let (nodes, edges) = read(&Collection::new(Format::Markdown, entries));
        let data = |pairs: &[(&str, &str)]| -> Data {
            pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        assert_eq!(
            nodes["n0"],
            data(&[
                ("node-name", "Mira"),
                ("node-kind", "character"),
                ("node-aliases", "the ferrywoman\nM."),
                ("node-text", "Rows.\nHums."),
            ])
        );
        assert_eq!(nodes["n1"], data(&[("node-name", "Toma"), ("node-kind", "character")]));
        let fears =
            data(&[("edge-role", "relation"), ("edge-relation", "fears"), ("edge-text", "Since the flood.")]);
        let about = data(&[("edge-role", "about")]);
        let edge = |from: &str, to: &str, data| (from.to_owned(), to.to_owned(), data);
        assert_eq!((nodes.len(), edges), (2, vec![edge("n1", "n0", fears), edge("n0", "n1", about)]));
    }

    proptest! {
        #[test]
        fn any_name_and_text_that_the_domain_allows_is_read_back(
            names in prop::collection::hash_set("(\\PC|[<>&\"'\\]\u{85}\u{2028}\u{FEFF}\u{FFFD}]){1,12}", 2..4),
            text in "(\\PC|[\n\t\r<&>]|\\]\\]>|\u{2028}){0,30}",
        ) {
            let names: Vec<String> = names.iter().filter_map(|name| label("name", name).ok()).collect();
            let text = body(&text).unwrap_or_default();
            let mut entries: Vec<_> = names.iter().map(|name| subject(name, &text)).collect();
            entries.extend(names.iter().map(|name| relation(name, name, &names[0])));
            let (nodes, edges) = read(&Collection::new(Format::Markdown, entries));
            // XML has no place for these two.
            let kept = |text: &str| text.replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}");
            for (n, name) in names.iter().enumerate() {
                let node = &nodes[&format!("n{n}")];
                prop_assert_eq!(&node["node-name"], &kept(name));
                prop_assert_eq!(node.get("node-text").cloned().unwrap_or_default(), kept(&text));
                prop_assert_eq!(&edges[n].2["edge-relation"], &kept(name));
            }
        }
    }

    #[test]
    fn every_character_gives_well_formed_xml() {
        let all: String = ('\u{0}'..='\u{FFFF}').chain(['\u{10FFFF}']).collect();
        let (nodes, _) = read(&Collection::new(Format::Markdown, vec![subject("Mira", &all)]));
        let text = &nodes["n0"]["node-text"];
        assert_eq!(text.chars().count(), all.chars().count());
        let odd =
            |c: char| (c < ' ' && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{FFFE}' | '\u{FFFF}');
        for (read, given) in text.chars().zip(all.chars()) {
            assert_eq!(read, if odd(given) { '\u{FFFD}' } else { given });
        }
    }
}
