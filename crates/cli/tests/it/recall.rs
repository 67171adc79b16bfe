//! `bench recall` on a tiny set made here.

use serde_json::{Value, json};

use crate::support::Home;

const QUERY: &str = "which gate of the salt city did Mira forge";

fn lines(rows: impl IntoIterator<Item = Value>) -> String {
    rows.into_iter().fold(String::new(), |lines, row| lines + &row.to_string() + "\n")
}

/// A folder with one unit: sixty documents of which the later ones match better.
fn set(home: &Home, queries: Vec<Value>) -> String {
    let doc = |n: usize| {
        let text = if n < 10 {
            format!("Somebody spoke of gate {n} of the city.")
        } else {
            format!("Mira forged gate {n} of the salt city, the gate of salt.")
        };
        json!({ "id": format!("d{n}"), "text": text, "session": n / 20, "speaker": "Mira", "ts": null })
    };
    home.file("talk.docs.jsonl", lines((0..60).map(doc)));
    let path = home.file("talk.queries.jsonl", lines(queries));
    path.trim_end_matches("/talk.queries.jsonl").to_owned()
}

/// The ranked ids by the id of the query, in the order of the file.
fn run(home: &Home, dir: &str, kind: &str) -> Vec<(String, Vec<usize>)> {
    let out = home.file("run.jsonl", "");
    let ran = home.run_with_model(&["--json", "bench", "recall", dir, "--out", &out, "--as", kind]);
    let report = ran.json();
    assert_eq!((&report[0]["docs"], &report[0]["unit"]), (&json!(60), &json!("talk")));
    let answers = std::fs::read_to_string(&out).expect("a run file");
    let answer = |line: &str| {
        let answer: Value = serde_json::from_str(line).expect("a line of JSON");
        assert!(answer["ms"].is_number());
        let number = |id: &Value| id.as_str().and_then(|id| id[1..].parse().ok()).expect("an id of the set");
        let ranked = answer["ranked"].as_array().expect("ids").iter().map(number).collect();
        (answer["id"].as_str().expect("an id").to_owned(), ranked)
    };
    answers.lines().map(answer).collect()
}

#[test]
fn only_documents_before_the_position_of_a_query_count() {
    let home = Home::new();
    let dir = set(
        &home,
        vec![
            json!({ "id": "all", "text": QUERY }),
            json!({ "id": "twelve", "text": QUERY, "before": 12 }),
            json!({ "id": "none", "text": QUERY, "before": 0 }),
            json!({ "id": "five", "text": QUERY, "before": 5 }),
            json!({ "id": "beyond", "text": QUERY, "before": 1000 }),
        ],
    );
    for kind in ["memories", "conversation", "both"] {
        let answers = run(&home, &dir, kind);
        let ids: Vec<&str> = answers.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["all", "twelve", "none", "five", "beyond"], "{kind}: the order of the file");
        let of = |wanted: &str| {
            let found = answers.iter().find(|(id, _)| id == wanted);
            found.map(|(_, ranked)| ranked.clone()).expect("an answer")
        };
        assert!(of("none").is_empty(), "{kind}");
        let mut five = of("five");
        five.sort_unstable();
        assert_eq!(five, [0, 1, 2, 3, 4], "{kind}: fifty better ones stand behind, and take no place");
        let twelve = of("twelve");
        assert_eq!(twelve.len(), 12, "{kind}");
        assert!(twelve.iter().all(|n| *n < 12), "{kind}: {twelve:?}");
        assert!(twelve[..2].iter().all(|n| *n >= 10), "{kind}: the two that match best: {twelve:?}");
        let all = of("all");
        assert_eq!(all.len(), 50, "{kind}");
        assert!(all[..10].iter().all(|n| *n >= 10), "{kind}: {all:?}");
        assert_eq!(of("beyond"), all, "{kind}: a position behind the end is the end");
    }
}

#[test]
fn a_position_that_is_no_number_is_refused() {
    let home = Home::new();
    for before in [json!("D1:3"), json!(-1), json!(1.5)] {
        let dir = set(&home, vec![json!({ "id": "q", "text": QUERY, "before": before })]);
        let out = home.file("run.jsonl", "");
        let refused = home.run_with_model(&["--json", "bench", "recall", &dir, "--out", &out]);
        assert_eq!(refused.error()["code"], "invalid", "{before}");
    }
}

#[test]
fn score_parts_of_candidates_are_output_on_request_and_agree_with_the_ranking() {
    let home = Home::new();
    let dir = set(&home, vec![json!({ "id": "q", "text": QUERY })]);
    for kind in ["memories", "conversation", "both"] {
        let out = home.file("run.jsonl", "");
        home.run_with_model(&["--json", "bench", "recall", &dir, "--out", &out, "--as", kind, "--shares"])
            .json();
        let line = std::fs::read_to_string(&out).expect("a run file");
        let answer: Value = serde_json::from_str(&line).expect("a line of JSON");
        let ranked = answer["ranked"].as_array().expect("ids");
        let candidates = answer["candidates"].as_array().expect("candidates");
        assert!(ranked.len() == 50 && candidates.len() > 50, "{kind}: every candidate, not only the run");
        let score = |candidate: &Value| -> f64 {
            let parts = candidate["parts"].as_object().expect("parts by list");
            parts.values().map(|part| part[0].as_f64().unwrap_or(0.0) * part[1].as_f64().unwrap_or(0.0)).sum()
        };
        assert!(
            candidates.is_sorted_by(|a, b| score(a) >= score(b) - 1e-9),
            "{kind}: the shares make the order"
        );
        assert!(candidates.iter().zip(ranked).all(|(candidate, id)| candidate["id"] == *id), "{kind}");
        assert!(
            candidates[0]["parts"]["around_text"][1].as_f64().is_some_and(|share| share <= 1.0),
            "{kind}"
        );
    }
}
