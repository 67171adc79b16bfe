//! Clients that are slow, many at a time, or never come back: raw sockets against an interface with short bounds.

use std::{sync::Arc, time::Duration};

use inklings_mcp::http::{Limits, Running, open_within};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::Stage;

const SHORT: Duration = Duration::from_millis(150);
const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

struct Interface {
    stage: Stage,
    running: Running,
}

impl Interface {
    async fn open(limits: Limits) -> Self {
        let stage = Stage::set().await;
        let opened = open_within(Arc::clone(&stage.app), stage.notifier.clone(), 47_862, limits).await;
        Self { running: opened.expect("a free port"), stage }
    }

    /// A head of a request with a body of so many bytes.
    fn head(&self, token: &str, length: usize, more: &str) -> String {
        let port = self.running.port();
        format!(
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\nAccept: application/json, \
             text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{more}\r\n"
        )
    }

    async fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.running.port())).await.expect("connected");
        stream.write_all(text.as_bytes()).await.expect("sent");
        stream
    }

    /// A session of a client, if it may have one.
    async fn begin(&self, token: &str) -> (String, Option<String>) {
        let head = self.head(token, INITIALIZE.len(), "");
        let answer = first_of(&mut self.send(&format!("{head}{INITIALIZE}")).await).await;
        let session =
            answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).map(str::to_owned);
        (answer, session)
    }
}

/// What comes first of an answer; empty if the interface closed the connection.
async fn first_of(stream: &mut TcpStream) -> String {
    let mut bytes = vec![0; 4096];
    let read = stream.read(&mut bytes).await.unwrap_or(0);
    String::from_utf8_lossy(&bytes[..read]).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_request_heads_and_bodies_time_out() {
    let interface = Interface::open(Limits { head: SHORT, body: SHORT, ..Limits::default() }).await;
    let mut slow_head = interface.send("POST /mcp HTTP/1.1\r\nHost: ").await;
    let mut slow_body = interface.send(&(interface.head(&interface.stage.token, 100, "") + "{")).await;
    assert!(first_of(&mut slow_body).await.starts_with("HTTP/1.1 408"));
    let answer = first_of(&mut slow_head).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(interface.begin(&interface.stage.token).await.1.is_some(), "the door is open to others");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_bodies_of_one_client_do_not_block_another() {
    let interface = Interface::open(Limits { requests: 3, ..Limits::default() }).await;
    let other = interface.stage.another_client().await;
    let mut held = Vec::new();
    for _ in 0..3 {
        // Read by the interface before the next is sent: it asks for the body.
        let request = interface.head(&interface.stage.token, 100, "Expect: 100-continue\r\n");
        let mut stream = interface.send(&request).await;
        assert!(first_of(&mut stream).await.starts_with("HTTP/1.1 100"));
        held.push(stream);
    }
    assert!(interface.begin(&interface.stage.token).await.0.starts_with("HTTP/1.1 429"));
    assert!(interface.begin(&other).await.1.is_some());
    drop(held);
    loop {
        // Whether the interface has seen them go is told by nothing but its answer.
        if interface.begin(&interface.stage.token).await.1.is_some() {
            break;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_of_a_client_are_bounded_and_the_oldest_ends_first() {
    let interface = Interface::open(Limits { sessions: 2, ..Limits::default() }).await;
    let mut sessions = Vec::new();
    for _ in 0..5 {
        sessions.push(interface.begin(&interface.stage.token).await.1.expect("a session"));
    }
    let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    let mut found = Vec::new();
    for session in &sessions {
        let head =
            interface.head(&interface.stage.token, ping.len(), &format!("Mcp-Session-Id: {session}\r\n"));
        let answer = first_of(&mut interface.send(&format!("{head}{ping}")).await).await;
        found.push(!answer.starts_with("HTTP/1.1 404"));
    }
    assert_eq!(found, [false, false, false, true, true]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_session_ends() {
    let interface = Interface::open(Limits { idle: SHORT, ..Limits::default() }).await;
    let other = interface.stage.another_client().await;
    let session = interface.begin(&interface.stage.token).await.1.expect("a session");
    tokio::time::sleep(2 * SHORT).await;
    // Somebody else's new session takes idle ones away.
    assert!(interface.begin(&other).await.1.is_some());
    let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    let head = interface.head(&interface.stage.token, ping.len(), &format!("Mcp-Session-Id: {session}\r\n"));
    let answer = first_of(&mut interface.send(&format!("{head}{ping}")).await).await;
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_with_an_open_stream_stays_until_it_is_idle() {
    // Long enough for the requests of this test on a busy machine.
    let idle = Duration::from_secs(1);
    let interface = Interface::open(Limits { idle, ..Limits::default() }).await;
    let other = interface.stage.another_client().await;
    let token = &interface.stage.token;
    let session = interface.begin(token).await.1.expect("a session");
    let ping = async || {
        let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
        let head = interface.head(token, ping.len(), &format!("Mcp-Session-Id: {session}\r\n"));
        first_of(&mut interface.send(&format!("{head}{ping}")).await).await
    };
    let begun = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let head = interface.head(token, begun.len(), &format!("Mcp-Session-Id: {session}\r\n"));
    let answer = first_of(&mut interface.send(&format!("{head}{begun}")).await).await;
    assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
    let port = interface.running.port();
    let mut stream = interface
        .send(&format!(
            "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n\
             Mcp-Session-Id: {session}\r\n\r\n"
        ))
        .await;
    let answer = first_of(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    tokio::time::sleep(3 * idle).await;
    assert!(interface.begin(&other).await.1.is_some());
    let answer = ping().await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(stream);
    loop {
        // When the interface has seen the stream go, the idle time begins.
        tokio::time::sleep(3 * idle).await;
        if ping().await.starts_with("HTTP/1.1 404") {
            break;
        }
    }
}
