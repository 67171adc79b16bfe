#![no_main]

use inklings_application::vault::page::page;

// Any text is a page. Its parts are its file, its blocks are parts of its content in order, and every link is in it.
libfuzzer_sys::fuzz_target!(|file: &str| {
    let read = page("places/Salt mere.md", file);
    assert_eq!(format!("{}{}", read.head, read.content), file);
    assert!(!read.title.is_empty());
    let mut end = 0;
    for block in &read.blocks {
        assert!(block.range.start >= end && read.content.get(block.range.clone()).is_some());
        end = block.range.end;
    }
});
