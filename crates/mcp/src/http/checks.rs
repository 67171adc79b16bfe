//! Checks of a request before its body is read.

use std::{collections::HashMap, time::Instant};

use http::{HeaderMap, header};
use inklings_domain::ids::ClientId;

/// Permitted names of this machine in a Host header.
pub const HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
/// Permitted local origins in an Origin header.
pub const ORIGINS: [&str; 6] = [
    "http://127.0.0.1:*",
    "https://127.0.0.1:*",
    "http://localhost:*",
    "https://localhost:*",
    "http://[::1]:*",
    "https://[::1]:*",
];
/// Burst capacity of a client's rate limit, in requests.
const BURST: f64 = 200.0;
/// Sustained rate limit, in requests per second.
const PER_SECOND: f64 = 50.0;
/// Maximum number of clients whose rate is tracked.
const REMEMBERED: usize = 1_000;

/// The value of a header that occurs exactly once.
fn only<'h>(headers: &'h HeaderMap, name: &header::HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Splits `host:port`; the port is `None` if absent.
fn host_and_port(authority: &str) -> (&str, Option<u16>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => {
            (host, port.parse().ok())
        }
        _ => (authority, None),
    }
}

fn is_local(host: &str) -> bool {
    HOSTS.iter().any(|known| known.eq_ignore_ascii_case(host))
}

/// True if the Host header names this server. This refuses pages whose domain was made to resolve to this
/// machine (DNS rebinding).
pub fn host_is_ours(headers: &HeaderMap, port: u16) -> bool {
    only(headers, &header::HOST).is_some_and(|host| {
        let (host, given) = host_and_port(host);
        is_local(host) && given == Some(port)
    })
}

/// True if no page or a local page sent the request. `null` is the origin of a page that hides its origin,
/// and is refused.
pub fn origin_is_local(headers: &HeaderMap) -> bool {
    if !headers.contains_key(header::ORIGIN) {
        return true;
    }
    only(headers, &header::ORIGIN).is_some_and(|origin| {
        let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        rest.is_some_and(|authority| is_local(host_and_port(authority).0))
    })
}

/// The bearer token of a request.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = only(headers, &header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The declared length of the body.
pub fn declared_length(headers: &HeaderMap) -> Option<u64> {
    only(headers, &header::CONTENT_LENGTH)?.parse().ok()
}

/// Remaining requests of each client (token bucket).
#[derive(Debug, Default)]
pub struct Rates(HashMap<ClientId, (f64, Instant)>);

impl Rates {
    /// Counts a request; true if the client's rate limit permits it.
    pub fn admit(&mut self, client: ClientId, now: Instant) -> bool {
        if self.0.len() >= REMEMBERED && !self.0.contains_key(&client) {
            self.0.clear();
        }
        let (left, at) = self.0.entry(client).or_insert((BURST, now));
        *left = (*left + now.saturating_duration_since(*at).as_secs_f64() * PER_SECOND).min(BURST);
        *at = now;
        let admitted = *left >= 1.0;
        if admitted {
            *left -= 1.0;
        }
        admitted
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn with(name: &'static str, values: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, http::HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn only_loopback_hosts_with_our_port_are_accepted() {
        for host in ["127.0.0.1:7862", "localhost:7862", "LOCALHOST:7862", "[::1]:7862"] {
            assert!(host_is_ours(&with("host", &[host]), 7862), "{host}");
        }
        for host in [
            "127.0.0.1",
            "localhost:7863",
            "evil.test:7862",
            "localhost.evil.test:7862",
            "[::1]",
            "",
            "127.0.0.1:7862:7862",
            "127.0.0.1:",
        ] {
            assert!(!host_is_ours(&with("host", &[host]), 7862), "{host}");
        }
        assert!(!host_is_ours(&HeaderMap::new(), 7862));
        assert!(!host_is_ours(&with("host", &["localhost:7862", "localhost:7862"]), 7862));
    }

    #[test]
    fn only_requests_without_origin_or_of_a_local_origin_are_accepted() {
        assert!(origin_is_local(&HeaderMap::new()));
        for origin in ["http://localhost", "http://localhost:6274", "https://127.0.0.1:1", "http://[::1]:80"]
        {
            assert!(origin_is_local(&with("origin", &[origin])), "{origin}");
        }
        for origin in [
            "null",
            "",
            "http://evil.test",
            "http://localhost.evil.test",
            "http://localhost@evil.test",
            "file://localhost",
            "tauri://localhost",
            "http://localhost/..",
            "localhost",
        ] {
            assert!(!origin_is_local(&with("origin", &[origin])), "{origin}");
        }
        assert!(!origin_is_local(&with("origin", &["http://localhost", "http://evil.test"])));
    }

    #[test]
    fn a_token_is_read_only_from_a_single_bearer_header() {
        assert_eq!(bearer(&with("authorization", &["Bearer abc"])), Some("abc"));
        assert_eq!(bearer(&with("authorization", &["bearer abc"])), Some("abc"));
        for other in [&["Basic abc"][..], &["abc"], &["Bearer a", "Bearer b"], &[]] {
            assert_eq!(bearer(&with("authorization", other)), None);
        }
    }

    #[test]
    fn the_rate_limit_of_a_client_does_not_affect_others() {
        let mut rates = Rates::default();
        let id = |n| ClientId::from_uuid(inklings_domain_uuid(n));
        let now = Instant::now();
        let admitted = (0..500).filter(|_| rates.admit(id(1), now)).count();
        assert_eq!(admitted, 200);
        assert!(rates.admit(id(2), now));
        assert!(!rates.admit(id(1), now));
        assert!(rates.admit(id(1), now + Duration::from_secs(1)));
    }

    fn inklings_domain_uuid(n: u128) -> uuid::Uuid {
        uuid::Uuid::from_u128(n)
    }
}
