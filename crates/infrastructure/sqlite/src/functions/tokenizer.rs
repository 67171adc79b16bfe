//! The tokenizer of the full-text indexes, `inklings`: stemmed words (`porter unicode61 remove_diacritics 2`), and the pairs
//! of neighbouring characters where a script has no spaces between words (ADR 36).
//!
//! Phrases of a query are cut in the same way, so a phrase finds its characters in their order. The last character of a
//! run also stands alone, at the place of the last pair, so that the prefix search for one character finds it.
//!
//! The rules for `unsafe` are those of `scoring`: no pointer from SQLite outlives the call, except for those that FTS5
//! keeps until it calls the destructor, and nothing in a callback can panic.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};

use inklings_domain::unspaced::{pairs, segments};
use libsqlite3_sys::{
    FTS5_TOKEN_COLOCATED, FTS5_TOKENIZE_QUERY, Fts5Tokenizer, SQLITE_ERROR, SQLITE_OK, fts5_api,
    fts5_tokenizer,
};

/// The name in the schema.
const NAME: &CStr = c"inklings";
/// The tokenizer of all other scripts, and its arguments.
const WORDS: &CStr = c"porter";
const ARGUMENTS: [&CStr; 3] = [c"unicode61", c"remove_diacritics", c"2"];
/// The first byte of the characters of unspaced scripts in UTF-8 is this one or a later one.
const FIRST_BYTE: u8 = 0xE0;

type Emit = Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, c_int, c_int, c_int) -> c_int>;

/// The tokenizer of words, as FTS5 gives it.
struct Words {
    data: *mut c_void,
    functions: fts5_tokenizer,
}

/// One instance, for one table.
struct Instance {
    words: *mut Fts5Tokenizer,
    functions: fts5_tokenizer,
}

/// Where the tokens of a segment go.
struct Shifted {
    context: *mut c_void,
    emit: Emit,
    /// The first byte of the segment in the text.
    start: c_int,
}

/// Makes the tokenizer known to a connection.
///
/// # Safety
/// `api` must be FTS5's interface of an open connection that nobody else uses meanwhile.
pub unsafe fn create(api: *mut fts5_api) -> bool {
    let mut functions = fts5_tokenizer { xCreate: None, xDelete: None, xTokenize: None };
    let mut data = std::ptr::null_mut();
    // SAFETY: as the caller promises; what is boxed is freed by the destructor, or here if FTS5 takes no tokenizer.
    unsafe {
        let (Some(find), Some(create)) = ((*api).xFindTokenizer, (*api).xCreateTokenizer) else {
            return false;
        };
        if find(api, WORDS.as_ptr(), &raw mut data, &raw mut functions) != SQLITE_OK {
            return false;
        }
        let words = Box::into_raw(Box::new(Words { data, functions }));
        let mut own = fts5_tokenizer {
            xCreate: Some(create_instance),
            xDelete: Some(delete_instance),
            xTokenize: Some(tokenize),
        };
        let created = create(api, NAME.as_ptr(), words.cast(), &raw mut own, Some(drop_words)) == SQLITE_OK;
        if !created {
            drop(Box::from_raw(words));
        }
        created
    }
}

unsafe extern "C" fn drop_words(words: *mut c_void) {
    // SAFETY: FTS5 calls this once, with what `Box::into_raw` gave in `create`.
    drop(unsafe { Box::from_raw(words.cast::<Words>()) });
}

unsafe extern "C" fn create_instance(
    data: *mut c_void,
    _: *mut *const c_char,
    _: c_int,
    out: *mut *mut Fts5Tokenizer,
) -> c_int {
    let mut words = std::ptr::null_mut();
    let mut arguments = ARGUMENTS.map(CStr::as_ptr);
    // SAFETY: the data is that of `create`; `out` is FTS5's and takes the instance, which `delete_instance` frees.
    unsafe {
        let Words { data, functions } = &*data.cast::<Words>();
        let Some(create) = functions.xCreate else { return SQLITE_ERROR };
        let created = create(*data, arguments.as_mut_ptr(), arguments.len() as c_int, &raw mut words);
        if created == SQLITE_OK {
            *out = Box::into_raw(Box::new(Instance { words, functions: *functions })).cast();
        }
        created
    }
}

