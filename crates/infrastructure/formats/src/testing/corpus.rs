//! A generated corpus: files of every format with every field, in odd encodings and sizes. The same seed gives
//! the same files.
//!
//! A file is made from a sample of [`super::entries`]: its lists get other lengths, its values others of the same
//! kind, its entries fields that no program knows. Each text holds a mark that occurs nowhere else, so that a
//! test can look for every one of them in what was read.

use std::{collections::BTreeMap, fmt::Write};

use inklings_ports::testing::random::Dice;
use serde_json::{Map, Value, json};

use super::{entries as samples, zip};
use crate::entries::Format;

/// What a file of the corpus is made of.
#[derive(Debug, Clone)]
pub enum Content {
    File(Vec<u8>),
    /// A folder: the bytes of its files by their paths.
    Folder(BTreeMap<String, Vec<u8>>),
}

/// One file or folder of the corpus.
#[derive(Debug, Clone)]
pub struct CorpusFile {
    /// Sample, number and encoding, for messages.
    pub label: String,
    pub format: Format,
    /// What to write to disk.
    pub content: Content,
    /// The values of a JSON file, before they were encoded or wrapped; one for each line of a file of lines.
    pub values: Vec<Value>,
    /// A mark of each text that an import must retain.
    pub marks: Vec<String>,
}

/// The files of a seed: each sample in turn, until there are `count`.
pub fn corpus(seed: u64, count: usize) -> Vec<CorpusFile> {
    let variants = variants();
    (0..count).map(|n| (variants[n % variants.len()])(&mut Maker::new(seed, n))).collect()
}

type Variant = Box<dyn Fn(&mut Maker) -> CorpusFile>;

fn variants() -> Vec<Variant> {
    let plain = |name: &'static str, format, sample: fn() -> Value| -> Variant {
        Box::new(move |maker: &mut Maker| maker.json_file(name, format, &sample()))
    };
    let wrapped = |name: &'static str, wrap: fn(&[u8]) -> Vec<u8>| -> Variant {
        Box::new(move |maker: &mut Maker| maker.wrapped(name, wrap))
    };
    let lines = |name: &'static str, sample: &'static str| -> Variant {
        Box::new(move |maker: &mut Maker| maker.lines(name, sample))
    };
    vec![
        plain("world info", Format::SillyTavern, samples::world),
        plain("card", Format::CharacterCard, samples::card),
        plain("lorebook", Format::LorebookV3, samples::lorebook),
        plain("bare book", Format::LorebookV3, samples::book),
        plain("NovelAI", Format::NovelAi, samples::novelai),
        plain("NovelAI scenario", Format::NovelAi, samples::scenario),
        plain("NovelAI story", Format::NovelAi, samples::story),
        plain("AI Dungeon", Format::AiDungeon, samples::story_cards),
        plain("JanitorAI", Format::JanitorAi, samples::janitor),
        plain("Risu", Format::Risu, samples::risu),
        plain("KoboldAI", Format::KoboldAi, samples::kobold),
        plain("KoboldAI world info", Format::KoboldAi, samples::kobold_world),
        plain("Agnai", Format::Agnai, samples::agnai),
        plain("Agnai character", Format::Agnai, samples::agnai_character),
        plain("Letta", Format::Letta, samples::letta),
        plain("Letta agent", Format::Letta, samples::letta_agent),
        plain("Claude", Format::ClaudeMemories, samples::memories),
        plain("Mem0", Format::Mem0, samples::mem0),
        plain("MCP whole", Format::McpJsonl, samples::whole_graph),
        lines("MCP", samples::GRAPH),
        lines("MCP with another kind", samples::OTHER_GRAPH),
        wrapped("card in a picture", |card| {
            let text = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, card);
            samples::picture(&[samples::text_chunk("ccv3", text.as_bytes())])
        }),
        wrapped("card in an archive", |card| zip(&[("card.json", card), ("assets/icon.png", b"x")])),
        wrapped("card behind a picture", |card| {
            [&b"\xFF\xD8\xFF\xE0\0\x10JFIF\0 a picture \xFF\xD9"[..], &zip(&[("card.json", card)])].concat()
        }),
        Box::new(Maker::markdown),
        Box::new(|maker: &mut Maker| maker.codex(false)),
        Box::new(|maker: &mut Maker| maker.codex(true)),
    ]
}

