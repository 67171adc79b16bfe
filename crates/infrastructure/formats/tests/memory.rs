//! Memory does not grow with the file. A process of its own, for its allocator counts.

#[path = "support/counting.rs"]
mod counting;

use std::{
    fmt::Write as _,
    io::{BufWriter, Write},
};

use counting::MIB;
use inklings_ports::conversation::import_store::SourceItem;

#[test]
fn a_file_of_sixty_megabytes_is_read_with_less_than_forty_megabytes_of_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("conversations.json");
    let mut file = BufWriter::new(std::fs::File::create(&path).expect("a file"));
    let speech = "The river \\\"Sel\\\" runs north past Ambry.\\nNobody crosses it in winter. ".repeat(24);
    let (mut written, mut conversations) = (0, 0);
    while written < 60 * MIB {
        let mut conversation = format!(
            r#"{}{{"title":"Talk {conversations}","create_time":1.7e9,"mapping":{{"#,
            if conversations == 0 { '[' } else { ',' }
        );
        for i in 0..60 {
            let parent = if i == 0 { "null".to_owned() } else { format!("\"n{}\"", i - 1) };
            let comma = if i == 0 { "" } else { "," };
            write!(
                conversation,
                r#"{comma}"n{i}":{{"id":"n{i}","parent":{parent},"children":["n{}"],"message":{{"id":"m{i}",
                "author":{{"role":"user"}},"create_time":1.7e9,"metadata":{{}},
                "content":{{"content_type":"text","parts":["{speech}"]}}}}}}"#,
                i + 1
            )
            .expect("memory is written");
        }
        write!(conversation, r#"}},"current_node":"n59","id":"c{conversations}"}}"#)
            .expect("memory is written");
        file.write_all(conversation.as_bytes()).expect("written");
        written += conversation.len();
        conversations += 1;
    }
    file.write_all(b"]").expect("written");
    drop(file);

    let before = counting::begin();
    let started = std::time::Instant::now();
    let (mut read, mut messages) = (0, 0);
    for item in inklings_formats::open(&path).expect("opens") {
        let SourceItem::Conversation(conversation) = item.expect("reads") else { continue };
        read += 1;
        messages += conversation.messages.len();
    }
    let (seconds, peak) = (started.elapsed().as_secs_f64(), counting::most_beyond(before));
    println!(
        "{} MiB in {seconds:.2} s, at most {:.1} MiB in memory",
        written / MIB,
        peak as f64 / MIB as f64
    );
    assert_eq!((read, messages), (conversations, conversations * 60));
    assert!(peak < 40 * MIB, "{peak} bytes");
}
