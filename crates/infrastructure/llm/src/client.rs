//! The HTTP clients: how long they wait, whom they trust, and where they never go.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use inklings_application::model::chat::ChatError;
use reqwest::{Client, redirect};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::address::Address;

/// How long to wait for an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Until the connection stands.
    pub connect: Duration,
    /// Until the endpoint begins to answer, and again until the first piece: models on the own machine are loaded
    /// meanwhile. Signs of life without content start it anew.
    pub first_byte: Duration,
    /// From one sign of life to the next, once the answer runs.
    pub between: Duration,
    /// For a whole list of models.
    pub listing: Duration,
    /// The pause before the second try; it doubles with each further one, and chance adds up to half of it.
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

/// The two clients, made when first needed: reading the system's certificates takes a moment.
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

    /// The client for an address. What is on this machine is never asked through a proxy, whatever the environment
    /// says: the proxy would look for it on itself, and would be shown the key.
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
        // A redirect could lead the key and the conversation to another computer.
        .redirect(redirect::Policy::none())
        .user_agent(concat!("inklings/", env!("CARGO_PKG_VERSION")));
    let builder = if direct { builder.no_proxy() } else { builder };
    builder.build().map_err(|_| ChatError::Endpoint("the connection could not be set up".into()))
}

/// Trusts what the system trusts; where the system has no certificates at all, what Mozilla trusts.
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
