//! Everything that can be wrong with a file: it is refused as a whole, at a byte, without a word of what it says.

use inklings_ports::conversation::import_store::SourceError;
use serde_json::{Value, json};

use crate::support::{Found, chatgpt, claude, read_bytes, read_json};

/// A word that must not turn up in any error.
const SECRET: &str = "Xanadu";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Expected {
    Broken,
    Unknown,
    TooLarge,
    /// Read, with so many conversations.
    Read(usize),
}
use Expected::{Broken, Read, TooLarge, Unknown};

fn check(name: &str, result: &Result<Found, SourceError>, expected: Expected) {
    let kind = match result {
        Ok(found) => Read(found.conversations.len()),
        Err(SourceError::Broken { .. }) => Broken,
        Err(SourceError::UnknownFormat) => Unknown,
        Err(SourceError::TooLarge(_)) => TooLarge,
        Err(SourceError::Io(error)) => panic!("{name}: {error}"),
    };
    assert_eq!(kind, expected, "{name}");
    if let Err(error) = result {
        let words = format!("{error} {error:?}");
        assert!(!words.contains(SECRET), "{name}: {words}");
    }
}

fn conversations() -> [(&'static str, Value); 2] {
    let texts = ["Where is Xanadu?", "Far away."];
    [("chatgpt", chatgpt("c", &texts)), ("claude", claude("c", &texts))]
}

/// A good conversation, something bad, a good one: all or nothing.
fn between(good: &Value, bad: &str) -> Vec<u8> {
    format!("[{good},\n{bad}, {good}]").into_bytes()
}

#[test]
fn broken_files_are_refused_as_a_whole() {
    for (kind, good) in conversations() {
        let deep = |open: &str, close: &str| open.repeat(10_000) + &close.repeat(10_000);
        let list = if kind == "chatgpt" { "mapping" } else { "chat_messages" };
        let cases: Vec<(&str, Vec<u8>, Expected)> = vec![
            ("empty file", vec![], Unknown),
            ("white space", b" \n\t ".to_vec(), Unknown),
            ("byte order mark alone", b"\xEF\xBB\xBF".to_vec(), Unknown),
            ("byte order mark", format!("\u{FEFF}[{good}]").into_bytes(), Read(1)),
            (
                "UTF-16 without a mark",
                format!("[{good}]").encode_utf16().flat_map(u16::to_be_bytes).collect(),
                Read(1),
            ),
            ("a single conversation", good.to_string().into_bytes(), Read(1)),
            ("an object of another kind", b"{\"Xanadu\": {\"mapping\": []}}".to_vec(), Unknown),
            ("something behind a single conversation", format!("{good} Xanadu").into_bytes(), Broken),
            ("half a single conversation", good.to_string().into_bytes()[..40].to_vec(), Broken),
            ("a word", b"null".to_vec(), Unknown),
            ("a web page", b"<html>Xanadu</html>".to_vec(), Unknown),
            ("random bytes", (0..=255).cycle().take(5000).collect(), Unknown),
            ("an empty list", b"[]".to_vec(), Unknown),
            ("a list of numbers", b"[1, 2, 3]".to_vec(), Unknown),
            ("a list of texts", b"[\"Xanadu\"]".to_vec(), Unknown),
            ("a list of lists", b"[[[]]]".to_vec(), Unknown),
            ("a list of empty objects", b"[{}, {}, {}]".to_vec(), Unknown),
            ("another program's list", b"[{\"Xanadu\": 1}]".to_vec(), Unknown),
            ("no closing bracket", format!("[{good}").into_bytes(), Broken),
            ("a comma at the end", format!("[{good},]").into_bytes(), Broken),
            ("no comma", format!("[{good} {good}]").into_bytes(), Broken),
            ("two commas", format!("[{good},,{good}]").into_bytes(), Broken),
            ("something behind the end", format!("[{good}] Xanadu").into_bytes(), Broken),
            ("two lists", format!("[{good}][{good}]").into_bytes(), Broken),
            ("white space behind the end", format!("[{good}]\n\n").into_bytes(), Read(1)),
            ("a number among them", between(&good, "7"), Broken),
            ("null among them", between(&good, "null"), Broken),
            ("a text among them", between(&good, "\"Xanadu\""), Broken),
            ("a list among them", between(&good, "[1, 2]"), Broken),
            ("an empty object among them", between(&good, "{}"), Broken),
            ("half an object among them", between(&good, "{\"title\": \"Xanadu\""), Broken),
            ("a bare word among them", between(&good, "{\"title\": Xanadu}"), Broken),
            ("single quotes", between(&good, "{'title': 'Xanadu'}"), Broken),
            ("a comment", between(&good, "/* Xanadu */"), Broken),
            ("NaN", between(&good, &format!("{{\"{list}\": NaN}}")), Broken),
            ("Infinity", between(&good, &format!("{{\"x\": -Infinity, \"{list}\": null}}")), Broken),
            (
                "a number beyond all numbers",
                between(
                    &good,
                    &format!("{{\"create_time\": 1e999, \"created_at\": 1e999, \"{list}\": null}}"),
                ),
                Broken,
            ),
            ("a field twice", between(&good, &format!("{{\"{list}\": null, \"{list}\": null}}")), Broken),
            (
                "the other program's",
                between(&good, &conversations()[usize::from(kind == "chatgpt")].1.to_string()),
                Broken,
            ),
            (
                "depth where nothing is read",
                between(&good, &format!("{{\"x\": {}, \"{list}\": null}}", deep("[", "]"))),
                Read(2),
            ),
            (
                "depth of objects",
                between(
                    &good,
                    &format!(
                        "{{\"x\": {}1{}, \"{list}\": null}}",
                        "{\"a\":".repeat(10_000),
                        "}".repeat(10_000)
                    ),
                ),
                Read(2),
            ),
            (
                "depth where something is read",
                between(&good, &format!("{{\"{list}\": {}}}", deep("[", "]"))),
                Broken,
            ),
            ("depth of the whole", deep("[", "]").into_bytes(), Unknown),
            (
                "depth of whole objects",
                ("[".to_owned() + &"{\"mapping\":".repeat(10_000)).into_bytes(),
                Broken,
            ),
            ("half an escape", between(&good, "{\"title\": \"Xanadu\\u12\"}"), Broken),
            ("an unknown escape", between(&good, "{\"title\": \"Xanadu\\x\"}"), Broken),
            (
                "a field too many",
                between(&good, &format!("{{\"new\": [{{\"x\": 1}}], \"{list}\": null}}")),
                Read(2),
            ),
        ];
        assert!(cases.len() >= 30);
        for (name, bytes, expected) in cases {
            check(&format!("{kind}: {name}"), &read_bytes(&bytes), expected);
        }
    }
}

#[test]
fn invalid_bytes_in_texts_are_refused_and_unusual_characters_kept() {
    for (kind, good) in conversations() {
        let text = format!("[{good}]");
        let with = |bytes: &[u8]| {
            let at = text.find("Far away").expect("it is said");
            read_bytes(&[&text.as_bytes()[..at], bytes, &text.as_bytes()[at..]].concat())
        };
        for (name, bytes) in [
            ("no UTF-8", &b"\xFF\xFE"[..]),
            ("overlong", b"\xC0\x80"),
            ("half a character", b"\xE2\x82"),
            ("beyond Unicode", b"\xF5\x80\x80\x80"),
        ] {
            check(&format!("{kind}: {name}"), &with(bytes), Broken);
        }
        let _ = with(b"a raw \x00, which JSON forbids and some programs write");
        for (name, bytes, reads) in [
            ("NUL", &b"a\\u0000b"[..], "abFar away."),
            ("half a pair", b"\\ud800 ", "\u{FFFD} Far away."),
            ("the other half", b"\\udfff", "\u{FFFD}Far away."),
            ("two first halves", b"\\ud83d\\ud83d", "\u{FFFD}\u{FFFD}Far away."),
            ("a pair", b"\\ud83d\\ude00", "😀Far away."),
            ("right to left", "\u{202E}".as_bytes(), "\u{202E}Far away."),
        ] {
            let found = with(bytes).unwrap_or_else(|error| panic!("{kind}: {name}: {error}"));
            assert_eq!(found.texts()[1], reads, "{kind}: {name}");
        }
    }
}

/// Every field of a value, as paths.
fn fields(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields_of) => {
            for (key, inner) in fields_of {
                let path = format!("{path}/{key}");
                found.push(path.clone());
                fields(inner, &path, found);
            }
        }
        Value::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                let path = format!("{path}/{at}");
                found.push(path.clone());
                fields(inner, &path, found);
            }
        }
        _ => {}
    }
}

