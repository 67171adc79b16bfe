//! Custom FTS5 functions: BM25 with cached entry lengths, and match highlighting.
//!
//! FTS5's own `bm25()` reads the length of every matching entry from a table and counts the frequency of each
//! word again for every query. That takes most of the time of a search. The extension API of FTS5 gives
//! access to the same index, so these functions compute the same scores from cached lengths and counts:
//!
//! - `inklings_counts(memories_fts, most)`: the number of entries that contain each phrase of the query,
//!   counted up to `most`, as comma-separated numbers;
//! - `inklings_keep(memories_fts, ticket)`: scores the row. Always 0, so a condition on it returns no rows. Collects the best
//!   scores in the ticket, which avoids sorting the matches and formatting their scores as text;
//! - `inklings_marks(memories_fts, phrases, text)`: the positions of phrases in a text, `NULL` if there are
//!   none. It needs no match, unlike FTS5's own `highlight()`. Any row of the table will do, because it uses
//!   only the tokenizer of the table.
//!
//! This is the second module of the workspace with `unsafe` code (the first is `kernels`, and `word_function` follows its rules). FTS5's interface
//! consists of C functions and pointers. The rules: no pointer from SQLite outlives the call; what is passed
//! to SQLite is freed by the destructor passed with it; nothing in a callback can panic. External query data
//! comes through a ticket (a number in a list of this module), never as a pointer through SQL.
#![allow(unsafe_code)]

use std::{
    cell::{Cell, RefCell},
    ffi::{CStr, c_char, c_int, c_void},
    ops::Range,
    sync::{
        Arc, PoisonError,
        atomic::{AtomicU16, Ordering},
    },
};

use inklings_domain::unspaced::single;
use libsqlite3_sys::{
    FTS5_TOKEN_COLOCATED, Fts5Context, Fts5ExtensionApi, Fts5PhraseIter, SQLITE_DONE, SQLITE_ERROR,
    SQLITE_NOMEM, SQLITE_OK, SQLITE_TRANSIENT, fts5_api, fts5_extension_function, sqlite3,
    sqlite3_bind_pointer, sqlite3_context, sqlite3_finalize, sqlite3_prepare_v2, sqlite3_result_error_code,
    sqlite3_result_int, sqlite3_result_null, sqlite3_result_text, sqlite3_step, sqlite3_value,
    sqlite3_value_bytes, sqlite3_value_int64, sqlite3_value_text,
};
use sqlx::SqliteConnection;

use super::{
    highlight::{self, Beginnings, Phrase, Tokens},
    ticket::{Scored, Ticket, ticket},
    tokenizer, word_function,
};

/// Weights of the columns content, name, title, keys and reach of entries and pages. Of the columns of messages only the first one
/// scores.
const WEIGHTS: [f64; 5] = [1.0, 2.0, 3.0, 2.0, 0.0];
/// What a word adds to a score beside its frequency, by column, as a multiple of its weight as a rare word. The frequency
/// alone has a limit, which a long text that repeats a word reaches as well as the title does.
const CALLED: [f64; 5] = [0.0, 0.0, 1.0, 0.5, 0.0];
/// The constant `k1` of FTS5's own `bm25()`.
const K1: f64 = 1.2;
/// The constant `b` of FTS5's own `bm25()`.
const B: f64 = 0.75;
/// The longest token in the index, in bytes: FTS5's `FTS5_MAX_TOKEN_SIZE`.
const MOST_TOKEN: c_int = 32_768;
/// The weight of a word that occurs in half of the entries or more, as in FTS5's own `bm25()`.
const LEAST_IDF: f64 = 1e-6;

/// Registers the functions and the tokenizer on a connection.
///
/// # Errors
/// If the file cannot be read, if SQLite was built without FTS5, or if it is out of memory.
pub async fn register(conn: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    // FTS5's interface comes from a statement, and the first statement reads the file.
    sqlx::query("SELECT count(*) FROM sqlite_schema").fetch_one(&mut *conn).await?;
    let mut handle = conn.lock_handle().await?;
    let db = handle.as_raw_handle().as_ptr();
    // SAFETY: the handle is that of an open connection, which is locked for us until `handle` goes.
    let done = unsafe {
        api_of(db).is_some_and(|api| {
            tokenizer::create(api)
                && create(api, c"inklings_keep", Some(keep))
                && create(api, c"inklings_counts", Some(counts))
                && create(api, c"inklings_marks", Some(marks))
                && word_function::create(db)
        })
    };
    if done { Ok(()) } else { Err(sqlx::Error::Configuration("SQLite takes no functions".into())) }
}

