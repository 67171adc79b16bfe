//! Implements the chat ports for models at an HTTP address, with retries.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use inklings_ports::model::chat::{
    ChatEndpoint, ChatError, ChatModel, ChatModels, ChatProvider, ChatRequest, ChatStream, Secret,
};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response};
use serde_json::Value;

use crate::address::Address;
use crate::answer::Answer;
use crate::anthropic::Anthropic;
use crate::client::{Clients, Patience};
use crate::events::{Events, LONGEST_ANSWER};
use crate::failure::{Again, Failure, Refusal};
use crate::openai::OpenAi;
use crate::wire::Wire;

/// Maximum number of attempts per request.
const TRIES: u32 = 3;

/// Limits on size and time for reading an error body; the relevant part is at its beginning.
const LONGEST_ERROR: usize = 64 << 10;
const ERROR_PATIENCE: Duration = Duration::from_secs(5);

fn wire(provider: ChatProvider) -> Box<dyn Wire> {
    match provider {
        ChatProvider::OpenAiCompatible => Box::new(OpenAi::default()),
        ChatProvider::Anthropic => Box::new(Anthropic),
    }
}

/// Language models at HTTP endpoints. Cheap to clone and to keep; connections are shared.
///
/// A model's `answer` resolves when the first piece arrives. Until then a transient failure is retried at most twice;
/// afterwards every failure is reported in the stream. Dropping the future or the stream closes the connection.
#[derive(Debug, Clone)]
pub struct HttpChatModels {
    clients: Arc<Clients>,
}

impl Default for HttpChatModels {
    fn default() -> Self {
        Self::new()
    }
}

impl HttpChatModels {
    /// Creates the models with the default timeouts.
    pub fn new() -> Self {
        Self::with_patience(Patience::default())
    }

    /// Creates the models with other timeouts, for tests.
    pub fn with_patience(patience: Patience) -> Self {
        Self { clients: Arc::new(Clients::new(patience)) }
    }

    fn model(&self, endpoint: &ChatEndpoint, key: Option<Secret>) -> Result<HttpChatModel, ChatError> {
        let address = Address::read(endpoint.provider, &endpoint.base_url)?;
        let client = self.clients.to(&address)?;
        let wire = wire(endpoint.provider);
        // Pasted keys often end with a line break. An empty key counts as no key.
        let key = key.map(|key| Secret::new(key.reveal().trim())).filter(|key| !key.reveal().is_empty());
        let headers = wire
            .headers(key.as_ref())
            .map_err(|_| ChatError::Endpoint("the key contains characters that cannot be sent".into()))?;
        let patience = self.clients.patience();
        Ok(HttpChatModel { endpoint: endpoint.clone(), address, client, wire, headers, patience })
    }
}

#[async_trait::async_trait]
impl ChatModels for HttpChatModels {
    fn connect(&self, endpoint: &ChatEndpoint, key: Option<Secret>) -> Result<Arc<dyn ChatModel>, ChatError> {
        Ok(Arc::new(self.model(endpoint, key)?))
    }

    async fn available(
        &self,
        endpoint: &ChatEndpoint,
        key: Option<Secret>,
    ) -> Result<Vec<String>, ChatError> {
        let model = self.model(endpoint, key)?;
        let listing = tokio::time::timeout(model.patience.listing, model.names());
        listing.await.map_err(|_| ChatError::Timeout)?
    }
}

struct HttpChatModel {
    endpoint: ChatEndpoint,
    address: Address,
    client: Client,
    wire: Box<dyn Wire>,
    headers: HeaderMap,
    patience: Patience,
}

impl fmt::Debug for HttpChatModel {
    /// Omits the headers, because one of them contains the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpChatModel").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

#[async_trait::async_trait]
impl ChatModel for HttpChatModel {
    fn endpoint(&self) -> &ChatEndpoint {
        &self.endpoint
    }

