//! A hostile file of entries takes no more memory than a bound. A process of its own, for its allocator counts.

#[path = "support/counting.rs"]
mod counting;

use counting::MIB;
use inklings_formats::entries::{Format, read_entries};

const SIZE: usize = 40 * MIB;

/// What the file itself may take is in it: 64 MiB, and as much again for a text that is mended.
const BOUND: usize = 512 * MIB;

fn filled(start: &str, piece: &str, end: &str) -> Vec<u8> {
    let mut bytes = start.as_bytes().to_vec();
    bytes.reserve_exact(SIZE);
    while bytes.len() + piece.len() + end.len() < SIZE {
        bytes.extend_from_slice(piece.as_bytes());
    }
    bytes.extend_from_slice(end.as_bytes());
    bytes
}

#[test]
fn no_file_uses_more_than_half_a_gigabyte() {
    let text = "x".repeat(500);
    let entry = format!("{{\"keys\":[\"a\"],\"content\":\"{text}\\ud83d\",\"extensions\":{{}}}},");
    let cases = [
        ("objects", filled("{\"entries\":{\"0\":{\"x\":[", "{\"a\":0},", "0]}}}"), Some(Format::SillyTavern)),
        ("lists", filled("{\"entries\":[", "[],", "0]}"), Some(Format::NovelAi)),
        ("numbers", filled("{\"results\":[", "0,", "0]}"), Some(Format::Mem0)),
        ("names", filled("{\"entries\":{\"0\":{\"key\":[", "\"\",", "\"\"]}}}"), Some(Format::SillyTavern)),
        ("entries", filled("{\"spec\":\"lorebook_v3\",\"data\":{\"entries\":[", &entry, "{}]}}"), None),
        ("texts", filled("{\"results\":[", &format!("{{\"memory\":\"{text}\"}},"), "{}]}"), None),
        ("half characters", filled("[\"", "\\ud83d", "\"]"), Some(Format::ClaudeMemories)),
        ("lines", filled("", "{\"type\":\"entity\",\"name\":\"a\",\"x\":[[],[],[]]}\n", ""), None),
        ("other lines", filled("", "{\"type\":\"x\"}\n", ""), Some(Format::McpJsonl)),
        ("broken lines", filled("", "{\n", ""), Some(Format::McpJsonl)),
        ("depth", filled("", "[", ""), Some(Format::Mem0)),
        ("a note", filled("---\n", "a: b\n", "---\n"), Some(Format::Markdown)),
    ];
    for (name, bytes, format) in cases {
        // The file itself counts too.
        let before = counting::begin() - bytes.capacity();
        let result = read_entries(&bytes, format).map(|found| found.entries.len());
        let peak = counting::most_beyond(before);
        println!("{name}: {} MiB, {result:?}", peak / MIB);
        assert!(peak < BOUND, "{name}: {} MiB", peak / MIB);
    }
}
