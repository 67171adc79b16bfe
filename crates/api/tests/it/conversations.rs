//! Conversations of `ChatGPT` and Claude, from the preview to the transcript.

use std::sync::Arc;

use inklings_api::{
    NoopEvents,
    backup::view::BackupReason,
    conversation::{import_view::ConversationFormat, view::ConversationList},
    error::ErrorCode,
    view::chat::{ChatEndpoint, ChatProvider},
};
use inklings_formats::testing::conversations::{chatgpt, claude};
use serde_json::{Value, json};

use crate::support::World;

/// Makes a conversation of what was said.
type MakeConversation = fn(&str, &[&str]) -> Value;

#[tokio::test(flavor = "multi_thread")]
async fn conversations_of_chatgpt_and_claude_are_imported_once_completely_and_in_order() {
    let conversations: [(ConversationFormat, MakeConversation); 2] =
        [(ConversationFormat::Chatgpt, chatgpt), (ConversationFormat::Claude, claude)];
    for (format, conversation) in conversations {
        let world = World::new().await;
        let message = ["Who rules the north?", "Ama does.", "Since when?"];
        let file = json!([conversation("a", &message), conversation("b", &["Salt?"])]);
        let path = world.file("conversations.json", file.to_string());
        let preview = world
            .app
            .conversation()
            .preview_conversation_import(&path, Arc::new(NoopEvents))
            .await
            .expect("reads");
        assert_eq!((preview.format, preview.new_conversations, preview.messages), (format, 2, 4));
        let all = || async {
            let list: ConversationList = serde_json::from_value(
                json!({"channelId": null, "statuses": [], "after": null, "limit": 50}),
            )
            .expect("a request");
            world.app.conversation().list_conversations(list).await.expect("a list").rows
        };
        assert!(all().await.is_empty(), "a preview keeps nothing");
        let backups = || async {
            let all = world.app.backup().list_backups().await.expect("a list").rows;
            all.into_iter().map(|backup| backup.reason).collect::<Vec<_>>()
        };
        assert_eq!(backups().await, [], "and needs no backup");
        world
            .app
            .conversation()
            .import_conversations(&path, None, false, Arc::new(NoopEvents))
            .await
            .expect("comes in");
        assert_eq!(all().await.len(), 2);
        assert_eq!(backups().await, [BackupReason::Import], "it can be taken back");
        let again = world
            .app
            .conversation()
            .import_conversations(&path, None, false, Arc::new(NoopEvents))
            .await
            .expect("comes in");
        assert_eq!((again.conversations, again.messages, again.updated), (0, 0, 0), "twice adds nothing");
        let mut sizes: Vec<Value> = Vec::new();
        for row in all().await {
            let row = serde_json::to_value(row).expect("a view");
            sizes.push(row["title"].clone());
        }
        sizes.sort_by_key(ToString::to_string);
        assert_eq!(sizes, [json!("Talk a"), json!("Talk b")]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn importing_conversations_as_entries_or_entries_as_conversations_is_refused_with_a_hint() {
    let world = World::new().await;
    let conversations = world.file("conversations.json", json!([chatgpt("a", &["Hello"])]).to_string());
    let refused = world.preview(&conversations).await.expect_err("no entries");
    assert!(refused.message.contains("conversation"), "it says where they belong: {}", refused.message);
    let chat = "{\"user_name\":\"You\",\"character_name\":\"Ama\"}\n{\"name\":\"Ama\",\"mes\":\"Hello\"}\n";
    let refused = world.preview(&world.file("Ama.jsonl", chat)).await.expect_err("no entries");
    assert!(refused.message.contains("conversation"), "nor a chat of lines: {}", refused.message);
    let found = world
        .app
        .conversation()
        .preview_conversation_import(&world.path("Ama.jsonl"), Arc::new(NoopEvents))
        .await;
    assert_eq!(found.expect("reads").messages, 1);
    let book = world.file("world.json", inklings_formats::testing::entries::world().to_string());
    assert!(world.app.conversation().preview_conversation_import(&book, Arc::new(NoopEvents)).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_conversation_is_listed_and_the_others_are_imported_on_request() {
    let world = World::new().await;
    let (first, last) = (chatgpt("a", &["Hello"]), chatgpt("z", &["Goodbye"]));
    let path = world.file("conversations.json", format!("[{first}, {{\"mapping\": 7}}, {last}]"));
    let events = || Arc::new(NoopEvents);
    let found =
        world.app.conversation().preview_conversation_import(&path, events()).await.expect("looked at");
    assert_eq!((found.conversations, found.new_conversations, found.refused), (2, 2, 1));
    assert_eq!(found.refusals[0].place, "conversation 2");
    assert!(found.refusals[0].reason.contains("at byte"), "{:?}", found.refusals);
    let error = world
        .app
        .conversation()
        .import_conversations(&path, None, false, events())
        .await
        .expect_err("not whole");
    assert_eq!(error.code, ErrorCode::Invalid);
    let done = world
        .app
        .conversation()
        .import_conversations(&path, None, true, events())
        .await
        .expect("the others come in");
    assert_eq!((done.conversations, done.messages, done.refused), (2, 2, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_not_connected_is_an_error_of_the_turn_and_no_other_one_answers() {
    let world = World::new().await;
    let endpoint = |base_url: &str| ChatEndpoint {
        provider: ChatProvider::OpenAiCompatible,
        base_url: base_url.to_owned(),
        model: "usual".to_owned(),
        context_tokens: 8_192,
        summary_model: None,
    };
    let (model, talk) = (world.app.model(), world.app.conversation());
    let code = talk.start_conversation(None, "").await.expect("begun").ref_code;
    let unconnected =
        talk.set_conversation_model(&code, Some("other")).await.expect_err("nothing is connected");
    assert_eq!(unconnected.code, ErrorCode::ModelUnavailable);
    model.set_chat_endpoint(Some(endpoint("http://127.0.0.1:9/v1")), None, false).await.expect("connected");
    let named = talk.set_conversation_model(&code, Some("other")).await.expect("named");
    assert_eq!(named.model.map(|model| model.model).as_deref(), Some("other"));
    for elsewhere in [Some(endpoint("http://127.0.0.1:10/v1")), None] {
        model.set_chat_endpoint(elsewhere, None, false).await.expect("connected");
        let sent =
            talk.say(&code, "Who rules Veyra?", &[], Arc::new(NoopEvents)).await.expect("it is stored");
        assert_eq!(
            (sent.answering, sent.error.map(|error| error.code)),
            (false, Some(ErrorCode::ModelUnavailable))
        );
        let refused = talk.answer_again(&code, Arc::new(NoopEvents)).await.expect_err("no other model");
        assert_eq!(refused.code, ErrorCode::ModelUnavailable);
    }
    assert_eq!(talk.get_conversation(&code).await.expect("there").title, "Who rules Veyra?");
    let usual = talk.set_conversation_model(&code, None).await.expect("set");
    assert_eq!(usual.model, None);
}