    async fn answer(&self, request: ChatRequest) -> Result<ChatStream, ChatError> {
        let request = request.visible();
        let mut tries = 1;
        loop {
            let failure = match self.ask(&request).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let pause = match failure.again {
                _ if tries == TRIES => return Err(failure.error),
                Again::Never => return Err(failure.error),
                Again::Soon => self.backoff(tries),
                Again::After(asked) => asked.max(self.backoff(tries)),
            };
            tracing::info!(error = %failure.error, tries, pause_ms = pause.as_millis(), "the model is asked again");
            tokio::time::sleep(pause).await;
            tries += 1;
        }
    }
}

impl HttpChatModel {
    /// Sends the request once, and again at once if the endpoint turned out to use a dialect. Each dialect is learned
    /// only once, so this terminates.
    async fn ask(&self, request: &ChatRequest) -> Result<ChatStream, Failure> {
        loop {
            let body = self.wire.body(&self.endpoint, request).to_string();
            let post = self.client.post(self.address.join(self.wire.answer_path()));
            let post = post.headers(self.headers.clone()).header(CONTENT_TYPE, "application/json").body(body);
            let response = tokio::time::timeout(self.patience.first_byte, post.send())
                .await
                .map_err(|_| Failure::passing(ChatError::Timeout))?
                .map_err(|error| Failure::transport(&error, self.address.host()))?;
            if !response.status().is_success() {
                let refusal = refusal(response).await;
                if self.wire.learn(&refusal) {
                    continue;
                }
                return Err(refusal.into_failure());
            }
            let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
            if kind.is_some_and(|kind| !kind.to_ascii_lowercase().starts_with("text/event-stream")) {
                return Err(Failure::nonsense("it did not answer with a stream of events"));
            }
            let events = Events::of(response, self.patience);
            return Answer::begin(events, self.wire.decoder(), self.address.host()).await;
        }
    }

    /// The pause after a failed attempt: growing, with random jitter.
    fn backoff(&self, tries: u32) -> Duration {
        let pause = self.patience.backoff * 2_u32.pow(tries - 1);
        // If no random number is available, there is only no jitter.
        let chance = f64::from(getrandom::u32().unwrap_or(0)) / f64::from(u32::MAX);
        pause + pause.mul_f64(chance / 2.0)
    }

    async fn names(&self) -> Result<Vec<String>, ChatError> {
        let get = self.client.get(self.address.join(self.wire.models_path())).headers(self.headers.clone());
        let response =
            get.send().await.map_err(|error| Failure::transport(&error, self.address.host()).error)?;
        if !response.status().is_success() {
            return Err(match refusal(response).await.into_failure().error {
                // No model was requested, so the address is wrong.
                ChatError::UnknownModel => {
                    ChatError::Endpoint("it has no list of models at this address".into())
                }
                error => error,
            });
        }
        let nonsense = || ChatError::Endpoint("its list of models cannot be read".into());
        let (body, whole) = read(response, LONGEST_ANSWER).await;
        if !whole {
            return Err(nonsense());
        }
        let body: Value = serde_json::from_slice(&body).map_err(|_| nonsense())?;
        let models = match body.get("data").ok_or_else(nonsense)? {
            // Ollama without any model.
            Value::Null => &[],
            Value::Array(models) => models.as_slice(),
            _ => return Err(nonsense()),
        };
        let mut names: Vec<String> =
            models.iter().filter_map(|model| model["id"].as_str()).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }
}

async fn refusal(response: Response) -> Refusal {
    let (status, headers) = (response.status(), response.headers().clone());
    let body = tokio::time::timeout(ERROR_PATIENCE, read(response, LONGEST_ERROR)).await;
    let (body, _) = body.unwrap_or_default();
    Refusal::of_response(status, &headers, &body)
}

/// Reads a body up to a maximum size. The flag is true if the body is complete.
async fn read(mut response: Response, most: usize) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(None) => return (body, true),
            Ok(Some(bytes)) if body.len() + bytes.len() <= most => body.extend_from_slice(&bytes),
            Ok(Some(_)) | Err(_) => return (body, false),
        }
    }
}
