//! Serves the page to a browser instead of a window, for development and tests: `POST /call/NAME`,
//! server-sent events at `/events`, and the files of the page under the window's content security policy.
//!
//! Listens on 127.0.0.1 only. Commands and events need the token. Not included in releases.

mod page;

use std::{
    convert::Infallible,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};

use bytes::Bytes;
use futures::stream;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited, StreamBody, combinators::UnsyncBoxBody};
use hyper::{
    body::{Frame, Incoming},
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use inklings_api::{
    Config, Event, Events,
    error::{CommandError, ErrorCode},
    update::NoUpdates,
};
use inklings_mcp::ChangeNotifier;
use serde_json::{Map, json};
use tokio::{
    net::TcpListener,
    sync::broadcast::{self, error::RecvError},
};

use self::page::Page;
use crate::{Core, Json, call, open};

/// Maximum bytes of a call's arguments.
const MAX_BODY: usize = 16 * 1024 * 1024;
/// Number of buffered events; a page that is further behind loses events.
const EVENTS_KEPT: usize = 1024;

type Body = UnsyncBoxBody<Bytes, Infallible>;

/// A bound server, which accepts connections in [`run`](DevServer::run).
pub struct DevServer {
    core: Core,
    events: broadcast::Sender<Bytes>,
    listener: TcpListener,
    page: Page,
    url: String,
    token: String,
}

impl DevServer {
    /// Opens the data folder as a window does and binds a port (0: any free port) to serve the page in a
    /// folder. If the data folder cannot be opened, each command returns the error.
    ///
    /// # Errors
    /// [`ErrorCode::Io`] if the port is in use, or there are no random numbers.
    pub async fn open(config: Config, page: PathBuf, port: u16) -> Result<Self, CommandError> {
        let failed = |what: &str| CommandError::new(ErrorCode::Io, format!("{what} cannot be had."));
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = TcpListener::bind(address).await.map_err(|_| failed("The port"))?;
        let url = format!("http://{}", listener.local_addr().map_err(|_| failed("The port"))?);
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|_| failed("A random token"))?;
        let token = format!("{:032x}", u128::from_ne_bytes(random));
        let (events, _) = broadcast::channel(EVENTS_KEPT);
        let notifier = ChangeNotifier::default();
        let sink = Arc::new(PageEvents { events: events.clone(), clients: notifier.clone() });
        let core = Core::start(config.clone(), open(config), sink, notifier, Arc::new(NoUpdates)).await;
        Ok(Self { core, events, listener, page: Page::new(page), url, token })
    }

    /// URL of the page.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The bearer token that the page must send.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Serves until the future is dropped.
    pub async fn run(self) {
        let server = Arc::new(self);
        loop {
            let Ok((stream, _)) = server.listener.accept().await else { continue };
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let answer = service_fn(move |request| {
                    let server = Arc::clone(&server);
                    async move { Ok::<_, Infallible>(server.answer(request).await) }
                });
                let connection = TokioIo::new(stream);
                if let Err(error) =
                    hyper::server::conn::http1::Builder::new().serve_connection(connection, answer).await
                {
                    tracing::debug!(%error, "a connection ended early");
                }
            });
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let path = request.uri().path().to_owned();
        let of_page = request.method() == Method::GET && path != "/events";
        if of_page {
            return self.page.file(&path).await;
        }
        if !self.shows_token(request.headers()) {
            return text(StatusCode::UNAUTHORIZED, String::new());
        }
        match (request.method(), path.strip_prefix("/call/")) {
            (&Method::POST, Some(command)) => match self.call(command, request.into_body()).await {
                Ok(Json(answer)) => text(StatusCode::OK, answer),
                Err(error) => text(StatusCode::UNPROCESSABLE_ENTITY, json!(error).to_string()),
            },
            (&Method::GET, None) if path == "/events" => self.event_stream(),
            _ => text(StatusCode::NOT_FOUND, String::new()),
        }
    }

    fn shows_token(&self, headers: &HeaderMap) -> bool {
        let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        shown.and_then(|value| value.strip_prefix("Bearer ")) == Some(&self.token)
    }

    async fn call(&self, command: &str, body: Incoming) -> Result<Json, CommandError> {
        let malformed = || CommandError::new(ErrorCode::Invalid, "The arguments are no JSON object.");
        let body = Limited::new(body, MAX_BODY).collect().await.map_err(|_| malformed())?.to_bytes();
        let arguments = if body.is_empty() {
            Map::new()
        } else {
            serde_json::from_slice(&body).map_err(|_| malformed())?
        };
        call(self.core.clone(), command, arguments).await
    }

    /// A server-sent event stream of JSON objects.
    fn event_stream(&self) -> Response<Body> {
        let frames = stream::unfold(self.events.subscribe(), async |mut events| {
            loop {
                match events.recv().await {
                    Ok(event) => return Some((Ok(Frame::data(event)), events)),
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            }
        });
        let mut response = Response::new(StreamBody::new(frames).boxed_unsync());
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        response
    }
}

fn text(status: StatusCode, body: String) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from(body)).boxed_unsync());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Sends events to all connected pages, and change notifications to the MCP clients of this process.
struct PageEvents {
    events: broadcast::Sender<Bytes>,
    clients: ChangeNotifier,
}

impl Events for PageEvents {
    fn send(&self, event: Event) {
        self.clients.send(event.clone());
        if matches!(event, Event::OtherWorkspaceChanged) {
            return;
        }
        // An error means that no page is connected.
        let _ = self.events.send(Bytes::from(format!("data: {}\n\n", json!(event))));
    }
}
