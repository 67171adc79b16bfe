//! Search over messages.

use std::{collections::HashMap, ops::Range};

use chrono::TimeDelta;
use inklings_domain::{
    conversation::{
        Conversation,
        message::{Delivery, Message, MessageOrigin, NewMessage, Role},
    },
    ids::MessageId,
    memory::{embedding::ModelId, word_codes::WordCodes},
    search::{
        passage::passages,
        people::Speakers,
        query,
        ranking::{WordComparison, utterance::Previous},
    },
};
use inklings_ports::{
    clock::{Clock as _, IdGenerator},
    memory::vector_store::{PassageVector, TextVectors},
    model::embedding::Embedder as _,
    search::{
        store::{Asked, Completed},
        transcript_store::{MessageHit, TranscriptFilter, TranscriptSearch},
    },
    testing::{embedder::FixedEmbedder, random::Dice},
};

use super::{CheckedStage, Stage, model, named};

pub(super) const EVERYWHERE: TranscriptFilter =
    TranscriptFilter { conversation: None, channel: None, only: None, archived: true, lens: None };

fn search(stage: &Stage) -> &dyn TranscriptSearch {
    stage.workspace.transcript_search.as_ref()
}

pub(super) async fn hits(
    stage: &Stage,
    typed: &str,
    scope_filter: &TranscriptFilter,
    limit: usize,
) -> Vec<MessageHit> {
    let query = query::parse(typed).query;
    search(stage).search_text(&query, scope_filter, limit).await.expect("search answers")
}

async fn found(stage: &Stage, typed: &str, scope_filter: &TranscriptFilter) -> Vec<MessageId> {
    ids(&hits(stage, typed, scope_filter, 100).await)
}

fn ids(hits: &[MessageHit]) -> Vec<MessageId> {
    hits.iter().map(|hit| hit.id).collect()
}

async fn archive(stage: &Stage, conversation: &Conversation) {
    let archived = conversation.archive(stage.scribe.clock.tick()).expect("active ones are archived");
    let update = stage.workspace.conversations.update_conversation(&archived, conversation.status).await;
    update.expect("it is archived");
}

async fn embed(stage: &Stage, name: &str, vectors: &[(MessageId, Vec<f32>)]) {
    let model = model(name, vectors[0].1.len());
    let new: Vec<(MessageId, TextVectors)> =
        vectors.iter().map(|(id, vector)| (*id, vector.clone().into())).collect();
    let stored = stage.workspace.transcript.put_vectors(&model, &new).await.expect("vectors are stored");
    assert_eq!(stored, vectors.len());
}

async fn nearest(
    stage: &Stage,
    name: &str,
    vector: &[f32],
    scope_filter: &TranscriptFilter,
    limit: usize,
) -> Vec<MessageHit> {
    let model = model(name, vector.len());
    search(stage).search_meaning(vector, &model.id, scope_filter, limit).await.expect("search answers")
}

async fn completed(
    stage: &Stage,
    typed: &str,
    vector: Option<&[f32]>,
    filter: &TranscriptFilter,
    ids: &[MessageId],
) -> Vec<Completed<MessageId>> {
    let (parsed, model) = (query::parse(typed), model("contract", 2));
    let vector = vector.map(|vector| (vector, &model.id));
    let asked = Asked { query: &parsed.query, named: &named(typed, stage.scribe.clock.now()), vector };
    search(stage).complete(asked, filter, ids).await.expect("candidates are completed")
}

/// The better the more of them; ties newest first. A hit says where it stands.
#[tokio::test]
async fn words_of_messages_are_found() {
    let stage = CheckedStage::new().await;
    let origin = MessageOrigin { session: Some("session_2".into()), ..MessageOrigin::default() };
    let dated = NewMessage { origin: Some(origin), ..stage.scribe.message("An iron bridge by the river.") };
    let first = stage.add_texts(&stage.conversation, &["The iron gate by the sea.", "Nothing of it."]).await;
    let second = stage.say(&stage.side_conversation, &[dated]).await;
    let third = stage.add_texts(&stage.conversation, &["The iron gate by the sea."]).await;
    let expected = [third[0].id(), first[0].id(), second[0].id()];
    assert_eq!(found(&stage, "IRON gate", &EVERYWHERE).await, expected);
    let all = hits(&stage, "iron gate", &EVERYWHERE, 100).await;
    assert!(all.is_sorted_by(|a, b| a.score >= b.score) && all[2].score > 0.0);
    let hit = &all[2];
    assert_eq!((hit.conversation, hit.position), (stage.side_conversation.id, 1));
    assert_eq!(hit.session.as_deref(), Some("session_2"));
    assert_eq!(found(&stage, "\"gate by\"", &EVERYWHERE).await, expected[..2]);
    assert_eq!(found(&stage, "iron -gate", &EVERYWHERE).await, expected[2..]);
    assert_eq!(ids(&hits(&stage, "iron gate", &EVERYWHERE, 1).await), expected[..1]);
    assert_eq!(hits(&stage, "iron gate", &EVERYWHERE, 0).await, []);
}