/// Gets FTS5's interface the way its documentation describes.
///
/// # Safety
/// `db` must be an open connection that nobody else uses meanwhile.
unsafe fn api_of(db: *mut sqlite3) -> Option<*mut fts5_api> {
    let mut statement = std::ptr::null_mut();
    let mut api: *mut fts5_api = std::ptr::null_mut();
    // SAFETY: the SQL ends in NUL; `api` outlives the statement, which is finalised before it is read.
    unsafe {
        let sql = c"SELECT fts5(?1)";
        if sqlite3_prepare_v2(db, sql.as_ptr(), -1, &raw mut statement, std::ptr::null_mut()) != SQLITE_OK {
            return None;
        }
        sqlite3_bind_pointer(statement, 1, (&raw mut api).cast(), c"fts5_api_ptr".as_ptr(), None);
        sqlite3_step(statement);
        sqlite3_finalize(statement);
    }
    (!api.is_null()).then_some(api)
}

/// # Safety
/// `api` must be FTS5's interface of an open connection.
unsafe fn create(api: *mut fts5_api, name: &CStr, function: fts5_extension_function) -> bool {
    // SAFETY: as the caller promises; the name ends in NUL and is copied by FTS5.
    unsafe {
        (*api).xCreateFunction.is_some_and(|create| {
            create(api, name.as_ptr(), std::ptr::null_mut(), function, None) == SQLITE_OK
        })
    }
}

/// State of `inklings_keep` that lasts for one query.
struct State {
    number: i64,
    ticket: Arc<Ticket>,
    idf: Vec<f64>,
    /// `K1 * B / average length`.
    per_word: f64,
    /// Scores below this are not among the best.
    bar: Cell<f64>,
    /// Frequencies of the current row, reused so that a row allocates nothing.
    frequencies: RefCell<Vec<f32>>,
    /// True once there are too many matches to record.
    full: Cell<bool>,
}

/// State of `inklings_marks` that lasts for one query.
struct Wanted {
    /// The phrases argument as it was passed.
    lines: Vec<u8>,
    phrases: Vec<Phrase>,
    /// Single characters of unspaced scripts, which the index has as parts of pairs only.
    characters: Vec<char>,
    beginnings: Beginnings,
}

/// The functions of the interface that this module calls. All exist since the first release of FTS5.
struct Fts {
    api: *const Fts5ExtensionApi,
    context: *mut Fts5Context,
}

impl Fts {
    /// The average length of an entry, and the number of entries.
    ///
    /// # Safety
    /// `api` and `context` must be those of the running callback. The same holds for the other methods.
    unsafe fn size(&self) -> Option<(f64, f64)> {
        let (mut entries, mut words) = (0_i64, 0_i64);
        // SAFETY: as the caller promises.
        unsafe {
            if (*self.api).xRowCount?(self.context, &raw mut entries) != SQLITE_OK
                || (*self.api).xColumnTotalSize?(self.context, -1, &raw mut words) != SQLITE_OK
            {
                return None;
            }
        }
        Some((words as f64 / entries.max(1) as f64, entries as f64))
    }

    unsafe fn length(&self, lengths: &[AtomicU16]) -> Option<f64> {
        // SAFETY: as the caller promises.
        let seq = unsafe { (*self.api).xRowid?(self.context) };
        let known = usize::try_from(seq).ok().and_then(|seq| lengths.get(seq));
        match known.map(|length| length.load(Ordering::Relaxed)) {
            Some(length) if length > 0 => Some(f64::from(length)),
            _ => {
                let mut words: c_int = 0;
                // SAFETY: as the caller promises.
                if unsafe { (*self.api).xColumnSize?(self.context, -1, &raw mut words) } != SQLITE_OK {
                    return None;
                }
                if let (Some(known), Ok(words)) = (known, u16::try_from(words)) {
                    known.store(words, Ordering::Relaxed);
                }
                Some(f64::from(words))
            }
        }
    }

