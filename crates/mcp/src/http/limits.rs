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

/// A session, its owner and its use.
#[derive(Debug)]
struct Session {
    client: ClientId,
    /// The time of its last use.
    used: Instant,
    /// Its requests that run, with those whose streams are open.
    running: usize,
}

impl Session {
    /// A session with an open stream is in use: a client that only listens sends nothing.
    fn is_idle(&self, now: Instant, idle: Duration) -> bool {
        self.running == 0 && now.saturating_duration_since(self.used) > idle
    }
}

/// The sessions of all clients.
#[derive(Debug, Clone, Default)]
pub struct Sessions(Arc<Mutex<HashMap<String, Session>>>);

/// Guard of a request in a session, dropped after the last byte of the response.
#[derive(Debug)]
pub struct InUse {
    sessions: Sessions,
    id: String,
}

impl Sessions {
    /// Registers a request in a session; `None` unless the session belongs to this client.
    pub fn enter(&self, client: ClientId, id: &str) -> Option<InUse> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let session = all.get_mut(id).filter(|session| session.client == client)?;
        session.used = Instant::now();
        session.running += 1;
        Some(InUse { sessions: self.clone(), id: id.to_owned() })
    }

    /// Adds a session of a client. Gives the sessions that end: idle ones of all clients, and the client's
    /// least recently used ones above its maximum, those that are in use last.
    pub fn begin(&self, client: ClientId, id: &str, limits: &Limits) -> Vec<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.contains_key(id) {
            return Vec::new();
        }
        let now = Instant::now();
        let mut ended = take_idle(&mut all, now, limits.idle);
        let own = all.iter().filter(|(_, session)| session.client == client);
        let mut own: Vec<(bool, Instant, String)> =
            own.map(|(id, session)| (session.running > 0, session.used, id.clone())).collect();
        own.sort_unstable();
        let beyond = (own.len() + 1).saturating_sub(limits.sessions.max(1));
        for (_, _, id) in own.into_iter().take(beyond) {
            all.remove(&id);
            ended.push(id);
        }
        all.insert(id.to_owned(), Session { client, used: now, running: 0 });
        ended
    }

    /// Removes the idle sessions and gives them.
    pub fn end_idle(&self, limits: &Limits) -> Vec<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        take_idle(&mut all, Instant::now(), limits.idle)
    }

    /// Removes a session.
    pub fn end(&self, id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

fn take_idle(all: &mut HashMap<String, Session>, now: Instant, idle: Duration) -> Vec<String> {
    all.extract_if(|_, session| session.is_idle(now, idle)).map(|(id, _)| id).collect()
}

impl Drop for InUse {
    fn drop(&mut self) {
        let mut all = self.sessions.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = all.get_mut(&self.id) {
            session.running = session.running.saturating_sub(1);
            session.used = Instant::now();
        }
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
        assert!(sessions.enter(client(1), "a").is_some());
        assert_eq!(sessions.begin(client(1), "d", &limits), ["b"]);
        assert!(sessions.enter(client(1), "a").is_some() && sessions.enter(client(1), "b").is_none());
        assert!(sessions.enter(client(1), "c").is_none(), "it is another client's");
        let mut ended = sessions.begin(client(3), "e", &Limits { idle: Duration::ZERO, ..limits });
        ended.sort_unstable();
        assert_eq!(ended, ["a", "c", "d"]);
    }

    #[test]
    fn a_session_with_an_open_stream_is_not_idle_and_ends_last() {
        let limits = Limits { idle: Duration::ZERO, sessions: 2, ..Limits::default() };
        let sessions = Sessions::default();
        sessions.begin(client(1), "a", &limits);
        let open = [sessions.enter(client(1), "a"), sessions.enter(client(1), "a")];
        assert!(open.iter().all(Option::is_some) && sessions.end_idle(&limits).is_empty());
        let long = Limits { idle: Duration::MAX, ..limits };
        assert!(sessions.begin(client(1), "b", &long).is_empty());
        assert_eq!(sessions.begin(client(1), "c", &long), ["b"], "it was used last, and is not in use");
        sessions.end("c");
        let [first, last] = open;
        drop(first);
        assert!(sessions.end_idle(&limits).is_empty());
        drop(last);
        assert_eq!(sessions.end_idle(&limits), ["a"]);
    }
}
