//! The model hub's download protocol: what a file is now (its revision, size and digest), and its bytes from
//! any offset on.
//!
//! Spoken directly over the HTTP client that fastembed's hub crate uses, because that crate can neither stop a
//! transfer once started, nor notice a silent server, nor check what arrived.

use std::io::Read;
use std::time::Duration;

use inklings_application::ports::embedding::EmbedError;
use ureq::http::{HeaderMap, Response, StatusCode};
use ureq::{Agent, Body};

/// Where models come from unless `$HF_ENDPOINT` names another hub.
const DEFAULT_ENDPOINT: &str = "https://huggingface.co";

/// Redirects within the hub (a renamed repository) followed before giving up.
const MAX_REDIRECTS: usize = 5;

/// A server that is silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(30);

/// The hub, reached at one address.
#[derive(Debug, Clone)]
pub(crate) struct Hub {
    endpoint: String,
    /// Leaves redirects alone: the hub's own headers would be lost in following them.
    asking: Agent,
    fetching: Agent,
}

/// A file as the hub has it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemoteFile {
    /// Path within the repository.
    pub name: String,
    /// The revision it belongs to: a hash if the hub told it, else the name that was asked for.
    pub revision: String,
    /// Bytes.
    pub size: u64,
    /// Lower-case SHA-256 of the content; the hub knows it for large files only.
    pub sha256: Option<String>,
}

/// Bytes of a file, from `start` on.
pub(crate) struct Transfer {
    /// The offset of the first byte. 0 if the server does not resume.
    pub start: u64,
    /// The bytes.
    pub body: Box<dyn Read + Send>,
}

/// The address in `$HF_ENDPOINT`, or the default one.
pub(crate) fn endpoint_from(variable: Option<String>) -> String {
    let named = variable.map(|value| value.trim().trim_end_matches('/').to_owned());
    named.filter(|value| !value.is_empty()).unwrap_or_else(|| DEFAULT_ENDPOINT.to_owned())
}

impl Hub {
    /// The hub at `endpoint`, e.g. `https://example.org`. No request is made.
    pub(crate) fn new(endpoint: String) -> Self {
        let config = || {
            Agent::config_builder()
                .https_only(endpoint.starts_with("https://")) // and never less after a redirect
                .user_agent("inklings")
                .timeout_connect(Some(Duration::from_secs(15)))
                .timeout_recv_response(Some(SILENCE))
                .timeout_per_read(Some(SILENCE))
        };
        let asking = config().max_redirects(0).build().into();
        let fetching = config().build().into();
        Self { endpoint, asking, fetching }
    }

    /// Asks what `file` of `repository` is at `revision`.
    ///
    /// # Errors
    /// [`EmbedError::Download`] when the hub cannot be reached or does not have it.
    pub(crate) fn describe(
        &self,
        repository: &str,
        revision: &str,
        file: &str,
    ) -> Result<RemoteFile, EmbedError> {
        let mut url = self.url(repository, revision, file);
        for _ in 0..MAX_REDIRECTS {
            let request = self.asking.head(&url).header("accept-encoding", "identity");
            let response = request.call().map_err(|error| failed(file, &error))?;
            match local_redirect(&response) {
                Some(path) => url = format!("{}{path}", self.endpoint),
                None => return self.remote_file(file, revision, &response, &url),
            }
        }
        Err(EmbedError::Download(format!("{file}: the hub redirects in a circle")))
    }

    /// Opens `file` at the byte `start`, or at 0 if the server does not resume.
    ///
    /// # Errors
    /// [`EmbedError::Download`] when the hub cannot be reached or does not have it.
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

    fn remote_file(
        &self,
        file: &str,
        revision: &str,
        response: &Response<Body>,
        url: &str,
    ) -> Result<RemoteFile, EmbedError> {
        let headers = response.headers();
        let size = match text(headers, "x-linked-size") {
            Some(size) => Some(size.to_owned()),
            None if response.status().is_redirection() => self.size_elsewhere(file, url)?,
            None => text(headers, "content-length").map(str::to_owned),
        };
        let size = size.and_then(|size| size.parse().ok());
        let size =
            size.ok_or_else(|| EmbedError::Download(format!("{file}: the hub does not tell its size")))?;
        let etag = text(headers, "x-linked-etag").or_else(|| text(headers, "etag"));
        let etag = etag.map(|etag| etag.trim_start_matches("W/").trim_matches('"').to_ascii_lowercase());
        let sha256 =
            etag.filter(|etag| etag.len() == 64 && etag.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let revision =
            text(headers, "x-repo-commit").filter(|commit| is_revision(commit)).unwrap_or(revision);
        Ok(RemoteFile { name: file.to_owned(), revision: revision.to_owned(), size, sha256 })
    }

    /// The size told by the storage server that the hub points to.
    fn size_elsewhere(&self, file: &str, url: &str) -> Result<Option<String>, EmbedError> {
        let request = self.fetching.head(url).header("accept-encoding", "identity");
        let response = request.call().map_err(|error| failed(file, &error))?;
        Ok(text(response.headers(), "content-length").map(str::to_owned))
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A revision becomes part of an address and of a folder's name, so it must be nothing but a hash or a name.
fn is_revision(text: &str) -> bool {
    !text.is_empty() && text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn local_redirect(response: &Response<Body>) -> Option<String> {
    let location = text(response.headers(), "location").filter(|_| response.status().is_redirection())?;
    location.starts_with('/').then_some(location).filter(|path| !path.starts_with("//")).map(str::to_owned)
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

    #[test]
    fn a_revision_cannot_leave_its_folder() {
        assert!(is_revision("0123456789abcdef0123456789abcdef01234567"));
        assert!(!is_revision("../../etc"));
        assert!(!is_revision(""));
    }
}