    /// The frequency of a phrase in the entry, weighted by column, and the highest value of [`CALLED`] among its columns.
    unsafe fn frequency(&self, phrase: c_int) -> Option<(f64, f64)> {
        let mut places = Fts5PhraseIter { a: std::ptr::null(), b: std::ptr::null() };
        let (mut column, mut offset): (c_int, c_int) = (-1, -1);
        let (mut frequency, mut called): (f64, f64) = (0.0, 0.0);
        // SAFETY: as the caller promises; `places` is used for this phrase and this row alone.
        unsafe {
            let first = (*self.api).xPhraseFirst?;
            let next = (*self.api).xPhraseNext?;
            if first(self.context, phrase, &raw mut places, &raw mut column, &raw mut offset) != SQLITE_OK {
                return None;
            }
            while let Ok(at) = usize::try_from(column) {
                frequency += WEIGHTS.get(at).copied().unwrap_or(0.0);
                called = called.max(CALLED.get(at).copied().unwrap_or(0.0));
                next(self.context, &raw mut places, &raw mut column, &raw mut offset);
            }
        }
        Some((frequency, called))
    }

    /// The state of the running query, created on its first row. Owned by FTS5, which drops it with the
    /// query.
    unsafe fn state(&self, number: i64) -> Option<&State> {
        // SAFETY: as the caller promises. The only auxiliary data of this function is a `State` that was put there
        // below, and FTS5 keeps it until it is replaced or the query ends, both after this callback.
        unsafe {
            let stored = (*self.api).xGetAuxdata?(self.context, 0).cast::<State>();
            if let Some(state) = stored.as_ref().filter(|state| state.number == number) {
                return Some(state);
            }
            let ticket = ticket(number)?;
            let (average, entries) = self.size()?;
            let idf = |count: &i64| ((entries - *count as f64 + 0.5) / (*count as f64 + 0.5)).ln();
            let idf = ticket.counts.iter().map(idf).map(|idf| if idf > 0.0 { idf } else { LEAST_IDF });
            let idf = idf.collect();
            let bar = Cell::new(f64::NEG_INFINITY);
            let state = State {
                number,
                ticket,
                idf,
                per_word: K1 * B / average,
                bar,
                frequencies: RefCell::default(),
                full: Cell::new(false),
            };
            let state = Box::into_raw(Box::new(state));
            // On failure FTS5 has called the destructor already.
            let set = (*self.api).xSetAuxdata?(self.context, state.cast(), Some(drop_state));
            if set == SQLITE_OK { state.as_ref() } else { None }
        }
    }

    unsafe fn score(&self, state: &State) -> Option<f64> {
        // SAFETY: as the caller promises.
        unsafe {
            let dampening = K1 * (1.0 - B) + state.per_word * self.length(&state.ticket.lengths)?;
            let mut score = 0.0;
            let mut frequencies = state.frequencies.borrow_mut();
            frequencies.clear();
            for (phrase, idf) in (0..).zip(&state.idf) {
                let (frequency, called) = self.frequency(phrase)?;
                if frequency > 0.0 {
                    score += idf * (called + (frequency * (K1 + 1.0)) / (frequency + dampening));
                }
                frequencies.push(frequency as f32);
            }
            if !state.full.get() {
                let seq = (*self.api).xRowid?(self.context);
                let mut matches = state.ticket.matches.lock().unwrap_or_else(PoisonError::into_inner);
                state.full.set(!matches.record(seq, score, &frequencies, &state.idf));
            }
            Some(score)
        }
    }

    unsafe fn keep(&self, state: &State) -> Option<()> {
        // SAFETY: as the caller promises.
        let scored = unsafe { Scored { score: self.score(state)?, seq: (*self.api).xRowid?(self.context) } };
        if scored.score >= state.bar.get() {
            let mut best = state.ticket.best.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(bar) = best.offer(scored) {
                state.bar.set(bar);
            }
        }
        Some(())
    }

    /// Tokenizes a text with the tokenizer of the index.
    unsafe fn tokens(&self, text: &[u8]) -> Option<Tokens> {
        let mut tokens = Tokens::default();
        let bytes = c_int::try_from(text.len()).ok()?;
        // SAFETY: as the caller promises; the text and the tokens outlive the call that they are given to.
        let done = unsafe {
            let (text, tokens) = (text.as_ptr().cast::<c_char>(), (&raw mut tokens).cast());
            (*self.api).xTokenize?(self.context, text, bytes, tokens, Some(one_token))
        };
        (done == SQLITE_OK).then_some(tokens)
    }

