//! Page cursors: where a page of a list ended, as a text that the caller returns for the next page. The text is opaque
//! and needs no quotes in a shell.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use inklings_domain::{calendar::moment::Moment, fact::FactKey, vault::Skip};
use inklings_ports::{
    calendar::TimelineCursor,
    fact::FactCursor,
    memory::store::{Cursor, SortKey},
    vault::store::PageCursor,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::error::CommandError;

/// A place in a list that a cursor can name.
pub trait Position: Sized {
    /// Its encoded form.
    type Encoded: Serialize + DeserializeOwned;

    /// Encodes the position.
    fn encode(&self) -> Self::Encoded;

    /// Decodes a position; `None` if it is not one.
    fn decode(encoded: Self::Encoded) -> Option<Self>;
}

/// The cursor of a position.
pub fn text(position: &impl Position) -> String {
    // These types have no form that JSON cannot express. An empty cursor would be refused when it comes back.
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(&position.encode()).unwrap_or_default())
}

/// The position that a request continues from, if it gives a cursor.
///
/// # Errors
/// [`CommandError`] of code `invalid`, field `after`, for a text that is not a cursor of this list.
pub fn after<P: Position>(text: Option<&str>) -> Result<Option<P>, CommandError> {
    let decode = |text| {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        P::decode(serde_json::from_slice(&bytes).ok()?)
    };
    let invalid = || CommandError::invalid("after", "This is not a cursor of this list.");
    text.map(|text| decode(text).ok_or_else(invalid)).transpose()
}

/// Lists by time, ties by id.
impl<I: ToString + std::str::FromStr> Position for (DateTime<Utc>, I) {
    type Encoded = (i64, String);

    fn encode(&self) -> Self::Encoded {
        (self.0.timestamp_micros(), self.1.to_string())
    }

    fn decode((micros, id): Self::Encoded) -> Option<Self> {
        Some((DateTime::from_timestamp_micros(micros)?, id.parse().ok()?))
    }
}

/// The timeline: the value of a moment and the id of an entry.
impl Position for TimelineCursor {
    type Encoded = (i64, String);

    fn encode(&self) -> Self::Encoded {
        (self.from, self.id.to_string())
    }

    fn decode((from, id): Self::Encoded) -> Option<Self> {
        Some(Self { from, id: id.parse().ok()? })
    }
}

/// Lists of pages, by title.
impl Position for PageCursor {
    type Encoded = (String, String);

    fn encode(&self) -> Self::Encoded {
        (self.title.clone(), self.id.to_string())
    }

    fn decode((title, id): Self::Encoded) -> Option<Self> {
        Some(Self { title, id: id.parse().ok()? })
    }
}

/// Lists of files that are not indexed, by path.
impl Position for Skip {
    type Encoded = (String, String);

    fn encode(&self) -> Self::Encoded {
        (self.path.clone(), self.reason.to_string())
    }

    fn decode((path, reason): Self::Encoded) -> Option<Self> {
        Some(Self { path, reason: reason.parse().ok()? })
    }
}

/// The encoded form of a sort key.
#[derive(Serialize, Deserialize)]
pub enum EncodedKey {
    /// Microseconds since 1970.
    #[serde(rename = "t")]
    Micros(i64),
    #[serde(rename = "n")]
    Number(f64),
}

/// Lists of entries.
impl Position for Cursor {
    type Encoded = (EncodedKey, String);

    fn encode(&self) -> Self::Encoded {
        let key = match self.key {
            SortKey::Time(at) => EncodedKey::Micros(at.timestamp_micros()),
            SortKey::Number(number) => EncodedKey::Number(number),
        };
        (key, self.id.to_string())
    }

    fn decode((key, id): Self::Encoded) -> Option<Self> {
        let key = match key {
            EncodedKey::Micros(micros) => SortKey::Time(DateTime::from_timestamp_micros(micros)?),
            EncodedKey::Number(number) => SortKey::Number(number),
        };
        Some(Self { key, id: id.parse().ok()? })
    }
}

/// Lists of facts.
impl Position for FactCursor {
    type Encoded = (String, String, Option<i64>, String);

    fn encode(&self) -> Self::Encoded {
        let (category, key) = (self.key.category().to_owned(), self.key.key().to_owned());
        (category, key, self.from.map(Moment::value), self.id.to_string())
    }

    fn decode((category, key, from, id): Self::Encoded) -> Option<Self> {
        Some(Self {
            key: FactKey::new(&category, &key).ok()?,
            from: from.map(Moment::from_value).transpose().ok()?,
            id: id.parse().ok()?,
        })
    }
}

/// The journals of a workspace and of the account as one list: the last row taken from each.
impl Position for [Option<u64>; 2] {
    type Encoded = Self;

    fn encode(&self) -> Self {
        *self
    }

    fn decode(encoded: Self) -> Option<Self> {
        Some(encoded)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use inklings_domain::ids::{FactId, MemoryId, RunId};
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn returns<P: Position + PartialEq + Debug>(position: &P) {
        let cursor = text(position);
        assert!(cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{cursor}");
        assert!(!cursor.starts_with('-'), "it would be read as an option: {cursor}");
        assert_eq!(after::<P>(Some(&cursor)).ok().flatten().as_ref(), Some(position));
    }

    fn refuses<P: Position>(text: &str) {
        let refused = after::<P>(Some(text)).err().expect("this is not a cursor");
        assert_eq!(refused.details.and_then(|details| details.field).as_deref(), Some("after"));
    }

    proptest! {
        #[test]
        fn a_cursor_reads_back_exactly(
            micros in 0_i64..4_000_000_000_000_000,
            id in any::<u128>(),
            importance in 0.0_f64..=1.0,
            rows in any::<[Option<u64>; 2]>(),
            words in ["[A-Za-z][A-Za-z \"é:.]{0,20}[a-z]", "[A-Za-z][A-Za-z \"é:.]{0,20}[a-z]"],
        ) {
            let at = DateTime::from_timestamp_micros(micros).expect("a valid time");
            let id = Uuid::from_u128(id);
            returns(&(at, RunId::from_uuid(id)));
            for key in [SortKey::Time(at), SortKey::Number(importance)] {
                returns(&Cursor { key, id: MemoryId::from_uuid(id) });
            }
            returns(&rows);
            if let Ok(key) = FactKey::new(&words[0], &words[1]) {
                let from = Moment::on_day(micros / 1_000_000).ok();
                returns(&FactCursor { key, from, id: FactId::from_uuid(id) });
            }
        }

        #[test]
        fn any_other_text_is_refused_with_one_error_that_names_the_argument(text in ".{0,40}") {
            refuses::<(DateTime<Utc>, RunId)>(&text);
            refuses::<Cursor>(&text);
            refuses::<FactCursor>(&text);
            refuses::<[Option<u64>; 2]>(&text);
        }
    }

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        let journal = text(&[Some(7), None]);
        refuses::<Cursor>(&journal);
        refuses::<FactCursor>(&journal);
        let id = RunId::from_uuid(Uuid::nil());
        refuses::<FactCursor>(&text(&(DateTime::<Utc>::UNIX_EPOCH, id)));
        assert!(after::<Cursor>(None).is_ok_and(|after| after.is_none()));
    }
}
