//! Deterministic time, ids and tokens for tests.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::{Poll, Waker},
};

use chrono::{DateTime, FixedOffset, TimeDelta, TimeZone, Utc};
use futures::future::{BoxFuture, poll_fn};
use uuid::Uuid;

use super::random::Dice;
use crate::{
    client::store::{GeneratedToken, TokenGenerator},
    clock::{Clock, IdGenerator},
    store_error::StoreError,
};

/// Where [`ManualClock`] starts: 2026-03-01 12:00 UTC.
pub fn start_of_tests() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 3, 1, 12, 0, 0).single().expect("a valid time")
}

/// A clock that only moves when set. Moving it past the end of a sleep wakes the sleeper.
#[derive(Debug)]
pub struct ManualClock(Arc<Mutex<Time>>);

#[derive(Debug)]
struct Time {
    now: DateTime<Utc>,
    sleepers: Vec<Waker>,
}

fn locked(time: &Mutex<Time>) -> MutexGuard<'_, Time> {
    time.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::at(start_of_tests())
    }
}

impl ManualClock {
    /// A clock that is stopped at a time.
    pub fn at(now: DateTime<Utc>) -> Self {
        Self(Arc::new(Mutex::new(Time { now, sleepers: Vec::new() })))
    }

    /// Sets the time, forwards or backwards.
    pub fn set(&self, now: DateTime<Utc>) {
        self.change(|time| time.now = now);
    }

    /// Advances the clock (backwards for a negative span) and returns the new time.
    pub fn advance(&self, by: TimeDelta) -> DateTime<Utc> {
        self.change(|time| time.now += by)
    }

    fn change(&self, change: impl FnOnce(&mut Time)) -> DateTime<Utc> {
        let mut time = locked(&self.0);
        change(&mut time);
        let (now, sleepers) = (time.now, std::mem::take(&mut time.sleepers));
        drop(time);
        sleepers.into_iter().for_each(Waker::wake);
        now
    }

    /// Advances the clock by one second and returns the new time.
    pub fn tick(&self) -> DateTime<Utc> {
        self.advance(TimeDelta::seconds(1))
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        locked(&self.0).now
    }

    fn local(&self, at: DateTime<Utc>) -> DateTime<FixedOffset> {
        at.fixed_offset()
    }

    fn sleep(&self, span: TimeDelta) -> BoxFuture<'static, ()> {
        let (time, end) = (Arc::clone(&self.0), self.now() + span);
        Box::pin(poll_fn(move |context| {
            let mut time = locked(&time);
            if time.now >= end {
                return Poll::Ready(());
            }
            time.sleepers.push(context.waker().clone());
            Poll::Pending
        }))
    }
}

/// Ids with timestamps one millisecond apart and seeded random bits, in the format of `UUIDv7`.
#[derive(Debug)]
pub struct SequentialIds(Mutex<(u64, Dice)>);

impl Default for SequentialIds {
    fn default() -> Self {
        Self::seeded(0)
    }
}

impl SequentialIds {
    /// Ids for a seed. Different seeds give different ids with interleaved timestamps.
    pub const fn seeded(seed: u64) -> Self {
        Self(Mutex::new((0, Dice::new(seed))))
    }
}

impl IdGenerator for SequentialIds {
    fn uuid(&self) -> Uuid {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += 1;
        let millis = u128::from(start_of_tests().timestamp_millis().unsigned_abs() + state.0);
        let (high, low) = (state.1.bits() & 0xFFF, state.1.bits() >> 2);
        drop(state);
        // RFC 9562: 48 bits of milliseconds, version 7, 12 bits, variant 0b10, 62 bits.
        Uuid::from_u128(
            (millis << 80) | (7 << 76) | (u128::from(high) << 64) | (0b10 << 62) | u128::from(low),
        )
    }

    fn random_bits(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.bits()
    }
}

/// Generates counting tokens. Their hash is the token with its digits reversed.
#[derive(Debug, Default)]
pub struct CountingTokens(AtomicU64);

impl TokenGenerator for CountingTokens {
    fn token_generator(&self) -> Result<GeneratedToken, StoreError> {
        let token = format!("{:064x}", self.0.fetch_add(1, Ordering::Relaxed) + 1);
        Ok(GeneratedToken { hash: self.hash(&token), token })
    }

    fn hash(&self, token: &str) -> String {
        token.chars().rev().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_increase_and_are_of_version_7() {
        let ids = SequentialIds::seeded(9);
        let made: Vec<Uuid> = (0..1_000).map(|_| ids.uuid()).collect();
        assert!(made.is_sorted_by(|a, b| a < b));
        assert!(made.iter().all(|id| id.get_version_num() == 7));
        assert!(made.iter().all(|id| id.get_variant() == uuid::Variant::RFC4122));
    }

    #[test]
    fn the_same_seed_gives_the_same_ids() {
        let draw = |seed| (SequentialIds::seeded(seed).uuid(), SequentialIds::seeded(seed).random_bits());
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn the_manual_clock_only_moves_when_it_is_advanced() {
        let clock = ManualClock::default();
        assert_eq!(clock.now(), clock.now());
        let before = clock.now();
        assert_eq!(clock.tick() - before, TimeDelta::seconds(1));
        clock.set(before);
        assert_eq!(clock.now(), before);
    }
}