/// Fields whose values decide how a file is read, or refer to other values.
const FIXED: [&str; 29] = [
    "spec",
    "spec_version",
    "type",
    "_type",
    "kind",
    "ver",
    "mode",
    "lorebookVersion",
    "scenarioVersion",
    "storyContainerVersion",
    "storyContentVersion",
    "storyMetadataVersion",
    "document",
    "block_ids",
    "in_context_message_ids",
    "agent_type",
    "folder",
    "folders",
    "from",
    "to",
    "relationType",
    "relation_type",
    "created_at",
    "updated_at",
    "createdAt",
    "lastUpdatedAt",
    "timestamp",
    "date",
    "activationScript",
];

/// Parts of a file that an import names and leaves behind: `docs/formats.md` has them.
const LEFT_BEHIND: [&str; 7] =
    ["messages", "tools", "actions", "prompt", "system", "authorsnote", "anotetemplate"];

/// Lists whose length has a meaning.
const COUNTED: [&str; 5] = ["context", "agents", "blocks", "in_context_message_ids", "relations"];

/// Texts that are names: short and of one line.
const NAMES: [&str; 14] = [
    "name",
    "comment",
    "displayName",
    "title",
    "label",
    "key",
    "keys",
    "keysRaw",
    "secondkey",
    "keysecondary",
    "nickname",
    "entityType",
    "entity_type",
    "category",
];

const WORDS: [&str; 20] = [
    "salt",
    "gate",
    "Ama",
    "Straße",
    "Überfahrt",
    "Ёлка",
    "река",
    "塩の町",
    "鉄の門",
    "소금",
    "βασίλισσα",
    "מלח",
    "ملح",
    "🜂",
    "👩‍🚀",
    "e\u{301}tage",
    "{{char}}",
    "<b>x</b>",
    "\"said\"",
    "back\\slash",
];

const BREAKS: [&str; 8] = [" ", " ", " ", "\n", "\n\n", "\r\n", "\n- ", "\n## "];

/// Makes one file.
struct Maker {
    dice: Dice,
    number: usize,
    marks: Vec<String>,
    ids: usize,
    /// The largest length of a list of entries.
    most: usize,
    /// True if the format refuses an entry without a name.
    named: bool,
}

impl Maker {
    fn new(seed: u64, number: usize) -> Self {
        let mut dice = Dice::new(seed ^ (number as u64).wrapping_mul(0x9E37_79B9));
        let most = *dice.pick(&[0, 1, 2, 3, 5, 5, 8, 40]);
        Self { dice, number, marks: Vec::new(), ids: 0, most, named: false }
    }

    /// A text that occurs nowhere else in the corpus.
    fn mark(&mut self) -> String {
        let mark = format!("m{}x{}z", self.number, self.marks.len());
        self.marks.push(mark.clone());
        mark
    }

    fn name(&mut self) -> String {
        let mark = self.mark();
        match self.dice.below(3) {
            0 => mark,
            1 => format!("{mark} {}", self.dice.pick(&WORDS)),
            _ => format!("{} {mark}", self.dice.pick(&WORDS)),
        }
    }

    fn text(&mut self) -> String {
        let length = *self.dice.pick(&[1, 3, 3, 10, 10, 10, 40]);
        // Now and then a long one.
        let length = if self.dice.chance(1) { 2_000 } else { length };
        let mut text = self.mark();
        for _ in 0..length {
            text.push_str(self.dice.pick::<&str>(&BREAKS));
            text.push_str(self.dice.pick::<&str>(&WORDS));
        }
        let end = self.mark();
        format!("{text} {end}")
    }

    fn names(&mut self, like: &[Value]) -> Value {
        let most = *self.dice.pick(&[0, 1, 2, 5, 40]);
        let count = self.dice.below(most + 1);
        let patterns = like.iter().filter(|name| name.as_str().is_some_and(|name| name.starts_with('/')));
        let patterns: Vec<Value> = patterns.cloned().collect();
        (0..count).map(|_| Value::from(self.name())).chain(patterns).collect()
    }