/// A name that no message holds is looked for by its nearest spelling, which is marked.
#[tokio::test]
async fn an_invented_name_is_found_in_messages_by_a_nearby_spelling() {
    let stage = CheckedStage::new().await;
    let messages = stage.add_texts(&stage.conversation, &["Ask Hepzibah about it.", "Nothing of it."]).await;
    assert_eq!(found(&stage, "what did Hepziba say", &EVERYWHERE).await, [messages[0].id()]);
    let query = query::parse("Hepziba").query;
    let marks = search(&stage).highlights(&query, &[messages[0].id()]).await.expect("an answer");
    let spans: Vec<Range<usize>> = marks.into_iter().flat_map(|(_, spans)| spans).collect();
    assert_eq!(spans, std::slice::from_ref(&(4..12)));
    assert_eq!(found(&stage, "\"Hepziba\"", &EVERYWHERE).await, []);
}

/// Each speaker is known once, and roles are no names.
#[tokio::test]
async fn the_speakers_of_messages_are_known() {
    let stage = CheckedStage::new().await;
    assert_eq!(search(&stage).speakers().await.expect("an answer"), Speakers::default());
    let message_of = |speaker: &str| {
        let origin = MessageOrigin { speaker: Some(speaker.into()), ..MessageOrigin::default() };
        NewMessage { origin: Some(origin), ..stage.scribe.message("Well met.") }
    };
    let messages = ["Mira Vale", "Toma", "Mira Vale", "assistant", "Ödön"].map(message_of);
    stage.say(&stage.conversation, &messages).await;
    let speakers = search(&stage).speakers().await.expect("an answer");
    assert_eq!(
        speakers.without_names("Did Vale tell Toma and Ödön, Assistant?"),
        "Did tell and , Assistant?"
    );
}

/// Any string can be looked for.
#[tokio::test]
async fn any_string_is_a_valid_query_for_messages() {
    let stage = CheckedStage::new().await;
    let messages = stage.add_texts(&stage.conversation, &["See 🐉 there", "世界の門"]).await;
    assert_eq!(found(&stage, "🐉", &EVERYWHERE).await, [messages[0].id()]);
    assert_eq!(found(&stage, "界の", &EVERYWHERE).await, [messages[1].id()]);
    let only =
        TranscriptFilter { conversation: Some(stage.side_conversation.id), ..TranscriptFilter::default() };
    assert_eq!(found(&stage, "🐉", &only).await, []);
    for odd in
        ["", " ", "\"", "a AND", "NEAR(x y)", "* ^ :", "reach:said", "-", "'; DROP TABLE messages", "%_"]
    {
        hits(&stage, odd, &EVERYWHERE, 9).await;
    }
    assert_eq!(found(&stage, "said", &EVERYWHERE).await, [], "what narrows down is no text");
}

/// Messages that are still arriving and markers are not found; once whole they are, by what they say then.
#[tokio::test]
async fn only_delivered_messages_are_found() {
    let stage = CheckedStage::new().await;
    let arriving = stage.say(&stage.conversation, &[stage.scribe.arriving()]).await.remove(0);
    let deliver = |text: &'static str, delivery| {
        let at = stage.scribe.clock.tick();
        stage.workspace.transcript.deliver(arriving.id(), text, None, delivery, at)
    };
    deliver("The lantern", Delivery::Streaming).await.expect("it is written");
    let (archive, marker) = stage.scribe.archive(&stage.conversation, "SO FAR", 1);
    let marker = NewMessage { content: "A lantern archive.".into(), ..marker };
    let compacted = stage.workspace.transcript.compact(stage.conversation.id, &archive, &marker, None).await;
    let marker = compacted.expect("compacted");
    assert_eq!(found(&stage, "lantern", &EVERYWHERE).await, []);
    assert_eq!(completed(&stage, "lantern", None, &EVERYWHERE, &[arriving.id(), marker.id()]).await, []);
    deliver("The lamp burns.", Delivery::Complete).await.expect("it is written");
    assert_eq!(found(&stage, "lantern", &EVERYWHERE).await, []);
    assert_eq!(found(&stage, "lamp", &EVERYWHERE).await, [arriving.id()]);
}

