//! Tickets: the data of a query that a function inside SQLite needs, and what it collects. They are known by numbers, so that
//! no pointer goes through SQL.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, AtomicU16, Ordering},
    },
};

use super::matches::Matches;

/// Length in words of every entry, indexed by row number; 0 if not known yet.
pub type Lengths = Arc<[AtomicU16]>;

/// The external data of one query.
#[derive(Debug)]
pub struct Ticket {
    pub lengths: Lengths,
    /// The number of entries that contain each phrase of the text, in the order of the expression. The
    /// phrases after these only narrow the search and do not score.
    pub counts: Vec<i64>,
    pub best: Mutex<Best>,
    pub matches: Mutex<Matches>,
}

/// A match with its score; higher is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The entry's row number.
    pub seq: i64,
    /// BM25 score, positive.
    pub score: f64,
}

impl Scored {
    /// Orders best first; ties newest first.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        other.score.total_cmp(&self.score).then_with(|| other.seq.cmp(&self.seq))
    }
}

/// The best matches so far. Collects up to twice the requested number, then drops the worse half.
#[derive(Debug, Default)]
pub struct Best {
    most: usize,
    found: Vec<Scored>,
}

impl Best {
    /// Adds a match. Returns the score below which no more matches need to be offered, once there is one.
    pub fn offer(&mut self, scored: Scored) -> Option<f64> {
        self.found.push(scored);
        if self.found.len() < self.most.max(1).saturating_mul(2) {
            return None;
        }
        let (_, worst, _) = self.found.select_nth_unstable_by(self.most.max(1) - 1, Scored::order);
        let bar = worst.score;
        self.found.truncate(self.most);
        Some(bar)
    }
}

static TICKETS: Mutex<Option<HashMap<i64, Arc<Ticket>>>> = Mutex::new(None);
static NEXT: AtomicI64 = AtomicI64::new(1);

/// Keeps a ticket valid while its query runs.
#[derive(Debug)]
pub struct TicketGuard(i64);

impl TicketGuard {
    /// Creates a ticket for a query, from the entry lengths and the entry count of each phrase.
    pub fn new(lengths: Lengths, counts: Vec<i64>) -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut tickets = TICKETS.lock().unwrap_or_else(PoisonError::into_inner);
        let ticket = Ticket { lengths, counts, best: Mutex::default(), matches: Mutex::default() };
        tickets.get_or_insert_default().insert(number, Arc::new(ticket));
        Self(number)
    }

    /// Sets how many matches of the next query `inklings_keep` retains.
    pub fn keep_best(&self, most: usize) {
        if let Some(ticket) = ticket(self.0) {
            *ticket.best.lock().unwrap_or_else(PoisonError::into_inner) = Best { most, found: Vec::new() };
        }
    }

    /// Returns the retained matches, best first, ties newest first.
    pub fn best(&self) -> Vec<Scored> {
        let Some(ticket) = ticket(self.0) else { return Vec::new() };
        let Best { most, mut found } =
            std::mem::take(&mut *ticket.best.lock().unwrap_or_else(PoisonError::into_inner));
        found.sort_unstable_by(Scored::order);
        found.truncate(most);
        found
    }

    /// Returns everything that was scored. Call it once, after the query.
    pub fn matches(&self) -> Matches {
        let Some(ticket) = ticket(self.0) else { return Matches::default() };
        let mut matches = std::mem::take(&mut *ticket.matches.lock().unwrap_or_else(PoisonError::into_inner));
        matches.sort();
        matches
    }

    /// The ticket argument of `inklings_keep`.
    pub const fn number(&self) -> i64 {
        self.0
    }
}

impl Drop for TicketGuard {
    fn drop(&mut self) {
        let mut tickets = TICKETS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tickets) = tickets.as_mut() {
            tickets.remove(&self.0);
        }
    }
}

/// The ticket with this number, while its guard lives.
pub fn ticket(number: i64) -> Option<Arc<Ticket>> {
    let tickets = TICKETS.lock().unwrap_or_else(PoisonError::into_inner);
    tickets.as_ref()?.get(&number).map(Arc::clone)
}
