//! What the tests share.

use std::process::Command;
use std::time::Duration;

use futures::StreamExt;
use inklings_llm::testing::{Reply, ScriptedServer};
use inklings_llm::{HttpChatModels, Patience};
use inklings_ports::model::chat::{
    ChatError, ChatEvent, ChatModels, ChatProvider, ChatRequest, ChatStream, ChatTurn, Secret,
};

pub const BOTH: [ChatProvider; 2] = [ChatProvider::OpenAiCompatible, ChatProvider::Anthropic];
pub const KEY: &str = "sk-very-secret-key";
pub const WORDS: &str = "the drowned queen";

/// So short that a test for a timeout takes no time, and so long that a busy machine keeps it.
pub fn impatient() -> HttpChatModels {
    HttpChatModels::with_patience(Patience {
        connect: Duration::from_secs(2),
        first_byte: Duration::from_millis(400),
        between: Duration::from_millis(400),
        listing: Duration::from_millis(600),
        backoff: Duration::from_millis(5),
    })
}

pub fn request() -> ChatRequest {
    ChatRequest { turns: vec![ChatTurn::User(WORDS.into())], ..ChatRequest::default() }
}

/// Asks a server for one answer.
pub async fn ask(server: &ScriptedServer, provider: ChatProvider) -> Result<ChatStream, ChatError> {
    let model = impatient().connect(&server.endpoint(provider), Some(Secret::new(KEY)))?;
    model.answer(request()).await
}

/// All of one answer, and how it ended if not well.
pub async fn collect_answer(
    server: &ScriptedServer,
    provider: ChatProvider,
) -> (Vec<ChatEvent>, Option<ChatError>) {
    let mut stream = match ask(server, provider).await {
        Ok(stream) => stream,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => {
                assert!(stream.next().await.is_none(), "nothing follows a failure");
                return (events, Some(error));
            }
        }
    }
    assert!(matches!(events.last(), Some(ChatEvent::Done { .. })), "a good end is said");
    (events, None)
}

/// How a script ends, and how many requests it took.
pub async fn outcome(
    provider: ChatProvider,
    script: Vec<Reply>,
) -> (Vec<ChatEvent>, Option<ChatError>, usize) {
    let server = ScriptedServer::start(script).await;
    let (events, error) = collect_answer(&server, provider).await;
    if let Some(error) = &error {
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains(KEY) && !shown.contains(WORDS), "{shown}");
    }
    (events, error, server.requests().len())
}

pub fn text(text: &str) -> ChatEvent {
    ChatEvent::Text(text.into())
}

/// True in a process of its own, where the environment is as given; elsewhere this starts that process with the same
/// test and checks that it passes. Environments can't be changed safely in a process that has threads.
pub fn runs_in_own_process(test: &str, environment: &[(&str, &str)]) -> bool {
    const MARK: &str = "INKLINGS_TEST_ALONE";
    if std::env::var_os(MARK).is_some() {
        return true;
    }
    let binary = std::env::current_exe().expect("this process has a file");
    let run = Command::new(binary)
        .args(["--exact", test, "--nocapture"])
        .envs(environment.iter().copied())
        .env(MARK, "1")
        .output()
        .expect("this binary starts");
    let reported = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success() && reported.contains("1 passed"),
        "{reported}{}",
        String::from_utf8_lossy(&run.stderr)
    );
    false
}