/// One conversation, one channel, archived ones or not: in both lists.
#[tokio::test]
async fn message_search_respects_its_filter() {
    let stage = CheckedStage::new().await;
    let old = stage.scribe.conversation(stage.side.id);
    stage.workspace.conversations.add_conversation(&old).await.expect("a conversation is added");
    let mut messages = Vec::new();
    for conversation in [&stage.conversation, &stage.side_conversation, &old] {
        messages.extend(stage.add_texts(conversation, &["The lantern burns."]).await);
    }
    let vectors: Vec<(MessageId, Vec<f32>)> = messages
        .iter()
        .zip([0.9_f32, 0.8, 0.7])
        .map(|(m, x)| (m.id(), vec![x, (1.0 - x * x).sqrt()]))
        .collect();
    embed(&stage, "contract", &vectors).await;
    archive(&stage, &old).await;
    let [talk, side, archived] = [messages[0].id(), messages[1].id(), messages[2].id()];
    let none = TranscriptFilter::default();
    let stage = &stage;
    for (scope_filter, expected) in [
        (EVERYWHERE, vec![talk, side, archived]),
        (none.clone(), vec![talk, side]),
        (TranscriptFilter { channel: Some(stage.side.id), ..none.clone() }, vec![side]),
        (TranscriptFilter { channel: Some(stage.side.id), ..EVERYWHERE }, vec![side, archived]),
        (TranscriptFilter { conversation: Some(stage.conversation.id), ..none.clone() }, vec![talk]),
        (TranscriptFilter { only: Some(Vec::new()), ..EVERYWHERE }, vec![]),
        (TranscriptFilter { only: Some(vec![stage.conversation.id, old.id]), ..none.clone() }, vec![talk]),
        (
            TranscriptFilter { only: Some(vec![stage.conversation.id, old.id]), ..EVERYWHERE },
            vec![talk, archived],
        ),
        (TranscriptFilter { conversation: Some(old.id), ..none.clone() }, vec![archived]),
        (
            TranscriptFilter { conversation: Some(old.id), channel: Some(stage.general.id), ..none.clone() },
            vec![],
        ),
        (TranscriptFilter { conversation: Some(stage.scribe.ids.conversation_id()), ..none.clone() }, vec![]),
    ] {
        let mut words = found(stage, "lantern", &scope_filter).await;
        words.sort_unstable();
        assert_eq!(words, expected, "{scope_filter:?}");
        let near = nearest(stage, "contract", &[1.0, 0.0], &scope_filter, 9).await;
        assert_eq!(ids(&near), expected, "{scope_filter:?}");
    }
}

/// A crowd in a conversation out of scope takes no place.
#[tokio::test]
async fn the_limit_of_message_search_applies_within_its_filter() {
    let stage = CheckedStage::new().await;
    let crowd: Vec<NewMessage> = (0..150).map(|_| stage.scribe.message("lantern lantern")).collect();
    let crowd = stage.say(&stage.conversation, &crowd).await;
    let silent_one =
        stage.add_texts(&stage.side_conversation, &["A lantern somewhere in a longer line of words."]).await;
    let mut vectors: Vec<(MessageId, Vec<f32>)> = crowd.iter().map(|m| (m.id(), vec![1.0, 0.0])).collect();
    vectors.push((silent_one[0].id(), vec![0.0, 1.0]));
    embed(&stage, "contract", &vectors).await;
    for scope_filter in [
        TranscriptFilter { conversation: Some(stage.side_conversation.id), ..TranscriptFilter::default() },
        TranscriptFilter { channel: Some(stage.side.id), ..TranscriptFilter::default() },
    ] {
        assert_eq!(ids(&hits(&stage, "lantern", &scope_filter, 1).await), [silent_one[0].id()]);
        assert_eq!(
            ids(&nearest(&stage, "contract", &[1.0, 0.0], &scope_filter, 1).await),
            [silent_one[0].id()]
        );
    }
}

