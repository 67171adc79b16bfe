//! The HTTP clients: timeouts, trusted certificates, and rules for proxies and redirects.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use inklings_ports::model::chat::ChatError;
use reqwest::{Client, redirect};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::address::Address;

/// Timeouts for an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Maximum time to connect.
    pub connect: Duration,
    /// Maximum time until the response begins, and again until the first piece, because local models are loaded
    /// meanwhile. Events without content restart it.
    pub first_byte: Duration,
    /// Maximum time between two events of a running answer.
    pub between: Duration,
    /// Maximum time for a whole list of models.
    pub listing: Duration,
    /// Pause before the second attempt. It doubles with each further attempt, plus a random part of up to half.
    pub backoff: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_mins(2),
            between: Duration::from_mins(1),
            listing: Duration::from_secs(15),
            backoff: Duration::from_millis(500),
        }
    }
}

/// The two clients, created when first needed, because reading the system's certificates takes some time.
#[derive(Debug)]
pub(crate) struct Clients {
    patience: Patience,
    direct: OnceLock<Result<Client, ChatError>>,
    proxied: OnceLock<Result<Client, ChatError>>,
}

impl Clients {
    pub const fn new(patience: Patience) -> Self {
        Self { patience, direct: OnceLock::new(), proxied: OnceLock::new() }
    }

    pub const fn patience(&self) -> Patience {
        self.patience
    }

    /// The client for an address. Addresses on this machine are never requested through a proxy, whatever the
    /// environment says: the proxy would resolve the address to itself and would see the key.
    pub fn to(&self, address: &Address) -> Result<Client, ChatError> {
        let (cell, direct) =
            if address.is_loopback() { (&self.direct, true) } else { (&self.proxied, false) };
        cell.get_or_init(|| client(self.patience, direct)).clone()
    }
}

fn client(patience: Patience, direct: bool) -> Result<Client, ChatError> {
    let tls = tls().map_err(|_| ChatError::Endpoint("encryption could not be set up".into()))?;
    let builder = Client::builder()
        .tls_backend_preconfigured(tls)
        .connect_timeout(patience.connect)
        .pool_idle_timeout(Duration::from_secs(20))
        // A redirect could send the key and the conversation to another computer.
        .redirect(redirect::Policy::none())
        .user_agent(concat!("inklings/", env!("CARGO_PKG_VERSION")));
    let builder = if direct { builder.no_proxy() } else { builder };
    builder.build().map_err(|_| ChatError::Endpoint("the connection could not be set up".into()))
}

/// Trusts the system's certificates, or Mozilla's if the system has none.
fn tls() -> Result<ClientConfig, rustls::Error> {
    let builder = || {
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
    };
    if let Ok(trusting) = builder()?.with_platform_verifier() {
        return Ok(trusting.with_no_client_auth());
    }
    tracing::warn!("the system has no root certificates; the built-in ones are used");
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    Ok(builder()?.with_root_certificates(roots).with_no_client_auth())
}
