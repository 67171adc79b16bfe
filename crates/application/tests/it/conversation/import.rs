//! The promises of an import, kept on SQLite.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use chrono::{DateTime, TimeDelta, Utc};
use inklings_application::{
    conversation::import::{ImportEnd, ImportReport},
    error::AppError,
    session::Session,
};
use inklings_domain::{
    channel::DEFAULT_CHANNEL,
    conversation::{
        Conversation, ConversationStatus,
        message::{NewMessage, Role},
    },
};
use inklings_ports::{
    conversation::{
        import_store::{
            ConversationSource, SourceError, SourceItem, ThirdPartyConversation, ThirdPartyMessage,
        },
        store::ConversationFilter,
        transcript_store::MessageRange,
    },
    progress::Progress,
    testing::clock::start_of_tests,
};

use crate::support::World;

type Item = Result<SourceItem, SourceError>;

/// A file that holds what a test says.
struct File(std::vec::IntoIter<Item>, u64);

impl Iterator for File {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        self.1 += 1;
        self.0.next()
    }
}

impl ConversationSource for File {
    fn format(&self) -> &'static str {
        "chatgpt"
    }

    fn progress(&self) -> (u64, u64) {
        (self.1, 100)
    }
}

/// Hears how far it went, and stops at a place.
struct Until(u64, AtomicU64);