/// By words, by meaning, by place.
#[tokio::test]
async fn messages_of_deleted_conversations_are_never_found() {
    let stage = CheckedStage::new().await;
    let messages = stage.add_texts(&stage.conversation, &["The lantern burns."]).await;
    let kept = stage.add_texts(&stage.side_conversation, &["A lantern."]).await;
    embed(&stage, "contract", &[(messages[0].id(), vec![1.0, 0.0]), (kept[0].id(), vec![0.0, 1.0])]).await;
    assert_eq!(nearest(&stage, "contract", &[1.0, 0.0], &EVERYWHERE, 9).await.len(), 2);
    let at = stage.scribe.clock.tick();
    stage
        .workspace
        .conversations
        .delete_conversation(stage.conversation.id, at)
        .await
        .expect("it is deleted");
    assert_eq!(found(&stage, "lantern", &EVERYWHERE).await, [kept[0].id()]);
    assert_eq!(ids(&nearest(&stage, "contract", &[1.0, 0.0], &EVERYWHERE, 9).await), [kept[0].id()]);
    assert_eq!(completed(&stage, "lantern", None, &EVERYWHERE, &[messages[0].id()]).await, []);
}

/// Exactly those of a plain computation, nearest first.
#[tokio::test]
async fn the_nearest_messages_are_those_of_brute_force() {
    let stage = CheckedStage::new().await;
    let mut dice = Dice::new(4);
    let messages: Vec<NewMessage> = (0..120).map(|n| stage.scribe.message(&format!("Line {n}."))).collect();
    let added: Vec<Message> = stage.say(&stage.conversation, &messages).await;
    let vectors: Vec<(MessageId, Vec<f32>)> = added.iter().map(|m| (m.id(), dice.direction(24))).collect();
    embed(&stage, "contract", &vectors).await;
    for _ in 0..5 {
        let wanted = dice.direction(24);
        let cosine =
            |v: &[f32]| v.iter().zip(&wanted).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let mut expected: Vec<(MessageId, f64)> = vectors.iter().map(|(id, v)| (*id, cosine(v))).collect();
        expected.sort_by(|a, b| b.1.total_cmp(&a.1));
        let near = nearest(&stage, "contract", &wanted, &EVERYWHERE, 10).await;
        let expected: Vec<MessageId> = expected.into_iter().take(10).map(|(id, _)| id).collect();
        assert_eq!(ids(&near), expected);
    }
    assert_eq!(nearest(&stage, "another", &vectors[0].1, &EVERYWHERE, 10).await, []);
    assert_eq!(nearest(&stage, "contract", &[1.0, 0.0], &EVERYWHERE, 10).await, []);
}

/// As soon as they are stored, by whichever process; a text imported anew loses its vector.
#[tokio::test]
async fn new_vectors_of_messages_are_searched_at_once() {
    let stage = CheckedStage::new().await;
    let other = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    let model = model("contract", 2);
    let old = stage.scribe.message_with_external_id("D1", "One.");
    let imported = stage.scribe.conversation(stage.side.id);
    stage.take_in("talk", &imported, std::slice::from_ref(&old)).await;
    embed(&stage, "contract", &[(old.id, vec![1.0, 0.0])]).await;
    let there = async |expected: &[MessageId]| {
        let near = other.transcript_search.search_meaning(&[1.0, 0.0], &model.id, &EVERYWHERE, 9).await;
        assert_eq!(ids(&near.expect("search answers")), expected);
        assert_eq!(ids(&nearest(&stage, "contract", &[1.0, 0.0], &EVERYWHERE, 9).await), expected);
    };
    there(&[old.id]).await;
    let new = stage.add_texts(&stage.conversation, &["Two."]).await.remove(0);
    embed(&stage, "contract", &[(new.id(), vec![0.6, 0.8])]).await;
    there(&[old.id, new.id()]).await;
    embed(&stage, "contract", &[(old.id, vec![0.0, 1.0])]).await;
    there(&[new.id(), old.id]).await;
    let better = [stage.scribe.message_with_external_id("D1", "One, better.")];
    stage.take_in("talk", &imported, &better).await;
    there(&[new.id()]).await;
}

