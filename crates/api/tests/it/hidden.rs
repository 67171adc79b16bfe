//! The window knows hidden characters by a table that is generated from the rule of `domain`.

use std::{fmt::Write as _, path::Path};

use inklings_domain::hidden::{Invisible, MOST_TAGS, RUN, is_flag_tag, visible};

const HEADER: &str = "// Generated from crates/domain/src/hidden.rs by `make bindings`. Do not edit.\n";
/// What the texts of the cases are made of: of each class some, what they may follow, and a flag with its end.
const LETTERS: [char; 14] = [
    'a',
    ' ',
    '\u{2764}',
    '\u{1F3F4}',
    '\u{E0062}',
    '\u{E0030}',
    '\u{E007F}',
    '\u{E0001}',
    '\u{FE0F}',
    '\u{E0100}',
    '\u{200D}',
    '\u{200B}',
    '\u{202E}',
    '\u{FEFF}',
];
const CASES: usize = 200;

/// The first and last code points of the characters that are meant.
fn ranges(meant: impl Fn(char) -> bool) -> String {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for code in ('\0'..=char::MAX).filter(|c| meant(*c)).map(u32::from) {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == code => *last = code,
            _ => found.push((code, code)),
        }
    }
    let pairs: Vec<String> = found.iter().map(|(from, to)| format!("[{from:#x}, {to:#x}]")).collect();
    format!("[{}]", pairs.join(", "))
}

fn table() -> String {
    let mut made = format!("{HEADER}export const RUN = {RUN};\nexport const MOST_TAGS = {MOST_TAGS};\n");
    for (name, class) in [
        ("TAGS", Invisible::Tag),
        ("SELECTORS", Invisible::Selector),
        ("NEVER_WRITTEN", Invisible::NeverWritten),
        ("OTHERS", Invisible::Other),
    ] {
        let ranges = ranges(|c| Invisible::of(c) == Some(class));
        writeln!(made, "export const {name} = {ranges} as const;").expect("written");
    }
    writeln!(made, "export const FLAG_TAGS = {} as const;", ranges(is_flag_tag)).expect("written");
    made
}

/// Texts, and how the rule has them shown.
fn cases() -> String {
    let mut made = format!("{HEADER}export const CASES: readonly (readonly [string, string])[] = [\n");
    let mut state: u64 = 7;
    for n in 0..CASES {
        let mut text = String::new();
        for _ in 0..n % 10 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push(LETTERS[(state >> 33) as usize % LETTERS.len()]);
        }
        let escaped = |text: &str| {
            let units = text.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
            format!("\"{}\"", units.collect::<String>())
        };
        writeln!(made, "  [{}, {}],", escaped(&text), escaped(&visible(&text))).expect("written");
    }
    made + "];\n"
}

#[test]
fn the_bindings_of_hidden_characters_are_those_of_the_rule() {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src");
    for (path, fresh) in [("components/hidden.gen.ts", table()), ("testing/hiddenCases.gen.ts", cases())] {
        let path = ui.join(path);
        if std::env::var_os("UPDATE_BINDINGS").is_some() {
            std::fs::write(&path, &fresh).expect("the table can be written");
        }
        let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(checked_in == fresh, "{} is out of date: run `make bindings`", path.display());
    }
}
