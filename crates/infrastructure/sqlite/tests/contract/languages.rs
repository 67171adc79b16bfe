//! Full-text search over scripts without spaces between words, and over letters with accents and of other alphabets.

use inklings_domain::{memory::MemoryEntry, search::query};
use inklings_ports::testing::random::Dice;

use super::{
    CheckedFolder, CheckedStage, Stage,
    text_search::{finds, found, highlighted, notes},
};

/// A note in each language, and a question that shares some words with it and no whole sentence.
const QUESTIONS: [(&str, &str); 6] = [
    ("米拉拿着铁门的钥匙，谁也不能进城。", "铁门的钥匙在谁手里"),
    ("ミラは鉄の門の鍵を持っている。", "鉄の門を開けるのは誰か"),
    ("มีราถือกุญแจประตูเหล็กของเมือง", "ใครถือกุญแจประตูเหล็ก"),
    ("미라는 철문의 열쇠를 가지고 있다.", "철문 열쇠는 누구에게 있나"),
    ("មីរ៉ាកាន់សោទ្វារដែកនៃទីក្រុង។", "អ្នកណាកាន់សោទ្វារដែក"),
    ("မီရာသည် သံတံခါး၏ သော့ကို ကိုင်ထားသည်။", "သံတံခါး၏ သော့ ဘယ်မှာလဲ"),
];

/// Without spaces: as between words, a phrase does not see what separates two runs.
const LETTERS: [char; 6] = ['铁', '门', 'の', 'ก', '가', 'a'];

/// Notes of the same languages about something else.
const OTHERS: [&str; 6] = [
    "集市上的盐很贵。",
    "市場では塩がとても高い。",
    "เกลือในตลาดแพงมาก",
    "시장의 소금은 비싸다.",
    "អំបិលនៅផ្សារថ្លៃណាស់។",
    "ဈေးထဲမှာ ဆားဈေးကြီးသည်။",
];

async fn stage_with_notes(folder: &CheckedFolder) -> (Stage, Vec<MemoryEntry>) {
    let stage = Stage::set(folder).await;
    notes(&stage, OTHERS).await;
    let made = notes(&stage, QUESTIONS.map(|(text, _)| text)).await;
    (stage, made)
}

#[tokio::test]
async fn a_question_finds_a_note_that_shares_words_with_it_where_no_spaces_separate_them() {
    let folder = CheckedFolder::new();
    let (stage, made) = stage_with_notes(&folder).await;
    for ((text, question), note) in QUESTIONS.iter().zip(&made) {
        assert_eq!(found(&stage, question).await.first(), Some(&note.id), "{question} asks for {text}");
    }
}

#[tokio::test]
async fn one_character_is_found_wherever_it_stands() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, ["门是铁的", "城里的铁门", "铁门很重", "门", "没有"]).await;
    finds(&stage, "门", &[&made[0], &made[1], &made[2], &made[3]]).await;
    finds(&stage, "铁门", &[&made[1], &made[2]]).await;
}

#[tokio::test]
async fn quotes_ask_for_the_characters_in_their_order() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, ["城里的铁门很重", "铁很重，门不重", "Mira holds 铁门的key"]).await;
    finds(&stage, "\"的铁门很\"", &[&made[0]]).await;
    finds(&stage, "\"铁门\"", &[&made[0], &made[2]]).await;
    finds(&stage, "\"holds 铁门\"", &[&made[2]]).await;
    finds(&stage, "铁门 -key", &[&made[0]]).await;
}

#[tokio::test]
async fn highlights_cover_whole_characters_once() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, ["米拉拿着铁门的钥匙。 The gate."]).await;
    let query = query::parse("铁门的锁 gate").query;
    assert_eq!(highlighted(&stage, &query, &made[0]).await, ["铁门的", "gate"]);
    let phrase = query::parse("\"门的钥\"").query;
    assert_eq!(highlighted(&stage, &phrase, &made[0]).await, ["门的钥"]);
}

#[tokio::test]
async fn every_part_of_a_text_is_found_as_a_phrase_and_no_other() {
    let stage = CheckedStage::new().await;
    let mut dice = Dice::new(7);
    let mut text = |longest: usize| -> String {
        (0..=dice.below(longest)).map(|_| LETTERS[dice.below(LETTERS.len())]).collect()
    };
    let texts: Vec<String> = (0..40).map(|_| format!("门{}", text(14))).collect();
    let mut made = Vec::new();
    for note in &texts {
        made.extend(notes(&stage, [note.as_str()]).await);
    }
    for _ in 0..120 {
        let part: String = text(4).chars().filter(|c| *c != 'a').collect();
        if part.is_empty() {
            continue;
        }
        let holding = texts.iter().zip(&made).filter(|(text, _)| text.contains(&part)).map(|(_, note)| note);
        finds(&stage, &format!("\"{part}\""), &holding.collect::<Vec<_>>()).await;
    }
}

#[tokio::test]
async fn accents_and_case_of_every_alphabet_make_no_difference() {
    let stage = CheckedStage::new().await;
    let made = notes(
        &stage,
        ["Die Brücke über den Fluß.", "Ключ от ВОРОТ у Миры.", "Το ΚΛΕΙΔΙ της πύλης.", "La forêt d'Élodie."],
    )
    .await;
    finds(&stage, "brucke", &[&made[0]]).await;
    finds(&stage, "ворот", &[&made[1]]).await;
    finds(&stage, "κλειδι", &[&made[2]]).await;
    finds(&stage, "elodie foret", &[&made[3]]).await;
}

#[tokio::test]
async fn messages_are_found_in_scripts_without_spaces() {
    let stage = CheckedStage::new().await;
    let texts = QUESTIONS.map(|(text, _)| text);
    let messages = stage.add_texts(&stage.conversation, &texts).await;
    for ((_, question), message) in QUESTIONS.iter().zip(&messages) {
        let query = query::parse(question).query;
        let filter = inklings_ports::search::transcript_store::TranscriptFilter::default();
        let index = &stage.workspace.transcript_search;
        let hits = index.search_text(&query, &filter, 10).await.expect("search answers");
        assert_eq!(hits.first().map(|hit| hit.id), Some(message.id()), "{question}");
    }
}