/// A candidate gets its own score and those of the texts around it, and what stands beside it becomes a candidate, within its
/// session and in the reach of the filter alone.
#[tokio::test]
async fn message_candidates_are_completed_with_adjacent_messages() {
    let stage = CheckedStage::new().await;
    let of = |session: &str, speaker: &str, text: &str| NewMessage {
        origin: Some(MessageOrigin {
            session: Some(session.into()),
            speaker: Some(speaker.into()),
            said_at: Some("8 May, 2023".into()),
            ..MessageOrigin::default()
        }),
        ..stage.scribe.message(text)
    };
    let messages = [
        of("1", "Toma", "The harbour is closed."),
        of("2", "Mira", "Who sold the iron lantern?"),
        of("2", "assistant", "It was the ferryman."),
        of("2", "Mira", "Nobody else knew."),
    ];
    let messages = stage.say(&stage.conversation, &messages).await;
    let elsewhere = stage.add_texts(&stage.side_conversation, &["An iron lantern."]).await;
    let vectors: Vec<(MessageId, Vec<f32>)> = messages
        .iter()
        .map(Message::id)
        .zip([vec![0.0, 1.0], vec![1.0, 0.0], vec![0.6, 0.8], vec![0.0, 1.0]])
        .collect();
    embed(&stage, "contract", &vectors).await;
    let query = "What did Mira say of the iron lantern in May 2023?";
    let filter = TranscriptFilter { channel: Some(stage.conversation.channel_id), ..EVERYWHERE };
    let asked = [messages[1].id(), elsewhere[0].id()];
    let all = completed(&stage, query, Some(&[1.0, 0.0]), &filter, &asked).await;
    let of = |n: usize| all.iter().find(|c| c.id == messages[n].id()).cloned();
    assert_eq!(all.len(), 3, "the question and what follows it in its session");
    assert_eq!((of(0), all.iter().find(|c| c.id == elsewhere[0].id())), (None, None));
    let text = hits(&stage, query, &EVERYWHERE, 9).await;
    let own = |n: usize| text.iter().find(|hit| hit.id == messages[n].id()).map(|hit| hit.score);
    let (question, answer) = (of(1).expect("completed"), of(2).expect("beside it"));
    assert_eq!((question.values.text, question.values.text.is_some()), (own(1), true));
    assert_eq!((answer.values.text, answer.values.meaning.map(|m| (m * 10.0).round())), (None, Some(6.0)));
    let date = question.values.date;
    let (asks, says) =
        (question.values.utterance.expect("an utterance"), answer.values.utterance.expect("an utterance"));
    assert!(
        says.around_text.is_some_and(|around| around > 0.0),
        "an answer takes over the words of its question"
    );
    assert!(says.around_meaning.is_some_and(|around| around > 0.6), "and its meaning");
    assert!(asks.asks && !says.asks);
    assert_eq!(says.first_meaning.map(|cosine| (cosine * 10.0).round()), Some(6.0));
    assert_eq!(says.previous, Some(Previous { text: own(1), asks: true }));
    assert_eq!(asks.previous, None, "nothing stands before it in its session");
    assert!(asks.speaker_named && asks.by_person && !says.by_person && !says.speaker_named);
    assert_eq!(date, Some(1.0));
}

/// What the worldbuilder and the World Agent said in a time is found, whatever words it has.
#[tokio::test]
async fn messages_of_a_time_are_found_newest_first_within_the_filter() {
    let stage = CheckedStage::new().await;
    let mut messages = Vec::new();
    for _ in 0..4 {
        let here = stage.add_texts(&stage.conversation, &["The gate is open.", "Is it?"]).await;
        let tool = [stage.scribe.message_of_role(Role::Tool, "Read."), stage.scribe.arriving()];
        stage.say(&stage.conversation, &tool).await;
        let elsewhere = stage.add_texts(&stage.side_conversation, &["The ferry is late."]).await;
        messages.push([here[0].clone(), here[1].clone(), elsewhere[0].clone()]);
        stage.scribe.clock.advance(TimeDelta::days(1));
    }
    archive(&stage, &stage.side_conversation).await;
    let at = |day: usize| messages[day][0].body.at;
    let found = async |days: Range<usize>, filter: &TranscriptFilter, limit: usize| {
        ids(&search(&stage).in_time(at(days.start)..at(days.end), filter, limit).await.expect("found"))
    };
    let id = |day: usize, n: usize| messages[day][n].id();
    assert_eq!(
        found(1..3, &EVERYWHERE, 9).await,
        [id(2, 2), id(2, 1), id(2, 0), id(1, 2), id(1, 1), id(1, 0)]
    );
    assert_eq!(found(1..3, &EVERYWHERE, 2).await, [id(2, 2), id(2, 1)]);
    let unarchived = TranscriptFilter { archived: false, ..EVERYWHERE };
    assert_eq!(found(1..2, &unarchived, 9).await, [id(1, 1), id(1, 0)]);
    let channel = TranscriptFilter { channel: Some(stage.side_conversation.channel_id), ..EVERYWHERE };
    let conversation = TranscriptFilter { conversation: Some(stage.conversation.id), ..EVERYWHERE };
    assert_eq!(found(1..2, &channel, 9).await, [id(1, 2)]);
    assert_eq!(found(1..2, &conversation, 9).await, [id(1, 1), id(1, 0)]);
    let only = TranscriptFilter { only: Some(Vec::new()), ..EVERYWHERE };
    assert_eq!(found(0..3, &only, 9).await, []);
}

