//! The test server: a minimal HTTP/1.1 server with one connection per request.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inklings_ports::model::chat::{ChatEndpoint, ChatProvider};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::frames::Frames;
use super::reply::{Body, Reply, Step};

/// Maximum time that a test waits for a client. It prevents hangs and does not measure speed.
const PATIENCE: Duration = Duration::from_mins(1);

/// A received request.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// Headers with lower-case names.
    pub headers: Vec<(String, String)>,
    /// The body; `null` if it is not JSON.
    pub body: Value,
}

impl Request {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Debug)]
struct State {
    script: Mutex<VecDeque<Reply>>,
    models: Mutex<Reply>,
    requests: Mutex<Vec<Request>>,
    asked: watch::Sender<usize>,
    hung_up: watch::Sender<usize>,
}

/// A server that plays a script. It stops when it is dropped.
#[derive(Debug)]
pub struct ScriptedServer {
    address: String,
    state: Arc<State>,
    task: JoinHandle<()>,
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl ScriptedServer {
    /// Starts on a free port of the loopback address.
    ///
    /// # Panics
    /// If there is no free port.
    pub async fn start(script: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("the loopback address has a free port");
        let address = listener.local_addr().expect("a bound listener has an address").to_string();
        let state = Arc::new(State {
            script: Mutex::new(script.into_iter().collect()),
            models: Mutex::new(Reply::models(["test-model"])),
            requests: Mutex::default(),
            asked: watch::Sender::new(0),
            hung_up: watch::Sender::new(0),
        });
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = Arc::clone(&shared);
                tokio::spawn(async move {
                    if serve(stream, &state).await.is_err() {
                        state.hung_up.send_modify(|times| *times += 1);
                    }
                });
            }
        });
        Self { address, state, task }
    }

    /// The base address, without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// An endpoint at this server, with a test model.
    pub fn endpoint(&self, provider: ChatProvider) -> ChatEndpoint {
        ChatEndpoint { provider, base_url: self.url(), model: "test-model".into(), context_tokens: 8192 }
    }

    /// Adds a reply to the script.
    pub fn then(&self, reply: Reply) {
        locked(&self.state.script).push_back(reply);
    }

    /// Sets the reply to every GET from now on.
    pub fn on_models(&self, reply: Reply) {
        *locked(&self.state.models) = reply;
    }

    /// The requests so far, oldest first.
    pub fn requests(&self) -> Vec<Request> {
        locked(&self.state.requests).clone()
    }

    /// Waits until this many requests have arrived.
    ///
    /// # Panics
    /// If that does not happen within [`PATIENCE`].
    pub async fn wait_for_requests(&self, times: usize) {
        assert!(reached(&self.state.asked, times).await, "fewer than {times} requests arrived");
    }

    /// Waits until clients have closed this many connections before or during an answer.
    ///
    /// # Panics
    /// If that does not happen within [`PATIENCE`].
    pub async fn hung_up(&self, times: usize) {
        assert!(reached(&self.state.hung_up, times).await, "no client has closed its connection");
    }
}

/// True once a count has reached `times`, false after [`PATIENCE`].
async fn reached(count: &watch::Sender<usize>, times: usize) -> bool {
    let mut seen = count.subscribe();
    tokio::time::timeout(PATIENCE, seen.wait_for(|now| *now >= times)).await.is_ok()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves one request. The error means that the client disconnected early.
async fn serve(stream: TcpStream, state: &State) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    let Some(request) = read(&mut stream).await? else { return Ok(()) };
    let anthropic = request.path.ends_with("/messages");
    let reply = if request.method == "GET" {
        locked(&state.models).clone()
    } else {
        locked(&state.script).pop_front().unwrap_or_else(|| Reply::text(["ok"]))
    };
    locked(&state.requests).push(request);
    state.asked.send_modify(|times| *times += 1);
    match play(&mut stream, &reply, anthropic).await? {
        Played::Through => {
            let _ = stream.get_mut().shutdown().await;
            Ok(())
        }
        // A reset simulates a crashed server; a normal close would be a valid end.
        Played::Cut => stream.get_ref().set_zero_linger(),
    }
}

enum Played {
    Through,
    Cut,
}

async fn play(stream: &mut BufReader<TcpStream>, reply: &Reply, anthropic: bool) -> io::Result<Played> {
    if let Some(step) = &reply.before
        && rest(stream, step).await?
    {
        return Ok(Played::Cut);
    }
    let mut head = format!("HTTP/1.1 {} Scripted\r\nConnection: close\r\n", reply.status);
    if !reply.kind.is_empty() {
        head.extend(["Content-Type: ", &reply.kind, "\r\n"]);
    }
    for (name, value) in &reply.headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    let steps = match &reply.body {
        Body::Whole(body) => {
            head.extend(["Content-Length: ", &body.len().to_string(), "\r\n\r\n", body]);
            stream.get_mut().write_all(head.as_bytes()).await?;
            return Ok(Played::Through);
        }
        Body::Steps(steps) => steps,
    };
    let mut frames = Frames::new(anthropic);
    head += "Transfer-Encoding: chunked\r\n\r\n";
    stream.get_mut().write_all(head.as_bytes()).await?;
    send(stream, &frames.begin(reply)).await?;
    for step in steps {
        for event in frames.step(step) {
            send(stream, &event).await?;
        }
        if rest(stream, step).await? {
            return Ok(Played::Cut);
        }
    }
    for event in frames.end(reply) {
        send(stream, &event).await?;
    }
    if reply.lingering {
        rest(stream, &Step::Stall).await?;
    }
    // A client that has read the end may disconnect before the last chunk.
    let _ = stream.get_mut().write_all(b"0\r\n\r\n").await;
    Ok(Played::Through)
}

async fn send(stream: &mut BufReader<TcpStream>, text: &str) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let chunk = format!("{:x}\r\n{text}\r\n", text.len());
    stream.get_mut().write_all(chunk.as_bytes()).await
}

/// Waits as a step says and watches for a disconnect of the client. True if the connection is to be cut.
async fn rest(stream: &mut BufReader<TcpStream>, step: &Step) -> io::Result<bool> {
    let gone = async {
        let mut byte = [0];
        while stream.read(&mut byte).await? > 0 {}
        Err::<(), io::Error>(io::ErrorKind::ConnectionAborted.into())
    };
    match step {
        Step::Drop => return Ok(true),
        Step::Stall => gone.await?,
        Step::Pause(pause) => tokio::select! {
            went = gone => went?,
            () = tokio::time::sleep(*pause) => {}
        },
        _ => {}
    }
    Ok(false)
}

/// Reads a request; `None` if the client connected without sending one.
async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(Some(Request { method, path, headers, body }))
}