    /// A field that no program knows.
    fn unknown(&mut self) -> Value {
        match self.dice.below(6) {
            0 => Value::Null,
            1 => json!(self.dice.share() * 1e6),
            2 => json!(self.dice.bits()),
            3 => json!({"ink": [self.name(), null, {"deep": true}], "": ""}),
            4 => json!([[], {}, [[self.name()]]]),
            _ => json!(self.text()),
        }
    }

    /// Another value of the same kind.
    fn vary(&mut self, field: &str, value: &Value) -> Value {
        if FIXED.contains(&field) || LEFT_BEHIND.contains(&field) {
            return value.clone();
        }
        match value {
            Value::Null => Value::Null,
            Value::Bool(_) => self.dice.chance(50).into(),
            Value::Number(number) if number.is_f64() => json!(self.dice.share()),
            Value::Number(_) if is_id(field) => self.id().into(),
            Value::Number(_) => self.dice.below(100_000).into(),
            Value::String(_) if is_id(field) => format!("id-{}", self.id()).into(),
            Value::String(text) if text.starts_with('/') => value.clone(),
            Value::String(_) if NAMES.contains(&field) => match self.dice.below(5) {
                0 if !self.named => "".into(),
                _ => self.name().into(),
            },
            Value::String(_) => match self.dice.below(8) {
                0 => "".into(),
                _ => self.text().into(),
            },
            Value::Array(list) => self.list(field, list),
            Value::Object(map) if is_numbered(map) => {
                let samples: Vec<&Value> = map.values().collect();
                let count = self.dice.below(self.most + 1);
                (0..count).map(|n| (n.to_string(), self.item(samples[n % samples.len()]))).collect()
            }
            Value::Object(map) => {
                map.iter().map(|(key, value)| (key.clone(), self.vary(key, value))).collect()
            }
        }
    }

    fn list(&mut self, field: &str, list: &[Value]) -> Value {
        if !list.is_empty() && list.iter().all(Value::is_string) {
            return self.names(list);
        }
        if COUNTED.contains(&field) || !list.iter().any(Value::is_object) {
            return list.iter().map(|item| self.vary("", item)).collect();
        }
        let count = self.dice.below(self.most + 1);
        (0..count).map(|n| self.item(&list[n % list.len()])).collect()
    }

    /// An entry like another, with fields of its own.
    fn item(&mut self, like: &Value) -> Value {
        let mut item = self.vary("", like);
        if let Value::Object(fields) = &mut item {
            for n in 0..self.dice.below(3) {
                let key = format!("x-{n}-{}", self.dice.pick(&WORDS));
                fields.insert(key, self.unknown());
            }
        }
        item
    }

    const fn id(&mut self) -> usize {
        self.ids += 1;
        self.ids
    }

    fn json_file(&mut self, name: &str, format: Format, sample: &Value) -> CorpusFile {
        self.named = format == Format::McpJsonl;
        let mut value = match sample {
            // A list of entries is the whole file, and without one there is nothing to tell its format by.
            Value::Array(list) => {
                self.most = self.most.max(1);
                let count = 1 + self.dice.below(self.most);
                (0..count).map(|n| self.item(&list[n % list.len()])).collect()
            }
            sample => self.vary("", sample),
        };
        if let Value::Object(top) = &mut value
            && self.dice.chance(50)
        {
            top.insert("x-file".into(), self.unknown());
        }
        let (bytes, encoding) = self.encoded(&value);
        self.made(&format!("{name}, {encoding}"), format, Content::File(bytes), vec![value])
    }

    fn wrapped(&mut self, name: &str, wrap: fn(&[u8]) -> Vec<u8>) -> CorpusFile {
        let card = self.vary("", &samples::card());
        let bytes = wrap(card.to_string().as_bytes());
        self.made(name, Format::CharacterCard, Content::File(bytes), vec![card])
    }

    fn lines(&mut self, name: &str, sample: &str) -> CorpusFile {
        self.named = true;
        let read = |line: &str| serde_json::from_str(line).unwrap_or_default();
        let samples: Vec<Value> = sample.lines().map(read).collect();
        let count = 1 + self.dice.below(self.most.max(1));
        let values: Vec<Value> = (0..count).map(|n| self.item(&samples[n % samples.len()])).collect();
        let end = *self.dice.pick(&["\n", "\r\n", "\n\n"]);
        let text: Vec<String> = values.iter().map(|line| format!("{line}{end}")).collect();
        let text = text.concat();
        self.made(name, Format::McpJsonl, Content::File(text.into_bytes()), values)
    }

