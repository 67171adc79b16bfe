//! Our own form: read row by row, and whatever is broken is named by its line, without a word of it.

use std::{fs, path::PathBuf};

use inklings_formats::own::OwnFile;
use inklings_ports::transfer::{
    file::{FileError, FileRow, FileSource, TransferError},
    shape::Section,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn read(bytes: &[u8]) -> Result<Vec<FileRow>, FileError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path: PathBuf = folder.path().join("export.json");
    fs::write(&path, bytes).expect("writes");
    let rows = match OwnFile::new(&path).rows() {
        Ok(rows) => rows,
        Err(TransferError::File(error)) => return Err(error),
        Err(newer @ (TransferError::Newer { .. } | TransferError::Older { .. })) => {
            return Err(FileError::at(1, newer.to_string()));
        }
        Err(other) => panic!("{other}"),
    };
    rows.collect()
}

const HEAD: &str = "{\"schema_version\":1,\"exported_at\":\"x\",\"scope\":{}";

#[test]
fn an_export_of_a_newer_release_is_recognised_as_newer() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("export.json");
    for (version, ours) in [("1", true), ("2", true), ("900", true), ("0", false), ("\"2\"", false)] {
        fs::write(&path, format!("{{\"schema_version\":{version},\"later\":{{}}}}")).expect("writes");
        assert_eq!(OwnFile::is_ours(&path), ours, "{version}");
        let newer = match OwnFile::new(&path).rows() {
            Err(TransferError::Newer { found, supported }) => Some((found.to_string(), supported)),
            _ => None,
        };
        let expected = (ours && version != "1").then(|| (version.to_owned(), 1));
        assert_eq!(newer, expected, "{version}");
    }
}

#[test]
fn rows_are_read_with_section_and_line() {
    let text = format!(
        "\u{feff}{HEAD},\n\"channels\":[\n{{\"id\":\"a\"}},\n{{\"id\":\"b\\u00e9\"}}\n],\"later\":[1],\n\"memories\":[]}}\n"
    );
    let rows = read(text.as_bytes()).expect("it is whole");
    let lines: Vec<(Section, u64)> = rows.iter().map(|row| (row.section, row.line)).collect();
    assert_eq!(lines, [(Section::Channels, 3), (Section::Channels, 4)]);
    assert_eq!(rows[1].fields["id"], "b\u{e9}");
}

#[test]
fn members_outside_the_rows_are_available_after_the_rows_were_read() {
    let aside = |text: &str| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("export.json");
        fs::write(&path, text).expect("writes");
        let mut rows = OwnFile::new(&path).rows().expect("it begins well");
        for row in rows.by_ref() {
            row.expect("a row");
        }
        rows.aside()
    };
    let text = |scope: &str| {
        format!(
            "{{\"schema_version\":1,\"exported_at\":\"x\",\"maps\":[1.5],\"scope\":{scope},\"memories\":[{{}}],\"\":null}}"
        )
    };
    let found = aside(&text("{\"account\":true,\"workspace\":false}"));
    assert!(found.of_account);
    assert_eq!(Value::Object(found.members), json!({ "maps": [1.5], "": null }));
    for scope in
        ["{\"account\":true,\"workspace\":true}", "{}", "7", "{\"account\":true,\"channel_id\":\"x\"}"]
    {
        assert!(!aside(&text(scope)).of_account, "{scope}");
    }
}

#[test]
fn broken_rows_are_reported_by_line_without_their_text() {
    let row = |row: &str| format!("{HEAD},\n\"memories\":[\n{{\"id\":\"a\"}},\n{row}]}}");
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let cases: Vec<(&str, Vec<u8>, u64)> = vec![
        ("empty", Vec::new(), 1),
        ("no object", b"[]".to_vec(), 1),
        ("nothing of ours", b"{\"secret\":1}".to_vec(), 1),
        ("no version", b"{\"schema_version\":\"secret\"}".to_vec(), 1),
        ("version 0", b"{\"schema_version\":0}".to_vec(), 1),
        ("a newer version", b"{\"schema_version\":2}".to_vec(), 1),
        ("cut off in the head", HEAD.as_bytes().to_vec(), 1),
        ("cut off in a row", format!("{HEAD},\n\"memories\":[\n{{}},\n{{\"secret").into_bytes(), 4),
        ("cut off behind a row", format!("{HEAD},\n\"memories\":[\n{{}}").into_bytes(), 3),
        ("no row", row("\"secret\"").into_bytes(), 4),
        ("no JSON", row("{secret}").into_bytes(), 4),
        ("NaN", row("{\"x\":NaN}").into_bytes(), 4),
        ("a number without end", row("{\"x\":1e999}").into_bytes(), 4),
        ("a lone surrogate", row("{\"x\":\"secret\\ud800\"}").into_bytes(), 4),
        ("a bare control character", row("{\"x\":\"secret\u{1}\"}").into_bytes(), 4),
        ("a field twice", row("{\"secret\":1,\"secret\":2}").into_bytes(), 4),
        ("a field twice further in", row("{\"x\":{\"secret\":1,\n\"secret\":2}}").into_bytes(), 5),
        ("too deep", row(&deep).into_bytes(), 4),
        ("no comma", row("{} {}").into_bytes(), 4),
        ("a comma too many", row("{},").into_bytes(), 4),
        ("a section twice", format!("{HEAD},\n\"memories\":[],\n\"memories\":[]}}").into_bytes(), 3),
        (
            "too much beside the rows",
            format!("{HEAD},\n\"a\":\"{0}\",\n\"b\":\"{0}\"}}", "secret ".repeat(100_000)).into_bytes(),
            3,
        ),
        (
            "too long a name beside the rows",
            format!("{HEAD},\n\"{}\":1}}", "secret".repeat(40)).into_bytes(),
            2,
        ),
        ("no list", format!("{HEAD},\n\"memories\":{{}}}}").into_bytes(), 2),
        ("something behind", format!("{HEAD}}}\nsecret").into_bytes(), 2),
        ("no colon", format!("{HEAD},\n\"memories\" []}}").into_bytes(), 2),
        ("no text for a name", format!("{HEAD},\n7:[]}}").into_bytes(), 2),
        ("brackets crossed", row("{\"x\":[}]").into_bytes(), 4),
    ];
    for (case, bytes, line) in cases {
        let error = read(&bytes).expect_err(case);
        assert_eq!(error.line, line, "{case}: {error}");
        assert!(!error.to_string().contains("secret"), "{case}: {error}");
    }
    let mut bytes = row("{\"x\":\"?\"}").into_bytes();
    let at = bytes.iter().position(|byte| *byte == b'?').expect("a mark");
    bytes[at] = 0xff;
    assert_eq!(read(&bytes).expect_err("no UTF-8").message, "this is no valid UTF-8");
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..400) {
        let _ = read(&bytes);
        let whole = format!("{HEAD},\"memories\":[{{\"id\":\"a\",\"x\":[1,{{\"y\":\"z\\\"\"}}]}}],\"facts\":[]}}");
        let mut text = whole.into_bytes();
        let cut = cut.min(text.len());
        text.truncate(cut);
        text.extend(bytes);
        let _ = read(&text);
    }
}
