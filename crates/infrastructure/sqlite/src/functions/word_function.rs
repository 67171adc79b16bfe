//! The SQL function that compares the codes of words. The codes stay in SQLite: sqlx copies each value of a row by itself (ADR 37),
//! which takes longer than to compare it.
//!
//! `inklings_differing_bits(query, dimension, seq, codes)` is an aggregate over texts. For each text it gives the row number, and for
//! each word of the query the number of bits in which it differs from the nearest word of the text. All are in one blob, which
//! [`Compared`] reads. Texts whose codes are not of this dimension are left out.
//!
//! This module has `unsafe` code for the interface of SQLite, by the rules of `scoring`.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};

use inklings_domain::memory::word_codes::WordCodes;
use libsqlite3_sys::{
    SQLITE_DETERMINISTIC, SQLITE_DIRECTONLY, SQLITE_OK, SQLITE_TRANSIENT, SQLITE_UTF8, sqlite3,
    sqlite3_aggregate_context, sqlite3_context, sqlite3_create_function_v2, sqlite3_result_blob,
    sqlite3_result_null, sqlite3_value, sqlite3_value_blob, sqlite3_value_bytes, sqlite3_value_int,
    sqlite3_value_int64,
};

use crate::vector::kernels::Kernel;

/// Bytes of a row number in the answer.
const SEQ: usize = size_of::<i64>();
/// Bytes of a number of bits in the answer.
const BITS: usize = size_of::<u32>();

/// Reads the answer of the function.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    answer: &'a [u8],
    words: usize,
}

impl<'a> Compared<'a> {
    /// The answer for a query of so many words.
    pub const fn new(answer: &'a [u8], words: usize) -> Self {
        Self { answer, words }
    }

    /// The row number of each text, and the bits in which each word of the query differs from its nearest.
    pub fn each(self) -> impl Iterator<Item = (i64, impl Iterator<Item = u32>)> {
        self.answer.chunks_exact(SEQ + BITS * self.words).filter_map(|text| {
            let (seq, differing) = text.split_first_chunk()?;
            let differing = differing.as_chunks().0.iter().map(|bits| u32::from_le_bytes(*bits));
            Some((i64::from_le_bytes(*seq), differing))
        })
    }
}

/// Registers the function. False if SQLite does not take it.
///
/// # Safety
/// `db` must be an open connection that nobody else uses meanwhile.
pub unsafe fn create(db: *mut sqlite3) -> bool {
    let name = c"inklings_differing_bits";
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    // SAFETY: as the caller promises; the name ends in NUL and is copied, and there is no data to free.
    let done = unsafe {
        sqlite3_create_function_v2(
            db,
            name.as_ptr(),
            4,
            flags,
            std::ptr::null_mut::<c_void>(),
            None,
            Some(step),
            Some(finish),
            None,
        )
    };
    done == SQLITE_OK
}

/// What one call of the aggregate has so far.
struct Comparison {
    kernel: Kernel,
    query: WordCodes,
    /// The codes of the text that is compared; reused for each.
    text: WordCodes,
    differing: Vec<u32>,
    answer: Vec<u8>,
}

impl Comparison {
    fn add(&mut self, seq: i64, codes: &[u8]) {
        if !self.text.replace(codes, self.query.dimension()) || self.text.is_empty() {
            return;
        }
        self.differing.clear();
        self.kernel.differing_bits(&self.query, &self.text, &mut self.differing);
        self.answer.extend(seq.to_le_bytes());
        self.answer.extend(self.differing.iter().flat_map(|bits| bits.to_le_bytes()));
    }
}

/// # Safety
/// Called by SQLite for each row, with four values that live until the call ends.
unsafe extern "C" fn step(context: *mut sqlite3_context, count: c_int, values: *mut *mut sqlite3_value) {
    if count != 4 {
        return;
    }
    // SAFETY: SQLite passes as many values as the function was registered with. The memory of the context is zeroed at first, is
    // as large as a pointer, and holds nothing but the pointer that is put there below, until `finish` takes it.
    unsafe {
        let slot = sqlite3_aggregate_context(context, size_of::<*mut Comparison>() as c_int)
            .cast::<*mut Comparison>();
        if slot.is_null() {
            return;
        }
        if (*slot).is_null() {
            let dimension = usize::try_from(sqlite3_value_int(*values.add(1))).unwrap_or(0);
            let Some(query) = bytes(*values).and_then(|bytes| WordCodes::read(bytes, dimension)) else {
                return;
            };
            let comparison = Comparison {
                kernel: Kernel::detect(),
                query,
                text: WordCodes::default(),
                differing: Vec::new(),
                answer: Vec::new(),
            };
            *slot = Box::into_raw(Box::new(comparison));
        }
        if let Some((comparison, codes)) = (*slot).as_mut().zip(bytes(*values.add(3))) {
            comparison.add(sqlite3_value_int64(*values.add(2)), codes);
        }
    }
}

/// # Safety
/// Called by SQLite once for each context that `step` was called with, also if the query ends early.
unsafe extern "C" fn finish(context: *mut sqlite3_context) {
    // SAFETY: the context holds a pointer from `step` or nothing, and is not used again. SQLite copies the blob before it returns.
    unsafe {
        let slot = sqlite3_aggregate_context(context, 0).cast::<*mut Comparison>();
        let comparison = slot.as_mut().map(|slot| std::mem::replace(slot, std::ptr::null_mut()));
        let Some(comparison) = comparison.filter(|comparison| !comparison.is_null()) else {
            sqlite3_result_null(context);
            return;
        };
        let answer = Box::from_raw(comparison).answer;
        match c_int::try_from(answer.len()) {
            Ok(length) => {
                sqlite3_result_blob(context, answer.as_ptr().cast(), length, SQLITE_TRANSIENT());
            }
            Err(_) => sqlite3_result_null(context),
        }
    }
}

/// # Safety
/// The value must be valid for as long as the bytes are used.
unsafe fn bytes<'v>(value: *mut sqlite3_value) -> Option<&'v [u8]> {
    // SAFETY: SQLite's blob is valid until the value changes; its length belongs to it.
    unsafe {
        let start = sqlite3_value_blob(value).cast::<u8>();
        let length = usize::try_from(sqlite3_value_bytes(value)).ok()?;
        (!start.is_null() && length > 0).then(|| std::slice::from_raw_parts(start, length))
    }
}