    fn markdown(&mut self) -> CorpusFile {
        let mut files = BTreeMap::new();
        for n in 0..=self.dice.below(self.most + 1) {
            let head = if self.dice.chance(30) { String::new() } else { self.head(n) };
            let returns = self.dice.chance(20);
            let text = format!("{head}{}\n", self.text().replace("\r\n", "\n"));
            let text = if returns { text.replace('\n', "\r\n") } else { text };
            let folder = *self.dice.pick(&["", "places/", "places/塩/"]);
            files.insert(
                format!("{folder}{n} {}.md", self.dice.pick(&["Ama", "Straße", "река"])),
                text.into_bytes(),
            );
        }
        self.made("Markdown", Format::Markdown, Content::Folder(files), Vec::new())
    }

    /// The front matter of a note.
    fn head(&mut self, number: usize) -> String {
        let list: Vec<String> = (0..self.dice.below(4)).map(|_| self.name()).collect();
        format!(
            "---\nname: {}\naliases: {}\ntags:\n  - {}\nmood: {{stern: {number}}}\n# {}\n---\n",
            json!(self.name()),
            json!(list),
            self.mark(),
            self.mark(),
        )
    }

    fn codex(&mut self, compressed: bool) -> CorpusFile {
        let mut files = BTreeMap::new();
        for n in 0..=self.dice.below(self.most + 1) {
            let kind = *self.dice.pick(&["characters", "locations", "lore"]);
            let folder = format!("{kind}/ama_{n}-2aBcDeFgHiJkLmNoPqRs{n:07}");
            let metadata = self.item(&samples::metadata());
            files.insert(format!("{folder}/metadata.json"), metadata.to_string().into_bytes());
            let text = self.text().replace("\r\n", "\n");
            files.insert(
                format!("{folder}/entry.md"),
                format!("---\ntype: character\n---\n\n{text}\n").into_bytes(),
            );
            if self.dice.chance(40) {
                files.insert(format!("{folder}/notes.md"), self.text().replace("\r\n", "\n").into_bytes());
            }
        }
        if compressed {
            let list: Vec<(&str, &[u8])> =
                files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
            return self.made("codex", Format::Novelcrafter, Content::File(zip(&list)), Vec::new());
        }
        self.made("unpacked codex", Format::Novelcrafter, Content::Folder(files), Vec::new())
    }

    fn made(&mut self, name: &str, format: Format, content: Content, values: Vec<Value>) -> CorpusFile {
        let label = format!("file {}: {name}", self.number);
        CorpusFile { label, format, content, values, marks: std::mem::take(&mut self.marks) }
    }

    /// A value as JSON, in one of the encodings that are met.
    fn encoded(&mut self, value: &Value) -> (Vec<u8>, &'static str) {
        let compact = value.to_string();
        let pretty = format!("{value:#}\n");
        match self.dice.below(9) {
            0 => ([b"\xEF\xBB\xBF", pretty.as_bytes()].concat(), "UTF-8 with a mark"),
            1 => (utf16(&pretty, u16::to_le_bytes), "UTF-16, little end first"),
            2 => (utf16(&compact, u16::to_be_bytes), "UTF-16, big end first"),
            3 => (escaped(&compact).into_bytes(), "escaped"),
            4 => (pretty.replace('\n', "\r\n").into_bytes(), "with returns"),
            5 => (pretty.into_bytes(), "indented"),
            6 => (utf16(&compact, u16::to_le_bytes).split_off(2), "UTF-16 without a mark"),
            _ => (compact.into_bytes(), "compact"),
        }
    }
}

fn is_id(field: &str) -> bool {
    matches!(field, "id" | "_id" | "uid" | "uuid" | "hash")
}

/// True for a map from numbers to entries.
fn is_numbered(map: &Map<String, Value>) -> bool {
    let numbered = |(key, value): (&String, &Value)| key.parse::<u32>().is_ok() && value.is_object();
    !map.is_empty() && map.iter().all(numbered)
}

/// UTF-16 with its mark.
fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// JSON in which every character beyond ASCII is escaped.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() {
            text.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a text cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text
}
