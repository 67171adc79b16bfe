//! Streamable HTTP on the loopback interface. Checks Host, Origin, path, token, size and rate, in this order,
//! before a body is read.

mod checks;
mod limits;

use std::{
    convert::Infallible,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited, combinators::BoxBody};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use inklings_api::{App, MCP_PATH};
use inklings_domain::ids::ClientId;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService,
    session::{SessionManager, local::LocalSessionManager},
};
use tokio::{
    net::TcpListener,
    sync::Semaphore,
    task::{JoinHandle, JoinSet},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

pub use self::limits::Limits;
use self::{
    checks::Rates,
    limits::{Sessions, UnderWay},
};
use crate::{ChangeNotifier, McpServer, server::Entered};

/// Maximum bytes of a request's body: 1 MiB.
pub const MAX_BODY: usize = 1024 * 1024;
/// Number of ports to try after the configured one.
const TRIED: u16 = 20;
const SESSION: &str = "mcp-session-id";

type Body = BoxBody<Bytes, Infallible>;

/// A running HTTP server.
pub struct Running {
    port: u16,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Running {
    /// The port that it listens on.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// URL of the server.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}{MCP_PATH}", self.port)
    }

    /// Stops the server and closes all connections.
    pub async fn close(self) {
        self.stop.cancel();
        let _ = self.task.await;
    }

    /// Waits until the server stops.
    pub async fn wait(self) {
        let _ = self.task.await;
    }
}

/// Starts the server on the given port or the next free one. Background work of this process notifies of changes.
///
/// # Errors
/// [`io::Error`] if no port is free.
pub async fn open(app: Arc<App>, notifier: ChangeNotifier, port: u16) -> io::Result<Running> {
    open_within(app, notifier, port, Limits::default()).await
}

/// As [`open`], with other limits.
pub async fn open_within(
    app: Arc<App>,
    notifier: ChangeNotifier,
    port: u16,
    limits: Limits,
) -> io::Result<Running> {
    let listener = listen(port).await?;
    let port = listener.local_addr()?.port();
    let stop = CancellationToken::new();
    let state = Arc::new(HttpState::new(app, notifier, port, limits, &stop));
    let stopped = stop.clone();
    let task = tokio::spawn(accept(listener, state, stopped));
    Ok(Running { port, stop, task })
}

async fn listen(wanted: u16) -> io::Result<TcpListener> {
    let mut refused = io::Error::from(io::ErrorKind::AddrInUse);
    for port in (wanted..=wanted.saturating_add(TRIED)).take(usize::from(TRIED) + 1) {
        match TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await {
            Ok(listener) => return Ok(listener),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

async fn accept(listener: TcpListener, state: Arc<HttpState>, stop: CancellationToken) {
    let slots = Arc::new(Semaphore::new(state.limits.connections));
    let mut connections = JoinSet::new();
    let mut sweep = tokio::time::interval(state.limits.idle.max(Duration::from_millis(1)));
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            _ = sweep.tick() => {
                state.close(state.sessions.end_idle(&state.limits)).await;
                continue;
            }
            accepted = listener.accept() => accepted,
        };
        while connections.try_join_next().is_some() {}
        let (stream, _) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // For example, no file handles are left; a later connection may succeed.
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&slots).try_acquire_owned() else { continue };
        let state = Arc::clone(&state);
        let head_within = state.limits.head;
        connections.spawn(async move {
            let answer = service_fn(move |request| {
                let state = Arc::clone(&state);
                async move { Ok::<_, Infallible>(state.answer(request).await) }
            });
            let served = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(head_within)
                .serve_connection(TokioIo::new(stream), answer)
                .await;
            if let Err(error) = served {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }
    connections.shutdown().await;
}

struct HttpState {
    app: Arc<App>,
    port: u16,
    service: StreamableHttpService<McpServer, LocalSessionManager>,
    limits: Limits,
    rates: Mutex<Rates>,
    under_way: UnderWay,
    manager: Arc<LocalSessionManager>,
    sessions: Sessions,
}

impl HttpState {
    fn new(
        app: Arc<App>,
        notifier: ChangeNotifier,
        port: u16,
        limits: Limits,
        stop: &CancellationToken,
    ) -> Self {
        let mut config = StreamableHttpServerConfig::default().enforce_origin_validation();
        // Host and Origin are checked more strictly here before, so the library's check accepts the same
        // names.
        config.allowed_hosts = checks::HOSTS.iter().map(|host| (*host).to_owned()).collect();
        config.allowed_origins = checks::ORIGINS.iter().map(|origin| (*origin).to_owned()).collect();
        config.max_request_body_bytes = MAX_BODY;
        config.cancellation_token = stop.child_token();
        let served = Arc::clone(&app);
        let mut manager = LocalSessionManager::default();
        // Idle sessions are ended here: the library's idle time goes on while a stream is open.
        manager.session_config.keep_alive = None;
        manager.session_config.init_timeout = Some(limits.handling.min(limits.idle));
        let manager = Arc::new(manager);
        let service = StreamableHttpService::new(
            move || Ok(McpServer::new(Arc::clone(&served), None, notifier.clone())),
            Arc::clone(&manager),
            config,
        );
        let (rates, under_way, sessions) = (Mutex::default(), UnderWay::default(), Sessions::default());
        Self { app, port, service, limits, rates, under_way, manager, sessions }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let headers = request.headers();
        if !checks::host_is_ours(headers, self.port) || !checks::origin_is_local(headers) {
            return refuse(StatusCode::FORBIDDEN, "this door is for programs on this machine");
        }
        if request.uri().path() != MCP_PATH {
            return refuse(StatusCode::NOT_FOUND, "there is nothing here");
        }
        let client = match self.client(request.headers()).await {
            Ok(Some(client)) => client,
            Ok(None) => return unknown(),
            Err(()) => return refuse(StatusCode::SERVICE_UNAVAILABLE, "the data folder cannot be read now"),
        };
        if checks::declared_length(request.headers()).is_some_and(|length| length > MAX_BODY as u64) {
            return refuse(StatusCode::PAYLOAD_TOO_LARGE, "a request has at most 1 MiB");
        }
        if !self.rates.lock().unwrap_or_else(PoisonError::into_inner).admit(client, Instant::now()) {
            return too_many("too many requests; wait a second");
        }
        let Some(place) = self.under_way.enter(client, self.limits.requests) else {
            return too_many("too many requests at a time; wait until one is answered");
        };
        // A session can only be used by its client; for any other client it does not exist.
        let session = request.headers().get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
        let in_use = session.as_ref().map(|id| self.sessions.enter(client, id));
        if matches!(in_use, Some(None)) {
            return refuse(StatusCode::NOT_FOUND, "there is no such session");
        }
        let (mut parts, body) = request.into_parts();
        // The body is read completely before any processing, so that a slow body delays only its sender.
        let body = match timeout(self.limits.body, Limited::new(body, MAX_BODY).collect()).await {
            Ok(Ok(body)) => Full::new(body.to_bytes()),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
                return refuse(StatusCode::PAYLOAD_TOO_LARGE, "a request has at most 1 MiB");
            }
            Ok(Err(_)) => return refuse(StatusCode::BAD_REQUEST, "the body broke off"),
            Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, "the body came too slowly"),
        };
        parts.extensions.insert(Entered(client));
        let ended = parts.method == Method::DELETE;
        let handled = self.service.handle(Request::from_parts(parts, body));
        let Ok(mut response) = timeout(self.limits.handling, handled).await else {
            return refuse(
                StatusCode::GATEWAY_TIMEOUT,
                "this took too long; what was not done by then is not done",
            );
        };
        if let Some(id) = response.headers().get(SESSION).and_then(|id| id.to_str().ok()) {
            self.close(self.sessions.begin(client, id, &self.limits)).await;
        }
        if let Some(id) = session.filter(|_| ended && response.status().is_success()) {
            self.sessions.end(&id);
            // The official SDKs take only 200 and 204 for the end of a session; the library answers 202.
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        // The request counts as running until its response is sent or dropped.
        response.map(|body| {
            body.map_frame(move |frame| {
                let _ = (&place, &in_use);
                frame
            })
            .boxed()
        })
    }

    async fn close(&self, ended: Vec<String>) {
        for id in ended {
            // The session may have ended already.
            let _ = self.manager.close_session(&id.into()).await;
        }
    }

    async fn client(&self, headers: &http::HeaderMap) -> Result<Option<ClientId>, ()> {
        let Some(token) = checks::bearer(headers) else { return Ok(None) };
        match self.app.client().client_of_token(token).await {
            Ok(client) => Ok(client.map(|client| client.id)),
            Err(error) => {
                tracing::error!(%error, "a token could not be looked up");
                Err(())
            }
        }
    }
}

fn unknown() -> Response<Body> {
    let mut response = refuse(StatusCode::UNAUTHORIZED, "a token of a client is needed");
    response.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
    response
}

fn too_many(why: &'static str) -> Response<Body> {
    let mut response = refuse(StatusCode::TOO_MANY_REQUESTS, why);
    response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
    response
}

/// A refusal. Closes the connection, because the body is not read.
fn refuse(status: StatusCode, why: &'static str) -> Response<Body> {
    let body = serde_json::json!({ "error": why }).to_string();
    let mut response = Response::new(Full::new(Bytes::from(body)).boxed());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    headers.insert(header::CONNECTION, header::HeaderValue::from_static("close"));
    response
}