    /// The phrases of the running query, parsed on its first row. Owned by FTS5, which drops it with the
    /// query.
    unsafe fn wanted(&self, lines: &[u8]) -> Option<&Wanted> {
        // SAFETY: as the caller promises. The only auxiliary data of this function is a `Wanted` that was put there below,
        // and FTS5 keeps it until it is replaced or the query ends, both after this callback.
        unsafe {
            let stored = (*self.api).xGetAuxdata?(self.context, 0).cast::<Wanted>();
            if let Some(wanted) = stored.as_ref().filter(|wanted| wanted.lines == lines) {
                return Some(wanted);
            }
            let phrase = |line: &[u8]| {
                let (prefix, words) = line.split_first()?;
                Some(Phrase { words: self.tokens(words)?, prefix: *prefix == b'1' })
            };
            let (mut phrases, mut characters) = (Vec::new(), Vec::new());
            for line in lines.split(|byte| *byte == b'\n') {
                match std::str::from_utf8(line.get(1..)?).ok().and_then(single) {
                    Some(character) => characters.push(character),
                    None => phrases.push(phrase(line)?),
                }
            }
            let beginnings = Beginnings::of(&phrases);
            let wanted = Wanted { lines: lines.to_owned(), phrases, characters, beginnings };
            let wanted = Box::into_raw(Box::new(wanted));
            // On failure FTS5 has called the destructor already.
            let set = (*self.api).xSetAuxdata?(self.context, wanted.cast(), Some(drop_wanted));
            if set == SQLITE_OK { wanted.as_ref() } else { None }
        }
    }

    /// Returns the positions of phrases in a text.
    unsafe fn marks(&self, lines: &[u8], text: &[u8]) -> Option<String> {
        // SAFETY: as the caller promises.
        unsafe {
            let wanted = self.wanted(lines)?;
            let words = match highlight::ascii_words(text) {
                Some(words) => self.tokens_beginning(text, words, &wanted.beginnings)?,
                None => self.tokens(text)?,
            };
            let ranges = words.find(&wanted.phrases);
            Some(highlight::written(&highlight::with_characters(ranges, text, &wanted.characters)))
        }
    }

    /// Like [`Self::tokens`], for a text with known word ranges. Words that cannot match any phrase by their
    /// first letters are left empty and not stemmed. That is most words, and stemming them would take nearly
    /// all of the time.
    unsafe fn tokens_beginning(
        &self,
        text: &[u8],
        words: impl Iterator<Item = Range<usize>>,
        beginnings: &Beginnings,
    ) -> Option<Tokens> {
        let mut tokens = Tokens::default();
        for range in words {
            let word = text.get(range.clone())?;
            if beginnings.may_begin(word) {
                // SAFETY: as the caller promises.
                tokens.push_word(&unsafe { self.tokens(word)? }, range);
            } else {
                tokens.push(&[], range);
            }
        }
        Some(tokens)
    }
}

/// # Safety
/// `text` must point to `bytes` bytes that are not changed during `'t`, or be null.
const unsafe fn slice<'t>(text: *const u8, bytes: c_int) -> &'t [u8] {
    if text.is_null() || bytes <= 0 {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(text, bytes.unsigned_abs() as usize) }
}

unsafe extern "C" fn one_token(
    tokens: *mut c_void,
    flags: c_int,
    word: *const c_char,
    bytes: c_int,
    start: c_int,
    end: c_int,
) -> c_int {
    // SAFETY: FTS5 hands through the pointer that `tokens` gave to `xTokenize`, which has not returned yet, and a word
    // of so many bytes that is there until this returns.
    unsafe {
        // FTS5 truncates longer words at this length, in texts and in queries.
        let word = slice(word.cast(), bytes.min(MOST_TOKEN));
        let range = start.unsigned_abs() as usize..end.unsigned_abs() as usize;
        // A second word at the place of the first would be taken for the one after it.
        if flags & FTS5_TOKEN_COLOCATED == 0 {
            (*tokens.cast::<Tokens>()).push(word, range);
        }
    }
    SQLITE_OK
}

unsafe extern "C" fn drop_state(state: *mut c_void) {
    // SAFETY: FTS5 calls this once, with what `Box::into_raw` gave in `state`.
    drop(unsafe { Box::from_raw(state.cast::<State>()) });
}

