//! The SQL function that compares the codes of words. The codes stay in SQLite: sqlx copies each value of a row by itself (ADR 37),
//! which takes longer than to compare it.
//!
//! `inklings_differing_bits(query, codes, dimension)`: for each word of a query, the number of bits in which it differs from the
//! nearest word of a text, separated by commas; `NULL` if the codes are not of this dimension.
//!
//! This module has `unsafe` code for the interface of SQLite, by the rules of `scoring`.
#![allow(unsafe_code)]

use std::{
    ffi::{c_int, c_void},
    fmt::Write as _,
};

use inklings_domain::memory::word_codes::WordCodes;
use libsqlite3_sys::{
    SQLITE_DETERMINISTIC, SQLITE_DIRECTONLY, SQLITE_OK, SQLITE_TRANSIENT, SQLITE_UTF8, sqlite3,
    sqlite3_context, sqlite3_create_function_v2, sqlite3_result_null, sqlite3_result_text, sqlite3_value,
    sqlite3_value_blob, sqlite3_value_bytes, sqlite3_value_int,
};

use super::kernels::Kernel;

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
            3,
            flags,
            std::ptr::null_mut::<c_void>(),
            Some(differing_bits),
            None,
            None,
            None,
        )
    };
    done == SQLITE_OK
}

/// # Safety
/// Called by SQLite, with three values that live until the call ends.
unsafe extern "C" fn differing_bits(
    context: *mut sqlite3_context,
    count: c_int,
    values: *mut *mut sqlite3_value,
) {
    // SAFETY: SQLite passes as many values as the function was registered with, and `count` says so.
    let answer = unsafe {
        if count == 3 { answer(*values, *values.add(1), sqlite3_value_int(*values.add(2))) } else { None }
    };
    // SAFETY: the context is that of this call; SQLite copies the text before it returns.
    unsafe {
        match answer.as_ref().and_then(|text| Some((text, c_int::try_from(text.len()).ok()?))) {
            Some((text, length)) => {
                sqlite3_result_text(context, text.as_ptr().cast(), length, SQLITE_TRANSIENT());
            }
            None => sqlite3_result_null(context),
        }
    }
}

/// # Safety
/// Both values must be valid during the call.
unsafe fn answer(query: *mut sqlite3_value, codes: *mut sqlite3_value, dimension: c_int) -> Option<String> {
    let dimension = usize::try_from(dimension).ok()?;
    // SAFETY: as the caller promises; the bytes are copied before the values change.
    let (query, text) = unsafe { (read(query, dimension)?, read(codes, dimension)?) };
    let differing = Kernel::detect().differing_bits(&query, &text);
    let mut answer = String::with_capacity(differing.len() * 4);
    for (at, bits) in differing.iter().enumerate() {
        if at > 0 {
            answer.push(',');
        }
        let _ = write!(answer, "{bits}");
    }
    Some(answer)
}

/// # Safety
/// The value must be valid during the call.
unsafe fn read(value: *mut sqlite3_value, dimension: usize) -> Option<WordCodes> {
    // SAFETY: SQLite's blob is valid until the value changes, which is after this call; its length belongs to it.
    let bytes = unsafe {
        let start = sqlite3_value_blob(value).cast::<u8>();
        let length = usize::try_from(sqlite3_value_bytes(value)).ok()?;
        if start.is_null() || length == 0 {
            return None;
        }
        std::slice::from_raw_parts(start, length)
    };
    WordCodes::read(bytes, dimension)
}
