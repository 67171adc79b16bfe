//! Validates and normalises the endpoint address that a person enters.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use inklings_ports::model::chat::{ChatError, ChatProvider};
use url::{Host, Url};

/// A validated base address without a trailing slash.
#[derive(Debug, Clone)]
pub(crate) struct Address {
    base: String,
    host: String,
    loopback: bool,
}

impl Address {
    /// Parses the entered address. Trailing slashes and the path of the request itself are optional:
    ///
    /// - `OpenAI` compatible: used as given; without any path, `/v1` is added. So `http://127.0.0.1:11434`,
    ///   `…:11434/v1` and `…:11434/v1/chat/completions` are the same, and `https://example.org/api/v3` is kept.
    /// - Anthropic: `/v1` belongs to the request, so it is removed if it was entered.
    pub fn read(provider: ChatProvider, entered: &str) -> Result<Self, ChatError> {
        let url =
            Url::parse(entered.trim()).map_err(|_| refused("it must begin with http:// or https://"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refused("it must begin with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("it must not contain a user name or a password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refused("it must not contain ? or #"));
        }
        let Some(host) = url.host() else { return Err(refused("it names no computer")) };
        if url.scheme() == "http" && !is_near(&host) {
            return Err(refused(
                "the key would travel unprotected; only https:// may leave the local network",
            ));
        }
        let loopback = is_loopback(&host);
        let origin = url.origin().ascii_serialization();
        let path = url.path().trim_end_matches('/');
        let path = match provider {
            ChatProvider::OpenAiCompatible => {
                let path = path.strip_suffix("/chat/completions").unwrap_or(path).trim_end_matches('/');
                if path.is_empty() { "/v1" } else { path }
            }
            ChatProvider::Anthropic => {
                let path = path.strip_suffix("/messages").unwrap_or(path).trim_end_matches('/');
                path.strip_suffix("/v1").unwrap_or(path).trim_end_matches('/')
            }
        };
        let host =
            url.port_or_known_default().map_or_else(|| host.to_string(), |port| format!("{host}:{port}"));
        Ok(Self { base: format!("{origin}{path}"), host, loopback })
    }

    pub fn join(&self, path: &str) -> String {
        format!("{}/{path}", self.base)
    }

    /// Host and port, for messages.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// True for an address on this machine, which must not be reached through a proxy.
    pub const fn is_loopback(&self) -> bool {
        self.loopback
    }
}

fn refused(why: &str) -> ChatError {
    ChatError::Endpoint(format!("this address cannot be used: {why}"))
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => plain(*ip).is_loopback(),
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

/// True for an address on this machine or in the local network. A name without a dot, or with an ending that no
/// public name has, is a local name.
fn is_near(host: &Host<&str>) -> bool {
    is_loopback(host)
        || match host {
            Host::Ipv4(ip) => is_private(*ip),
            Host::Ipv6(ip) => match plain(*ip) {
                IpAddr::V4(ip) => is_private(ip),
                IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
            },
            Host::Domain(name) => {
                let name = name.trim_end_matches('.');
                let local = [".local", ".lan", ".internal", ".home.arpa"];
                !name.contains('.') || local.iter().any(|ending| name.ends_with(ending))
            }
        }
}

const fn is_private(ip: Ipv4Addr) -> bool {
    ip.is_private() || ip.is_link_local()
}

/// Converts an IPv4-mapped IPv6 address to IPv4.
fn plain(ip: Ipv6Addr) -> IpAddr {
    ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(provider: ChatProvider, entered: &str) -> String {
        Address::read(provider, entered).unwrap().base
    }

    #[test]
    fn an_openai_address_is_used_as_given_and_gets_a_version_if_it_has_no_path() {
        let read = |entered| base(ChatProvider::OpenAiCompatible, entered);
        for entered in ["http://127.0.0.1:11434", "http://127.0.0.1:11434/", " http://127.0.0.1:11434/v1// "]
        {
            assert_eq!(read(entered), "http://127.0.0.1:11434/v1");
        }
        assert_eq!(read("https://api.example.org/v1/chat/completions"), "https://api.example.org/v1");
        assert_eq!(read("https://example.org/api/v3/"), "https://example.org/api/v3");
        assert_eq!(read("http://[::1]:8080"), "http://[::1]:8080/v1");
    }

    #[test]
    fn an_anthropic_address_may_have_its_version_or_not() {
        let read = |entered| base(ChatProvider::Anthropic, entered);
        for entered in ["https://example.org", "https://example.org/v1/", "https://example.org/v1/messages"] {
            assert_eq!(read(entered), "https://example.org");
        }
        assert_eq!(read("https://example.org/proxy/v1"), "https://example.org/proxy");
    }

    #[test]
    fn unencrypted_addresses_are_accepted_only_in_the_local_network() {
        let read = |entered| Address::read(ChatProvider::OpenAiCompatible, entered);
        for near in [
            "http://localhost:1234",
            "http://127.8.0.1",
            "http://[::1]",
            "http://10.0.0.7",
            "http://192.168.1.2",
            "http://172.31.0.1",
            "http://[fd00::1]",
            "http://[::ffff:192.168.1.2]",
            "http://nas",
            "http://studio.local:1234",
        ] {
            assert!(read(near).is_ok(), "{near}");
        }
        for far in [
            "http://example.org",
            "http://8.8.8.8",
            "http://172.32.0.1",
            "http://[2001:db8::1]",
            "http://[::ffff:8.8.8.8]",
            "http://localhost.example.org",
            "http://127.0.0.1.example.org",
        ] {
            assert!(matches!(read(far), Err(ChatError::Endpoint(_))), "{far}");
        }
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for entered in [
            "",
            "127.0.0.1:11434",
            "localhost:11434",
            "ftp://example.org",
            "file:///etc/passwd",
            "https://me:secret@example.org",
            "https://example.org/v1?key=secret",
            "https://example.org/#x",
        ] {
            let error = Address::read(ChatProvider::OpenAiCompatible, entered).unwrap_err();
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }

    #[test]
    fn only_this_machine_is_loopback() {
        let read = |entered| Address::read(ChatProvider::OpenAiCompatible, entered).unwrap();
        assert!(read("http://localhost:1").is_loopback());
        assert!(read("http://[::1]:1").is_loopback());
        assert!(!read("http://192.168.1.2:1").is_loopback());
        assert_eq!(read("https://example.org").host(), "example.org:443");
    }
}
