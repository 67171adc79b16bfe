//! Files of other programs that are broken, hostile or large: nothing of them comes in, and the reason is said.

use inklings_api::{error::ErrorCode, transfer::view::ConflictChoice};
use inklings_formats::testing::{conversations::chatgpt, entries as samples, zip};
use serde_json::{Value, json};

use crate::support::World;

/// A file with what is wrong with it: its name, its bytes, the form it is said to be of, and what the error says.
type Case = (&'static str, Vec<u8>, Option<&'static str>, &'static str);

const NO_JSON: &str = "line 1: this is no valid JSON";
const UNKNOWN: &str = "This is no file of memories, lore or cards";

fn with(mut file: Value, at: &str, value: Value) -> Vec<u8> {
    *file.pointer_mut(at).expect("a field") = value;
    file.to_string().into_bytes()
}

/// What can be wrong with any JSON file.
fn broken_json(good: &Value, format: &'static str) -> Vec<Case> {
    let whole = good.to_string();
    let deep = format!("{{\"entries\":{}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    vec![
        (
            "half of it",
            whole.as_bytes()[..whole.len() / 2].to_vec(),
            Some(format),
            "line 1: the file ends in the middle",
        ),
        (
            "half of it, of no form",
            whole.as_bytes()[..whole.len() / 2].to_vec(),
            None,
            "line 1: the file ends in the middle",
        ),
        ("something behind the end", format!("{whole} Xanadu").into_bytes(), Some(format), NO_JSON),
        (
            "bad UTF-8",
            [b"{\"x\":\"\xFF\",".as_slice(), &whole.as_bytes()[1..]].concat(),
            Some(format),
            "line 1: this is no UTF-8",
        ),
        (
            "nested without end",
            deep.into_bytes(),
            Some(format),
            "line 1: the values of this file are nested too deep",
        ),
        ("a number", b"7".to_vec(), Some(format), "This is not of the format"),
        ("nothing", Vec::new(), Some(format), "line 1: the file ends in the middle"),
    ]
}

fn cases() -> Vec<Case> {
    let (world, book, card) = (samples::world(), samples::lorebook(), samples::card());
    let (novelai, memories, mem0) = (samples::novelai(), samples::memories(), samples::mem0());
    let mut cases = Vec::new();
    for (good, format) in [
        (&world, "sillytavern"),
        (&card, "character_card"),
        (&book, "lorebook_v3"),
        (&novelai, "novelai"),
        (&memories, "claude_memories"),
        (&mem0, "mem0"),
    ] {
        cases.extend(broken_json(good, format));
    }
    let long = json!("x".repeat(1_048_577));
    cases.extend([
        (
            "a text of another kind",
            with(world.clone(), "/entries/1/content", json!({"Xanadu": 1})),
            None,
            "Entry 2, field content: a text should stand here",
        ),
        (
            "a text without end",
            with(world.clone(), "/entries/1/content", long.clone()),
            None,
            "Entry 2, field content: the text is longer than 1 MiB",
        ),
        (
            "entries of another kind",
            with(world, "/entries", json!(7)),
            Some("sillytavern"),
            "Field entries: an object of entries should stand here",
        ),
        (
            "an entry of another kind",
            with(book, "/data/entries/1", json!("Xanadu")),
            None,
            "Entry 2: something else stands where an entry should be",
        ),
        (
            "a card's text of another kind",
            with(card, "/data/scenario", json!(["Xanadu"])),
            None,
            "field scenario: a text should stand here",
        ),
        (
            "an entry without an object",
            with(novelai, "/entries/0", json!(null)),
            None,
            "Entry 1: something else stands",
        ),
        (
            "projects of another kind",
            with(memories, "/0/project_memories", json!([])),
            None,
            "Entry 1, field project_memories",
        ),
        (
            "a memory of another kind",
            with(mem0, "/results/1/memory", json!(7)),
            None,
            "Entry 2, field memory: a text should stand here",
        ),
    ]);
    cases.extend(wrapped());
    cases
}

/// Pictures, archives, lines and notes, and what is no file of entries at all.
fn wrapped() -> Vec<Case> {
    let long = json!("x".repeat(1_048_577));
    let picture = samples::picture_card();
    let mut damaged = picture.clone();
    damaged[50] ^= 1;
    let bomb = vec![b' '; 30 << 20];
    let metadata = samples::metadata().to_string();
    vec![
        ("a damaged picture", damaged, None, "a checksum does not fit"),
        ("half a picture", picture[..picture.len() / 2].to_vec(), None, "the picture ends in the middle"),
        ("a picture without a card", samples::picture(&[]), None, UNKNOWN),
        (
            "a picture whose card is no base64",
            samples::picture(&[samples::text_chunk("chara", b"%%%")]),
            None,
            "the card in the picture is no base64",
        ),
        ("half an archive", samples::codex()[..200].to_vec(), None, "the archive is damaged"),
        ("an archive of something else", zip(&[("Xanadu.txt", b"x")]), None, UNKNOWN),
        (
            "a bomb",
            zip(&[("characters/a/metadata.json", metadata.as_bytes()), ("characters/a/entry.md", &bomb)]),
            None,
            "the archive unpacks to more than 200 times its size",
        ),
        (
            "broken metadata",
            zip(&[("characters/a/metadata.json", b"{Xanadu")]),
            None,
            "File 1, line 1: this is no valid JSON",
        ),
        (
            "only broken lines",
            b"{\"type\":\"entity\"}\nXanadu\n".to_vec(),
            Some("mcp_jsonl"),
            "Line 1, field name: a name should stand here",
        ),
        (
            "a line without end",
            format!("{{\"type\":\"entity\",\"name\":\"a\",\"observations\":[{long}]}}\n").into_bytes(),
            None,
            "Line 1",
        ),
        (
            "a note of bad UTF-8",
            b"---\nname: \xFF\n---\n".to_vec(),
            Some("markdown"),
            "Line 2: this is no UTF-8",
        ),
        ("a note without end", vec![b'x'; 1_048_577], Some("markdown"), "the text is longer than 1 MiB"),
        ("a web page", b"<html>Xanadu</html>".to_vec(), None, UNKNOWN),
        ("nothing of no form", Vec::new(), None, UNKNOWN),
        (
            "conversations",
            json!([chatgpt("a", &["Xanadu"])]).to_string().into_bytes(),
            None,
            "These are conversations",
        ),
        ("more than 64 MiB", vec![b' '; (64 << 20) + 1], None, "the file is larger than 64 MiB"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_third_party_file_is_refused_as_a_whole_with_its_position_and_without_its_text() {
    let world = World::new().await;
    let cases = cases();
    assert!(cases.len() > 60);
    for (name, bytes, format, says) in cases {
        let path = world.file("file", bytes);
        let mut request = World::request(&path, ConflictChoice::Newer);
        request.format = format.map(|format| serde_json::from_value(json!(format)).expect("a form"));
        let error = world.import_as(request).await.expect_err(name);
        let field = error.details.as_ref().map(|details| json!(details)["field"].clone());
        assert_eq!((error.code, field), (ErrorCode::Invalid, Some(json!("path"))), "{name}: {error:?}");
        let message = error.message.to_lowercase();
        assert!(message.contains(&says.to_lowercase()), "{name}: {message}");
        assert!(!format!("{error:?}").contains("Xanadu"), "{name}: {error:?}");
    }
    assert!(world.all().await.is_empty(), "nothing came in");
    assert!(!world.path("data/backups").exists(), "nothing was begun");
    let findings = world.app.doctor().await.expect("checked");
    assert!(findings.iter().all(|finding| finding.ok), "{findings:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_in_an_archive_write_nothing_outside_the_folder() {
    let world = World::new().await;
    let metadata = samples::metadata().to_string();
    let archive = zip(&[
        ("characters/../../../../tmp-out-a1b2/metadata.json", metadata.as_bytes()),
        ("characters/../../../../tmp-out-a1b2/entry.md", b"Outside."),
        ("/tmp-out-a1b2/entry.md", b"Outside."),
        ("..\\..\\tmp-out-a1b2\\entry.md", b"Outside."),
        ("characters/ama-1/metadata.json", metadata.as_bytes()),
        ("characters/ama-1/entry.md", b"Ama rules the north."),
    ]);
    let path = world.file("codex.zip", archive);
    world.import(&path, ConflictChoice::Newer).await.expect("what is in it is text, wherever its name leads");
    let led: Vec<_> =
        world.tree().into_iter().filter(|path| path.to_string_lossy().contains("tmp-out")).collect();
    assert!(led.is_empty(), "{led:?}");
    assert!(!std::path::Path::new("/tmp-out-a1b2").exists());
}