unsafe extern "C" fn delete_instance(instance: *mut Fts5Tokenizer) {
    // SAFETY: FTS5 calls this once, with what `create_instance` gave.
    unsafe {
        let instance = Box::from_raw(instance.cast::<Instance>());
        if let Some(delete) = instance.functions.xDelete {
            delete(instance.words);
        }
    }
}

unsafe extern "C" fn tokenize(
    instance: *mut Fts5Tokenizer,
    context: *mut c_void,
    flags: c_int,
    text: *const c_char,
    bytes: c_int,
    emit: Emit,
) -> c_int {
    // SAFETY: FTS5 gives an instance of `create_instance` and a text of so many bytes, which is there until this returns.
    unsafe {
        let instance = &*instance.cast::<Instance>();
        let Some(words) = instance.functions.xTokenize else { return SQLITE_ERROR };
        let length = usize::try_from(bytes).unwrap_or(0);
        let whole =
            if text.is_null() { &[][..] } else { std::slice::from_raw_parts(text.cast::<u8>(), length) };
        let plain = || words(instance.words, context, flags, text, bytes, emit);
        if whole.iter().all(|byte| *byte < FIRST_BYTE) {
            return plain();
        }
        // A text that is not UTF-8 has no characters to pair.
        let (Ok(whole), Some(give)) = (std::str::from_utf8(whole), emit) else { return plain() };
        for segment in segments(whole) {
            // It ends within `bytes`, which is such a number.
            let start = segment.start as c_int;
            let done = if segment.unspaced {
                give_pairs(segment.text, start, flags, context, give)
            } else {
                let mut shifted = Shifted { context, emit, start };
                let (at, length) = (segment.text.as_ptr().cast(), segment.text.len() as c_int);
                words(instance.words, (&raw mut shifted).cast(), flags, at, length, Some(shift))
            };
            if done != SQLITE_OK {
                return done;
            }
        }
    }
    SQLITE_OK
}

/// # Safety
/// The context and the function must be those of the running call of [`tokenize`].
unsafe fn give_pairs(
    run: &str,
    start: c_int,
    flags: c_int,
    context: *mut c_void,
    give: unsafe extern "C" fn(*mut c_void, c_int, *const c_char, c_int, c_int, c_int) -> c_int,
) -> c_int {
    let token = |text: &str, at: usize, flags: c_int| {
        let (from, length) = (start + at as c_int, text.len() as c_int);
        // SAFETY: as the caller promises; FTS5 copies the token.
        unsafe { give(context, flags, text.as_ptr().cast(), length, from, from + length) }
    };
    for pair in pairs(run) {
        let at = pair.start;
        let done = token(run.get(pair).unwrap_or_default(), at, 0);
        if done != SQLITE_OK {
            return done;
        }
    }
    match run.char_indices().next_back() {
        Some((at, _)) if at > 0 && flags & FTS5_TOKENIZE_QUERY == 0 => {
            token(run.get(at..).unwrap_or_default(), at, FTS5_TOKEN_COLOCATED)
        }
        _ => SQLITE_OK,
    }
}

/// Passes a token of a segment on, with its place in the whole text.
unsafe extern "C" fn shift(
    shifted: *mut c_void,
    flags: c_int,
    token: *const c_char,
    bytes: c_int,
    start: c_int,
    end: c_int,
) -> c_int {
    // SAFETY: the tokenizer of words hands through the pointer that `tokenize` gave it, which has not returned yet.
    unsafe {
        let Shifted { context, emit, start: first } = &*shifted.cast::<Shifted>();
        emit.map_or(SQLITE_ERROR, |give| give(*context, flags, token, bytes, first + start, first + end))
    }
}
