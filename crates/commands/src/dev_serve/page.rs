//! Serves the files of the page.

use std::{
    io,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt, Full};
use serde_json::Value;

use super::Body;

const WINDOW: &str = include_str!("../../../../src-tauri/tauri.conf.json");

pub struct Page {
    folder: PathBuf,
    policy: Option<HeaderValue>,
}

impl Page {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, policy: policy() }
    }

    /// Reads a file. Refuses paths that lead outside the folder in any way.
    async fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let folder = tokio::fs::canonicalize(&self.folder).await?;
        let file = tokio::fs::canonicalize(folder.join(path)).await?;
        if file.starts_with(folder) {
            tokio::fs::read(file).await
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    /// The response with a file of the folder, by URL path.
    pub async fn file(&self, path: &str) -> Response<Body> {
        let path = Path::new(path.trim_start_matches('/'));
        let read = self.read(path).await;
        let mut response = Response::new(Full::new(Bytes::new()).boxed_unsync());
        match read {
            Ok(contents) => *response.body_mut() = Full::new(Bytes::from(contents)).boxed_unsync(),
            Err(_) => *response.status_mut() = StatusCode::NOT_FOUND,
        }
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(path)));
        if let Some(policy) = &self.policy {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        }
        response
    }
}

/// The content security policy of the window. The page's calls go to its own origin instead of IPC.
fn policy() -> Option<HeaderValue> {
    let config: Value = serde_json::from_str(WINDOW).ok()?;
    let rules = config.pointer("/app/security/csp")?.as_object()?;
    let rule = |(rule, sources): (&String, &Value)| {
        let sources = if rule == "connect-src" { "'self'" } else { sources.as_str()? };
        Some(format!("{rule} {sources}"))
    };
    let rules: Option<Vec<_>> = rules.iter().map(rule).collect();
    HeaderValue::from_str(&rules?.join("; ")).ok()
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
