//! The largest file that is read takes less than half a gigabyte on its way in. A process of its own, for the system
//! tells how much memory a process had at most.
#![cfg(target_os = "linux")]

#[path = "it/support.rs"]
#[allow(dead_code, reason = "shared with the other tests")]
mod support;

use std::fmt::Write as _;

use inklings_api::transfer::view::ImportOutcomeKind;

use crate::support::{World, total};

/// The most memory that this process had, in MiB.
fn most() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the system tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
}

#[tokio::test(flavor = "multi_thread")]
async fn importing_the_largest_file_uses_less_than_half_a_gigabyte() {
    const LARGEST: usize = 64 << 20;
    let world = World::new().await;
    // Texts too long for an entry are carried through everything but the database, and fields of no place here too.
    let (text, field) = ("Ama rules. \\ud83d".repeat(35_000), "x".repeat(100_000));
    let mut file = String::with_capacity(LARGEST);
    file.push_str("{\"entries\":{");
    let mut entries = 0;
    loop {
        let comma = if entries == 0 { "" } else { "," };
        let entry = format!(
            "{comma}\"{entries}\":{{\"uid\":{entries},\"key\":[\"k\"],\"content\":\"{text}\",\"other\":\"{field}\"}}"
        );
        if file.len() + entry.len() + 2 > LARGEST {
            break;
        }
        file.push_str(&entry);
        entries += 1;
    }
    write!(file, "}}}}").expect("memory is written");
    let size = file.len();
    let path = world.file("world.json", file);
    let before = most();
    let plan = world.preview(&path).await.expect("it is read");
    assert_eq!(total(&plan, ImportOutcomeKind::Refuse), entries, "{} MiB of texts too long", size >> 20);
    println!("{} MiB: at most {} MiB of memory, {before} before", size >> 20, most());
    assert!(most() < 512, "{} MiB", most());
}
