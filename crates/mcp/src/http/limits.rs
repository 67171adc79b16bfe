//! Time limits of requests, and limits of each client's concurrent requests and sessions.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use inklings_domain::ids::ClientId;

/// Limits of the HTTP server. One client at its limits leaves capacity for the others.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Time limit for a request's head, and for the idle time of a connection.
    pub head: Duration,
    /// Time limit for the body.
    pub body: Duration,
    /// Time limit until the response starts. A stream may last longer.
    pub handling: Duration,
    /// Idle time after which a session ends.
    pub idle: Duration,
    /// Maximum number of connections.
    pub connections: usize,
    /// Maximum concurrent requests of one client, including open streams.
    pub requests: usize,
    /// Maximum sessions of one client. A new session ends the least recently used one.
    pub sessions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            handling: Duration::from_mins(5),
            idle: Duration::from_mins(5),
            connections: 128,
            requests: 32,
            sessions: 16,
        }
    }
}

/// Number of running requests by client.
#[derive(Debug, Clone, Default)]
pub struct UnderWay(Arc<Mutex<HashMap<ClientId, usize>>>);

/// Guard of a running request, dropped after the last byte of the response.
#[derive(Debug)]
pub struct Place {
    under_way: UnderWay,
    client: ClientId,
}

impl UnderWay {
    /// Registers a request of a client, unless the client has `most` requests already.
    pub fn enter(&self, client: ClientId, most: usize) -> Option<Place> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Place { under_way: self.clone(), client })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.under_way.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

/// Sessions with their owners and the time of their last use.
#[derive(Debug, Default)]
pub struct Sessions(Mutex<HashMap<String, (ClientId, Instant)>>);

impl Sessions {
    /// True if the session belongs to this client; updates its time of last use.
    pub fn uses(&self, client: ClientId, session: &str) -> bool {
        let mut owners = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((owner, used)) = owners.get_mut(session) else { return false };
        if *owner == client {
            *used = Instant::now();
        }
        *owner == client
    }

    /// Adds a session of a client. Gives the sessions that end: idle ones of all clients, and the client's
    /// least recently used ones above its maximum.
    pub fn begin(&self, client: ClientId, session: &str, limits: &Limits) -> Vec<String> {
        let now = Instant::now();
        let mut owners = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if owners.contains_key(session) {
            return Vec::new();
        }
        let is_idle = |used: &Instant| now.saturating_duration_since(*used) > limits.idle;
        let mut ended: Vec<String> =
            owners.iter().filter(|(_, (_, used))| is_idle(used)).map(|(id, _)| id.clone()).collect();
        owners.retain(|_, (_, used)| !is_idle(used));
        let mut own: Vec<(Instant, String)> = owners
            .iter()
            .filter(|(_, (owner, _))| *owner == client)
            .map(|(id, (_, used))| (*used, id.clone()))
            .collect();
        own.sort_unstable();
        let beyond = (own.len() + 1).saturating_sub(limits.sessions.max(1));
        for (_, id) in own.into_iter().take(beyond) {
            owners.remove(&id);
            ended.push(id);
        }
        owners.insert(session.to_owned(), (client, now));
        ended
    }

    /// Removes a session.
    pub fn end(&self, session: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(n: u128) -> ClientId {
        ClientId::from_uuid(uuid::Uuid::from_u128(n))
    }

    #[test]
    fn the_concurrency_limit_of_a_client_does_not_affect_others() {
        let under_way = UnderWay::default();
        let held: Vec<Place> = (0..2).filter_map(|_| under_way.enter(client(1), 2)).collect();
        assert_eq!(held.len(), 2);
        assert!(under_way.enter(client(1), 2).is_none());
        assert!(under_way.enter(client(2), 2).is_some());
        drop(held);
        assert!(under_way.enter(client(1), 2).is_some());
        assert!(under_way.0.lock().expect("not poisoned").is_empty());
    }

    #[test]
    fn a_new_session_ends_the_clients_oldest_session_and_all_idle_ones() {
        let limits = Limits { sessions: 2, ..Limits::default() };
        let sessions = Sessions::default();
        assert!(sessions.begin(client(1), "a", &limits).is_empty());
        assert!(sessions.begin(client(1), "b", &limits).is_empty());
        assert!(sessions.begin(client(2), "c", &limits).is_empty());
        assert!(sessions.uses(client(1), "a"));
        assert_eq!(sessions.begin(client(1), "d", &limits), ["b"]);
        assert!(sessions.uses(client(1), "a") && !sessions.uses(client(1), "b"));
        assert!(!sessions.uses(client(1), "c"), "it is another client's");
        let mut ended = sessions.begin(client(3), "e", &Limits { idle: Duration::ZERO, ..limits });
        ended.sort_unstable();
        assert_eq!(ended, ["a", "c", "d"]);
    }
}