impl Progress for Until {
    fn report(&self, read: u64, total: u64) {
        assert_eq!(total, 100);
        self.1.store(read, Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.1.load(Relaxed) >= self.0
    }
}

const fn to_the_end() -> Until {
    Until(u64::MAX, AtomicU64::new(0))
}

/// When message number `n` was said.
fn minute(n: i64) -> DateTime<Utc> {
    start_of_tests() - TimeDelta::days(300) + TimeDelta::minutes(n)
}

fn conversation(id: &str, added: &[(&str, Option<DateTime<Utc>>)]) -> ThirdPartyConversation {
    let message = |(i, (text, at)): (usize, &(&str, Option<DateTime<Utc>>))| ThirdPartyMessage {
        external_id: format!("m{i}"),
        role: if i % 2 == 0 { Role::User } else { Role::Tool },
        text: (*text).to_owned(),
        at: *at,
        speaker: (i % 2 == 1).then(|| "python".to_owned()),
    };
    ThirdPartyConversation {
        external_id: id.into(),
        title: format!("Talk {id}"),
        started_at: Some(minute(0)),
        messages: added.iter().enumerate().map(message).collect(),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "as a source gives it")]
fn one(id: &str) -> Item {
    Ok(SourceItem::Conversation(conversation(id, &[("Ask.", Some(minute(1))), ("42", Some(minute(2)))])))
}

async fn import(session: &Session, items: Vec<Item>, commit: bool) -> Result<ImportReport, AppError> {
    let source = Box::new(File(items.into_iter(), 0));
    session.conversation_imports().import(source, None, &to_the_end(), commit).await
}

#[tokio::test]
async fn an_import_brings_conversations_into_an_archived_channel() {
    let world = World::new().await;
    let session = &world.session;
    let channel = session.channels().create("Plot", "").await.expect("a channel");
    session.channels().archive(channel.id).await.expect("archived");
    let source = Box::new(File(vec![one("a")].into_iter(), 0));
    let report = session.conversation_imports().import(source, Some(channel.id), &to_the_end(), true).await;
    assert_eq!(report.expect("imports").new, 1);
    assert_eq!(there(session).await[0].channel_id, channel.id);
}

async fn there(session: &Session) -> Vec<Conversation> {
    let filter = ConversationFilter { statuses: ConversationStatus::ALL.to_vec(), ..Default::default() };
    let page = session.conversations().list(&filter, None, 100).await.expect("a list");
    page.rows.into_iter().map(|row| row.conversation).collect()
}

async fn messages(session: &Session, of: &Conversation) -> Vec<NewMessage> {
    let page = session.workspace.transcript.page(of.id, MessageRange::After(0), 100).await.expect("messages");
    page.into_iter().map(|message| message.body).collect()
}

#[tokio::test]
async fn imported_conversations_have_ended_and_keep_their_times() {
    let world = World::new().await;
    let session = &world.session;
    let report = import(session, vec![one("a"), Ok(SourceItem::Skipped("picture")), one("b")], true).await;
    let report = report.expect("imports");
    assert_eq!((report.end, report.conversations(), report.new), (ImportEnd::Done, 2, 2));
    assert_eq!((report.added, report.replaced), (4, 0));
    assert_eq!(report.skipped.into_iter().collect::<Vec<_>>(), [("picture", 1)]);
    assert_eq!((report.first, report.last), (Some(minute(1)), Some(minute(2))));
    assert_eq!(report.titles, ["Talk a", "Talk b"]);

    let found = there(session).await;
    assert_eq!(found.len(), 2);
    let general = session.channels().named(DEFAULT_CHANNEL).await.expect("#general");
    for conversation in &found {
        assert_eq!(conversation.status, ConversationStatus::Idle);
        assert_eq!(conversation.channel_id, general.id);
        assert_eq!((conversation.started_at, conversation.ended_at), (minute(0), Some(minute(2))));
        assert_eq!(conversation.active_at, minute(2));
        let message = messages(session, conversation).await;
        assert_eq!(
            (message[1].role, message[1].importance, message[1].at),
            (Role::Tool, Role::Tool.importance(), minute(2))
        );
        let origin = message[1].origin.clone().expect("an origin");
        assert_eq!((origin.external_id.as_deref(), origin.speaker.as_deref()), (Some("m1"), Some("python")));
        assert_eq!(origin.said_at, Some(minute(2).to_rfc3339()));
    }
}

#[tokio::test]
async fn a_preview_gives_the_report_of_the_import_and_writes_nothing() {
    let world = World::new().await;
    let session = &world.session;
    let items = || vec![one("a"), Ok(SourceItem::Skipped("picture")), one("b"), one("a")];
    let preview = import(session, items(), false).await.expect("previews");
    assert_eq!(there(session).await, []);
    let done = import(session, items(), true).await.expect("imports");
    assert_eq!(ImportReport { end: ImportEnd::Done, ..preview }, done);
    assert_eq!((done.new, done.unchanged), (2, 1));
    assert_eq!(there(session).await.len(), 2);
}

#[tokio::test]
async fn importing_again_reports_only_new_and_changed_messages() {
    let world = World::new().await;
    let session = &world.session;
    import(session, vec![one("a"), one("b"), one("c")], true).await.expect("imports");
    let mut more = conversation("b", &[("Ask.", None), ("43", None), ("Thanks.", None)]);
    more.messages[2].at = Some(minute(9));
    let items = vec![one("a"), Ok(SourceItem::Conversation(more)), one("d")];
    let report = import(session, items, true).await.expect("imports");
    assert_eq!((report.new, report.updated, report.unchanged), (1, 1, 1));
    assert_eq!((report.added, report.replaced), (3, 1));
    assert_eq!(there(session).await.len(), 4);
}

#[tokio::test]
async fn a_file_that_breaks_in_the_middle_leaves_nothing() {
    let world = World::new().await;
    let session = &world.session;
    let broken = SourceError::Broken { byte: 7, message: "this is no valid JSON".into() };
    let result = import(session, vec![one("a"), Err(broken), one("b")], true).await;
    let Err(AppError::Input { field: "file", message }) = result else { panic!("{result:?}") };
    assert_eq!(message, "the file is broken at byte 7: this is no valid JSON");
    assert_eq!(there(session).await, []);
}

#[tokio::test]
async fn a_stopped_import_leaves_nothing() {
    let world = World::new().await;
    let session = &world.session;
    let source = Box::new(File(vec![one("a"), one("b"), one("c")].into_iter(), 0));
    let report =
        session.conversation_imports().import(source, None, &Until(2, AtomicU64::new(0)), true).await;
    let report = report.expect("is stopped");
    assert_eq!((report.end, report.new), (ImportEnd::Cancelled, 2));
    assert_eq!(there(session).await, []);
}

#[tokio::test]
async fn messages_without_a_sensible_time_follow_the_one_before() {
    let world = World::new().await;
    let session = &world.session;
    let future = session.clock.now() + TimeDelta::days(1);
    let message =
        [("a", None), ("b", Some(minute(5))), ("c", None), ("d", Some(future)), ("e", Some(minute(6)))];
    let items = vec![
        Ok(SourceItem::Conversation(conversation("some", &message))),
        Ok(SourceItem::Conversation(ThirdPartyConversation {
            started_at: None,
            ..conversation("none", &[("a", None)])
        })),
    ];
    let report = import(session, items, true).await.expect("imports");
    assert_eq!((report.first, report.last), (Some(minute(5)), Some(minute(6))));
    let found = there(session).await;
    let times: Vec<_> = messages(session, &found[1]).await.into_iter().map(|m| m.at).collect();
    assert_eq!(times, [minute(0), minute(5), minute(5), minute(5), minute(6)]);
    // Nothing at all is known of this one but that it was brought in now.
    assert_eq!(found[0].started_at, session.clock.now());
}

#[tokio::test]
async fn invalid_messages_are_skipped_and_reported() {
    let world = World::new().await;
    let session = &world.session;
    let long = "x".repeat(inklings_domain::conversation::message::MAX_MESSAGE_BYTES + 1);
    let items = vec![
        Ok(SourceItem::Conversation(conversation("a", &[("Ask.", None), (" \n", None), (&long, None)]))),
        Ok(SourceItem::Conversation(conversation("b", &[("", None)]))),
    ];
    let report = import(session, items, true).await.expect("imports");
    assert_eq!((report.new, report.added), (1, 1));
    let skipped: Vec<_> = report.skipped.into_iter().collect();
    assert_eq!(skipped, [("empty conversation", 1), ("empty message", 2), ("message too long", 1)]);
}

#[tokio::test]
async fn a_channel_may_be_chosen_if_there_is_one() {
    let world = World::new().await;
    let session = &world.session;
    let (side, _) = session.channels().named_or_new("Side", "").await.expect("a channel");
    let run = |channel| {
        let source = Box::new(File(vec![one("a")].into_iter(), 0));
        let session = &session;
        async move { session.conversation_imports().import(source, Some(channel), &to_the_end(), true).await }
    };
    run(side.id).await.expect("imports");
    assert_eq!(there(session).await[0].channel_id, side.id);
    let unknown = run(session.ids.channel_id()).await;
    assert!(matches!(unknown, Err(AppError::NotFound { what: "channel", .. })), "{unknown:?}");
}