#[test]
fn a_value_of_the_wrong_kind_anywhere_is_refused_or_does_no_harm() {
    let wrong = [
        json!(null),
        json!(true),
        json!(7),
        json!(-7),
        json!(1e300),
        json!(-1e300),
        json!("Xanadu"),
        json!(""),
        json!([]),
        json!({}),
        json!([["Xanadu"]]),
        json!([{}]),
        json!({"Xanadu": 1}),
        json!({"Xanadu": {}}),
        json!("x".repeat(20_000)),
    ];
    for (kind, good) in conversations() {
        let mut paths = Vec::new();
        fields(&good, "", &mut paths);
        assert!(paths.len() > 20);
        for path in &paths {
            for value in &wrong {
                let mut bad = good.clone();
                *bad.pointer_mut(path).expect("the field is there") = value.clone();
                // First, so that the kind is told from it; and behind a good one.
                for list in [json!([bad]), json!([good, bad, good])] {
                    match read_json(&list) {
                        Ok(found) => {
                            assert!(found.conversations.iter().all(|c| c.title.chars().count() <= 120));
                        }
                        Err(SourceError::Io(error)) => panic!("{kind} {path}: {error}"),
                        Err(error) => assert!(!format!("{error:?}").contains(SECRET), "{kind} {path}"),
                    }
                }
            }
            let mut less = good.clone();
            let (parent, key) = path.rsplit_once('/').expect("a path");
            if let Some(Value::Object(fields)) = less.pointer_mut(parent) {
                fields.remove(key);
            }
            let _ = read_json(&json!([good, less]));
        }
    }
}

