//! How fast the store is. Run by hand: `cargo test -p inklings-sqlite --test it -- rates:: --ignored --nocapture`.

use std::time::Instant;

use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryDraft,
        filter::{Facet, MemoryFilter, ScopeFilter, Sort},
    },
    scope::{MemoryScope, Place},
};
use inklings_ports::testing::builders::{draft, everywhere, import, only};

use crate::support;

const WORDS: &[&str] = &[
    "gate", "iron", "river", "queen", "oath", "winter", "harbour", "lantern", "salt", "tower", "raven",
    "mill", "border", "feast", "letter", "map", "bridge", "storm", "orchard", "bell", "king", "treaty",
    "forge", "ash",
];

fn text(n: usize) -> String {
    let mut state = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        WORDS[(state % WORDS.len() as u64) as usize]
    };
    (0..25).map(|_| word()).chain(["entry"]).collect::<Vec<_>>().join(" ") + &format!(" {n}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement, not a check"]
async fn rates() {
    let total: usize = std::env::var("ENTRIES").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let (folder, stage) = support::stage().await;
    let places = stage.places();
    let mut ids: Vec<MemoryId> = Vec::new();
    if let Ok(without) = std::env::var("WITHOUT") {
        let mut raw = support::raw(&folder.workspace_file(stage.workspace.workspace.id)).await;
        sqlx::raw_sql(sqlx::AssertSqlSafe(without)).execute(&mut raw).await.expect("dropped");
    }
    let started = Instant::now();
    for from in (0..total).step_by(5_000) {
        let drafts = (from..(from + 5_000).min(total)).map(|n| MemoryDraft {
            importance: (n % 100) as f64 / 100.0,
            tags: vec![format!("tag {}", n % 50), "all".into()],
            source: format!("source {}", n % 7),
            ..draft(places[n % 5], &text(n))
        });
        let (change, entries) = stage.scribe.create(import(), drafts);
        ids.extend(entries.iter().map(|e| e.id));
        let begun = Instant::now();
        stage.commit(&change).await;
        let took = begun.elapsed();
        if from % 50_000 == 45_000 || from == 0 {
            println!("insert at {from}: {:.0} entries/s", 5_000.0 / took.as_secs_f64());
        }
    }
    println!("{total} entries in {:?} overall", started.elapsed());
    let size = std::fs::metadata(folder.workspace_file(stage.workspace.workspace.id)).expect("a file").len();
    println!("{} MB on disk", size / 1_000_000);

    let everything = MemoryFilter::active(ScopeFilter::EVERYTHING);
    let channel = MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Channel], Some(stage.side.id), None));
    let near = MemoryFilter::active(ScopeFilter::new(&[], Some(stage.side.id), None));
    let tier = MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Workspace], None, None));
    let tagged = everywhere(vec![only(Facet::Tag, "tag 7"), only(Facet::Importance, "high")]);
    let rare = everywhere(vec![only(Facet::Source, "nobody")]);
    for (name, filter) in [
        ("everything", &everything),
        ("one channel", &channel),
        ("near a channel", &near),
        ("workspace tier", &tier),
        ("tag and importance", &tagged),
        ("nothing fits", &rare),
    ] {
        for sort in Sort::ALL {
            let begun = Instant::now();
            let page = stage.store().list(filter, *sort, None, 50).await.expect("a page");
            println!("list {name} {sort}: {:?} ({} rows)", begun.elapsed(), page.len());
        }
        let begun = Instant::now();
        stage.store().count(filter).await.expect("counts");
        let counted = begun.elapsed();
        let begun = Instant::now();
        stage.store().facets(filter, None).await.expect("facets");
        println!("count {name}: {counted:?}, facets: {:?}", begun.elapsed());
    }
    let begun = Instant::now();
    stage.workspace.conversations.channels().await.expect("channels");
    println!("channels: {:?}", begun.elapsed());
    let begun = Instant::now();
    stage.store().get(&ids[..50]).await.expect("entries");
    println!("get 50: {:?}", begun.elapsed());
    let mut took = Vec::new();
    for n in 0..50 {
        let (change, _) = stage.scribe.create(import(), [draft(Place::Workspace, &text(total + n))]);
        let begun = Instant::now();
        stage.commit(&change).await;
        took.push(begun.elapsed());
    }
    took.sort();
    println!("one write: median {:?}, p95 {:?}", took[25], took[47]);
    let begun = Instant::now();
    let findings = stage.catalogue.check().await.expect("a check");
    println!(
        "doctor: {:?}, {} findings, all ok: {}",
        begun.elapsed(),
        findings.len(),
        findings.iter().all(|f| f.ok)
    );
}