unsafe extern "C" fn drop_wanted(wanted: *mut c_void) {
    // SAFETY: as for `drop_state`, with what it gave in `wanted`.
    drop(unsafe { Box::from_raw(wanted.cast::<Wanted>()) });
}

/// The first argument after the table.
///
/// # Safety
/// `values` must point to `count` values of the running callback.
unsafe fn argument(count: c_int, values: *mut *mut sqlite3_value) -> i64 {
    // SAFETY: as the caller promises, and there is at least one.
    if count < 1 { 0 } else { unsafe { sqlite3_value_int64(*values) } }
}

unsafe extern "C" fn keep(
    api: *const Fts5ExtensionApi,
    context: *mut Fts5Context,
    result: *mut sqlite3_context,
    count: c_int,
    values: *mut *mut sqlite3_value,
) {
    // SAFETY: as for `bm25`.
    unsafe {
        let fts = Fts { api, context };
        match fts.state(argument(count, values)).and_then(|state| fts.keep(state)) {
            Some(()) => sqlite3_result_int(result, 0),
            None => sqlite3_result_error_code(result, SQLITE_ERROR),
        }
    }
}

unsafe extern "C" fn marks(
    api: *const Fts5ExtensionApi,
    context: *mut Fts5Context,
    result: *mut sqlite3_context,
    count: c_int,
    values: *mut *mut sqlite3_value,
) {
    // SAFETY: as for `bm25`; the text of an argument stays until it is converted or this returns.
    unsafe {
        let text = |n: c_int| {
            let value = usize::try_from(n).ok().filter(|_| n < count).map(|n| *values.add(n));
            value.map_or(&[][..], |value| {
                let text = sqlite3_value_text(value);
                slice(text, sqlite3_value_bytes(value))
            })
        };
        match (Fts { api, context }).marks(text(0), text(1)) {
            Some(marks) if marks.is_empty() => sqlite3_result_null(result),
            Some(marks) => return_text(result, &marks),
            None => sqlite3_result_error_code(result, SQLITE_ERROR),
        }
    }
}

/// # Safety
/// `result` must be that of the running callback.
unsafe fn return_text(result: *mut sqlite3_context, text: &str) {
    // SAFETY: as the caller promises; SQLite copies the text before this returns.
    unsafe {
        match c_int::try_from(text.len()) {
            Ok(bytes) => sqlite3_result_text(result, text.as_ptr().cast(), bytes, SQLITE_TRANSIENT()),
            Err(_) => sqlite3_result_error_code(result, SQLITE_NOMEM),
        }
    }
}

/// Counts up to a limit.
struct Counter {
    count: i64,
    most: i64,
}

unsafe extern "C" fn count_one(
    _: *const Fts5ExtensionApi,
    _: *mut Fts5Context,
    counter: *mut c_void,
) -> c_int {
    // SAFETY: FTS5 hands through the pointer that `counts` gave to `xQueryPhrase`, which has not returned yet.
    let counter = unsafe { &mut *counter.cast::<Counter>() };
    counter.count += 1;
    if counter.count >= counter.most { SQLITE_DONE } else { SQLITE_OK }
}

unsafe extern "C" fn counts(
    api: *const Fts5ExtensionApi,
    context: *mut Fts5Context,
    result: *mut sqlite3_context,
    count: c_int,
    values: *mut *mut sqlite3_value,
) {
    // SAFETY: as for `bm25`.
    unsafe {
        match count_phrases(&Fts { api, context }, argument(count, values)) {
            Some(list) => return_text(result, &list),
            None => sqlite3_result_error_code(result, SQLITE_ERROR),
        }
    }
}

/// # Safety
/// As for the methods of [`Fts`].
unsafe fn count_phrases(fts: &Fts, most: i64) -> Option<String> {
    // SAFETY: as the caller promises; the counter outlives the call that it is given to.
    unsafe {
        let phrases = (*fts.api).xPhraseCount?(fts.context);
        let query = (*fts.api).xQueryPhrase?;
        let mut list = Vec::new();
        for phrase in 0..phrases {
            let mut counter = Counter { count: 0, most };
            if query(fts.context, phrase, (&raw mut counter).cast(), Some(count_one)) != SQLITE_OK {
                return None;
            }
            list.push(counter.count.to_string());
        }
        Some(list.join(","))
    }
}