#[test]
fn a_file_cut_anywhere_is_broken() {
    for (kind, good) in conversations() {
        let whole = format!("[{good}, {good}]").into_bytes();
        assert!(read_bytes(&whole).is_ok());
        for at in (0..whole.len()).step_by(3) {
            let result = read_bytes(&whole[..at]);
            match result.expect_err("a part is not the whole") {
                SourceError::Broken { byte, .. } => assert!(byte <= at as u64, "{kind} cut at {at}: {byte}"),
                error => {
                    assert!(at == 0 && error == SourceError::UnknownFormat, "{kind} cut at {at}: {error}");
                }
            }
        }
    }
}

#[test]
fn an_error_states_its_byte_position() {
    let (_, good) = conversations().into_iter().next().expect("one");
    let start = format!("[{good}, ");
    let text = format!("{start}{{\"title\": 7}}]");
    let Err(SourceError::Broken { byte, .. }) = read_bytes(text.as_bytes()) else {
        panic!("should be broken")
    };
    let there = start.len() as u64;
    assert!((there..there + 13).contains(&byte), "{byte} is not near {there}");
}

#[test]
fn cycles_and_gaps_in_the_message_tree_do_not_block_reading() {
    let texts = ["a", "b", "c"];
    let parents = |of: [Value; 3], current: Value| {
        let mut conversation = chatgpt("c", &texts);
        for (i, parent) in of.into_iter().enumerate() {
            conversation["mapping"][format!("n{i}")]["parent"] = parent;
        }
        conversation["current_node"] = current;
        read_json(&json!([conversation])).expect("reads")
    };
    let n = |i: usize| json!(format!("n{i}"));
    assert_eq!(parents([n(2), n(0), n(1)], n(2)).texts(), texts, "a ring is gone through once");
    assert_eq!(parents([n(2), n(0), n(1)], Value::Null).texts().len(), 3, "a ring without an end");
    assert_eq!(parents([n(0), n(0), n(1)], n(2)).texts(), texts, "its own parent");
    assert_eq!(parents([json!("gone"), n(0), n(1)], n(2)).texts(), texts, "a parent that is not there");
    assert_eq!(parents([json!(null), json!("gone"), n(1)], n(2)).texts(), ["b", "c"], "a gap");
    assert_eq!(parents([json!(null), n(0), n(1)], json!("gone")).texts(), texts, "an end that is not there");
}

#[test]
fn duplicates_and_oversized_values_are_bounded() {
    let twice = json!([chatgpt("same", &["a"]), chatgpt("same", &["a", "b"])]);
    check("the same conversation twice", &read_json(&twice), Read(2));

    let mut huge = chatgpt("c", &["a"]);
    huge["title"] = json!("Xanadu ".repeat(200_000));
    let found = read_json(&json!([huge])).expect("a huge title is cut");
    assert!((100..=120).contains(&found.conversations[0].title.chars().count()));
    huge["conversation_id"] = json!("Xanadu".repeat(200_000));
    assert!(read_json(&json!([huge])).expect("reads").conversations[0].external_id.len() < 1000);

    for (list, element, end) in
        [("{\"mapping\": {", "\"a\":{},", "\"b\": {}}}"), ("{\"chat_messages\": [", "{},", "{}]}")]
    {
        let bytes = format!("[{list}{}{end}]", element.repeat(300_000));
        check("more messages than anybody said", &read_bytes(bytes.as_bytes()), TooLarge);
    }
    let many = json!([{"mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": vec![""; 500_000]}}}}}]);
    check("half a million empty parts", &read_json(&many), Read(0));
}
