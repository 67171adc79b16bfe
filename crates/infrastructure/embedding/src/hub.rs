//! The model hub's download protocol: reads a file at a revision from any offset.
//!
//! It uses the HTTP client of fastembed's hub crate directly, because that crate cannot stop a started transfer,
//! detect a silent server, or verify the received bytes.

use std::io::Read;
use std::time::Duration;

use inklings_ports::model::embedding::EmbedError;
use ureq::Agent;
use ureq::http::StatusCode;

/// Default hub; `$HF_ENDPOINT` overrides it.
const DEFAULT_ENDPOINT: &str = "https://huggingface.co";

/// Timeout for a silent server.
const SILENCE: Duration = Duration::from_secs(30);

/// A hub at one address.
#[derive(Debug, Clone)]
pub(crate) struct Hub {
    endpoint: String,
    fetching: Agent,
}

/// The bytes of a file from `start`.
pub(crate) struct Transfer {
    /// Offset of the first byte; 0 if the server does not support resuming.
    pub start: u64,
    pub body: Box<dyn Read + Send>,
}

/// The address in `$HF_ENDPOINT`, or the default one.
pub(crate) fn endpoint_from(variable: Option<String>) -> String {
    let named = variable.map(|value| value.trim().trim_end_matches('/').to_owned());
    named.filter(|value| !value.is_empty()).unwrap_or_else(|| DEFAULT_ENDPOINT.to_owned())
}

impl Hub {
    /// Creates a client for the hub at `endpoint`, e.g. `https://example.org`. Makes no request.
    pub(crate) fn new(endpoint: String) -> Self {
        let fetching = Agent::config_builder()
            .https_only(endpoint.starts_with("https://")) // also after a redirect
            .user_agent("inklings")
            .timeout_connect(Some(Duration::from_secs(15)))
            .timeout_recv_response(Some(SILENCE))
            .timeout_per_read(Some(SILENCE))
            .build()
            .into();
        Self { endpoint, fetching }
    }

    /// Opens `file` at the byte `start`, or at 0 if the server does not support resuming.
    ///
    /// # Errors
    /// [`EmbedError::Download`] if the hub cannot be reached or does not have the file.
    pub(crate) fn open(
        &self,
        repository: &str,
        revision: &str,
        file: &str,
        start: u64,
    ) -> Result<Transfer, EmbedError> {
        let mut request =
            self.fetching.get(self.url(repository, revision, file)).header("accept-encoding", "identity");
        if start > 0 {
            request = request.header("range", format!("bytes={start}-"));
        }
        let response = request.call().map_err(|error| failed(file, &error))?;
        let resumed = response.status() == StatusCode::PARTIAL_CONTENT;
        let body = Box::new(response.into_body().into_reader());
        Ok(Transfer { start: if resumed { start } else { 0 }, body })
    }

    fn url(&self, repository: &str, revision: &str, file: &str) -> String {
        format!("{}/{repository}/resolve/{revision}/{file}", self.endpoint)
    }
}

fn failed(file: &str, error: &ureq::Error) -> EmbedError {
    let reason = match error {
        ureq::Error::StatusCode(404) => "the hub does not have it".to_owned(),
        ureq::Error::StatusCode(401 | 403) => "the hub does not give it to everybody".to_owned(),
        ureq::Error::StatusCode(code) => format!("the hub answered with status {code}"),
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed => "the hub cannot be reached".to_owned(),
        ureq::Error::Timeout(_) => "the hub does not answer".to_owned(),
        other => other.to_string(),
    };
    EmbedError::Download(format!("{file}: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoint_can_be_another_one() {
        assert_eq!(endpoint_from(None), DEFAULT_ENDPOINT);
        assert_eq!(endpoint_from(Some("  ".into())), DEFAULT_ENDPOINT);
        assert_eq!(endpoint_from(Some("http://127.0.0.1:8080/".into())), "http://127.0.0.1:8080");
    }
}