/// Each word of a query counts by the nearest word of a message, also by those of the messages beside it in its session, as far as
/// the filter lets them through.
#[tokio::test]
async fn words_of_messages_are_compared_one_by_one() {
    let stage = CheckedStage::new().await;
    let of = |session: &str, text: &str| NewMessage {
        origin: Some(MessageOrigin { session: Some(session.into()), ..MessageOrigin::default() }),
        ..stage.scribe.message(text)
    };
    let texts = [("1", "iron"), ("2", "gate"), ("2", "iron lantern"), ("2", "nobody")];
    let messages: Vec<Message> =
        stage.say(&stage.conversation, &texts.map(|(session, text)| of(session, text))).await;
    let elsewhere = stage.add_texts(&stage.side_conversation, &["lantern"]).await;
    let embedder = FixedEmbedder::named("contract", 256);
    let model = embedder.model();
    let new: Vec<(MessageId, TextVectors)> = messages[..3]
        .iter()
        .chain(&elsewhere)
        .map(|message| (message.id(), TextVectors::One(embedder.embedding(&message.body.content))))
        .collect();
    stage.workspace.transcript.put_vectors(&model, &new).await.expect("vectors are stored");
    let asked = embedder.embedding("gate lantern").words;
    let all: Vec<MessageId> = messages.iter().chain(&elsewhere).map(Message::id).collect();
    let compared =
        async |filter: &TranscriptFilter, ids: &[MessageId]| -> HashMap<MessageId, WordComparison> {
            let found = search(&stage).compare_words(&asked, &model.id, filter, ids).await;
            found.expect("words are compared").into_iter().collect()
        };
    let found = compared(&EVERYWHERE, &all).await;
    let share = |id: MessageId| {
        let WordComparison { own, around } = found[&id];
        (own.map(|own| (own * 2.0).round() / 2.0), around.map(|around| (around * 2.0).round() / 2.0))
    };
    // Codes of other words are equal in about half of their bits.
    assert_eq!(share(all[0]), (Some(0.0), Some(0.0)), "another session has the words");
    assert_eq!(share(all[1]), (Some(0.5), Some(1.0)), "the message behind it has the other word");
    assert_eq!(share(all[2]), (Some(0.5), Some(1.0)));
    assert_eq!(share(all[3]), (None, Some(1.0)), "a message without codes has those around it");
    assert_eq!(share(all[4]), (Some(0.5), Some(0.5)));
    let here = TranscriptFilter { channel: Some(stage.conversation.channel_id), ..EVERYWHERE };
    assert!(!compared(&here, &all).await.contains_key(&all[4]), "it is of another channel");
    assert_eq!(compared(&EVERYWHERE, &[all[1]]).await.keys().collect::<Vec<_>>(), [&all[1]]);
    let (other, none) = (ModelId::new("other"), WordCodes::default());
    assert!(
        search(&stage).compare_words(&asked, &other, &EVERYWHERE, &all).await.expect("compared").is_empty()
    );
    assert!(
        search(&stage).compare_words(&none, &model.id, &EVERYWHERE, &all).await.expect("compared").is_empty()
    );
}

