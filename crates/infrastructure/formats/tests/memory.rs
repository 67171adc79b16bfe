//! Memory does not grow with the file. A process of its own, for its allocator counts.
#![allow(unsafe_code, reason = "an allocator is unsafe by its nature; this one only counts and passes on")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    fmt::Write as _,
    io::{BufWriter, Write},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use inklings_application::ports::conversation_import::SourceItem;

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn more(size: usize) {
    let now = NOW.fetch_add(size, Relaxed) + size;
    PEAK.fetch_max(now, Relaxed);
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        more(size);
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MIB: usize = 1024 * 1024;

#[test]
fn sixty_megabytes_are_read_in_less_than_forty() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("conversations.json");
    let mut file = BufWriter::new(std::fs::File::create(&path).expect("a file"));
    let speech = "The river \\\"Sel\\\" runs north past Ambry.\\nNobody crosses it in winter. ".repeat(24);
    let (mut written, mut talks) = (0, 0);
    while written < 60 * MIB {
        let mut talk = format!(
            r#"{}{{"title":"Talk {talks}","create_time":1.7e9,"mapping":{{"#,
            if talks == 0 { '[' } else { ',' }
        );
        for i in 0..60 {
            let parent = if i == 0 { "null".to_owned() } else { format!("\"n{}\"", i - 1) };
            let comma = if i == 0 { "" } else { "," };
            write!(
                talk,
                r#"{comma}"n{i}":{{"id":"n{i}","parent":{parent},"children":["n{}"],"message":{{"id":"m{i}",
                "author":{{"role":"user"}},"create_time":1.7e9,"metadata":{{}},
                "content":{{"content_type":"text","parts":["{speech}"]}}}}}}"#,
                i + 1
            )
            .expect("memory is written");
        }
        write!(talk, r#"}},"current_node":"n59","id":"c{talks}"}}"#).expect("memory is written");
        file.write_all(talk.as_bytes()).expect("written");
        written += talk.len();
        talks += 1;
    }
    file.write_all(b"]").expect("written");
    drop(file);

    PEAK.store(NOW.load(Relaxed), Relaxed);
    let before = NOW.load(Relaxed);
    let started = std::time::Instant::now();
    let (mut read, mut messages) = (0, 0);
    for item in inklings_formats::open(&path).expect("opens") {
        let SourceItem::Conversation(talk) = item.expect("reads") else { continue };
        read += 1;
        messages += talk.messages.len();
    }
    let (seconds, peak) = (started.elapsed().as_secs_f64(), PEAK.load(Relaxed) - before);
    println!(
        "{} MiB in {seconds:.2} s, at most {:.1} MiB in memory",
        written / MIB,
        peak as f64 / MIB as f64
    );
    assert_eq!((read, messages), (talks, talks * 60));
    assert!(peak < 40 * MIB, "{peak} bytes");
}