/// And nothing else, on character boundaries.
#[tokio::test]
async fn highlights_of_messages_cover_the_words() {
    let stage = CheckedStage::new().await;
    let messages = stage.add_texts(&stage.conversation, &["The Gate; a gate 🐉.", "gate"]).await;
    let marks = async |typed: &str, ids: &[MessageId]| -> Vec<Vec<Range<usize>>> {
        let query = query::parse(typed).query;
        let found = search(&stage).highlights(&query, ids).await.expect("highlights are found");
        found.into_iter().map(|(_, spans)| spans).collect()
    };
    assert_eq!(marks("gate", &[messages[0].id()]).await, [[4..8, 12..16]]);
    assert_eq!(marks("🐉", &[messages[0].id()]).await.concat(), std::slice::from_ref(&(17..21)));
    assert_eq!(marks("gate", &[]).await, Vec::<Vec<Range<usize>>>::new());
}

/// The cosine of a message is that of its best passage, and the hit says which it is.
#[tokio::test]
async fn the_nearest_messages_are_those_of_the_nearest_passages() {
    let stage = CheckedStage::new().await;
    let (model, mut dice) = (model("contract", 24), Dice::new(5));
    let text = ["The keeper counted every ship that passed the northern reef."; 60].join(" ");
    let messages: Vec<NewMessage> = (0..60).map(|_| stage.scribe.message(&text)).collect();
    let added: Vec<Message> = stage.say(&stage.conversation, &messages).await;
    let ranges: Vec<Range<usize>> = passages(None, &text).into_iter().map(|passage| passage.range).collect();
    assert!(ranges.len() > 2);
    let mut stored: Vec<(MessageId, Vec<Vec<f32>>)> = Vec::new();
    for (n, message) in added.iter().enumerate() {
        let several = if n % 4 == 0 { ranges.len() } else { 1 };
        stored.push((message.id(), (0..several).map(|_| dice.direction(24)).collect()));
    }
    let of = |vectors: &[Vec<f32>]| match vectors {
        [one] => TextVectors::from(one.clone()),
        several => TextVectors::Passages(
            ranges
                .iter()
                .zip(several)
                .map(|(range, vector)| PassageVector { range: range.clone(), vector: vector.clone() })
                .collect(),
        ),
    };
    let new: Vec<(MessageId, TextVectors)> = stored.iter().map(|(id, vectors)| (*id, of(vectors))).collect();
    // Half of them are read by the first search, the others follow.
    for part in new.chunks(30) {
        assert_eq!(stage.workspace.transcript.put_vectors(&model, part).await.expect("an answer"), 30);
        nearest(&stage, "contract", &dice.direction(24), &EVERYWHERE, 1).await;
    }
    assert_eq!(stage.workspace.transcript.vector_counts(&model).await.expect("counts").embedded, 60);
    let check = async |stored: &[(MessageId, Vec<Vec<f32>>)], wanted: Vec<f32>| {
        let cosine =
            |v: &[f32]| v.iter().zip(&wanted).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let best = |vectors: &[Vec<f32>]| {
            let each = vectors.iter().map(Vec::as_slice).map(cosine).enumerate();
            each.max_by(|a, b| a.1.total_cmp(&b.1)).expect("a vector")
        };
        let mut expected: Vec<(MessageId, f64, Option<Range<usize>>)> = Vec::new();
        for (id, vectors) in stored {
            let (at, cosine) = best(vectors);
            expected.push((*id, cosine, (vectors.len() > 1).then(|| ranges[at].clone())));
        }
        expected.sort_by(|a, b| b.1.total_cmp(&a.1));
        let near = nearest(&stage, "contract", &wanted, &EVERYWHERE, 15).await;
        assert_eq!(near.len(), 15.min(expected.len()));
        for (hit, (id, cosine, passage)) in near.iter().zip(expected) {
            assert_eq!((hit.id, &hit.passage), (id, &passage));
            assert!((hit.score - cosine).abs() < 1e-5);
        }
    };
    for _ in 0..5 {
        check(&stored, dice.direction(24)).await;
    }
    // One is stored anew with one passage, as after a change of the text by an import.
    stored[0].1.truncate(1);
    let again = [(stored[0].0, of(&stored[0].1))];
    assert_eq!(stage.workspace.transcript.put_vectors(&model, &again).await.expect("an answer"), 1);
    check(&stored, dice.direction(24)).await;
    // Those of a deleted conversation are gone with all passages.
    let at = stage.scribe.clock.tick();
    stage
        .workspace
        .conversations
        .delete_conversation(stage.conversation.id, at)
        .await
        .expect("it is deleted");
    check(&[], dice.direction(24)).await;
}
