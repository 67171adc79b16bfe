//! The event stream of an answer, with limits on size and waiting time.

use std::error::Error as StdError;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use reqwest::Response;
use sse_stream::{Sse, SseByteStream};

use crate::client::Patience;

/// Maximum length of a line in bytes; far longer than any piece of an answer.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// Maximum size of an answer in bytes as received.
pub(crate) const LONGEST_ANSWER: usize = 8 << 20;

/// Maximum waiting time for data after the end of an answer (its usage).
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The reason a stream ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The connection was lost.
    Broken,
    /// The timeout expired.
    Stalled,
    /// A line was longer than [`LONGEST_LINE`].
    LongLine,
    /// The answer was longer than [`LONGEST_ANSWER`].
    LongAnswer,
    /// The data was not UTF-8.
    Garbled,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl StdError for Cut {}

/// The phase of an answer, which selects the timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    /// No piece has arrived.
    Awaited = 0,
    /// Pieces are arriving.
    Running = 1,
    /// The model has stopped; only the usage may follow.
    Ending = 2,
}

/// The events of one answer. Dropping it closes the connection.
pub(crate) struct Events {
    inner: Pin<Box<dyn Stream<Item = Result<Sse, sse_stream::Error>> + Send>>,
    phase: Arc<AtomicU8>,
}

impl Events {
    pub fn of(response: Response, patience: Patience) -> Self {
        let phase = Arc::new(AtomicU8::new(Phase::Awaited as u8));
        let bytes = Body { response, patience, phase: Arc::clone(&phase), line: 0, whole: 0 };
        let bytes = stream::unfold(bytes, |mut body| async move {
            let next = body.next().await?;
            Some((next, body))
        });
        Self { inner: Box::pin(SseByteStream::new(Box::pin(bytes))), phase }
    }

    /// Sets the phase.
    pub fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// The next event; `None` when the endpoint has closed the stream normally.
    pub async fn next(&mut self) -> Option<Result<Sse, Cut>> {
        let error = match self.inner.next().await? {
            Ok(event) => return Some(Ok(event)),
            Err(error) => error,
        };
        Some(Err(match error {
            sse_stream::Error::Body(cause) => cause.downcast_ref().copied().unwrap_or(Cut::Broken),
            _ => Cut::Garbled,
        }))
    }
}

/// The bytes of a body. Limits are enforced here, because the parser has none.
struct Body {
    response: Response,
    patience: Patience,
    phase: Arc<AtomicU8>,
    line: usize,
    whole: usize,
}

impl Body {
    async fn next(&mut self) -> Option<Result<Bytes, Cut>> {
        let phase = self.phase.load(Ordering::Relaxed);
        let limit = if phase == Phase::Awaited as u8 {
            self.patience.first_byte
        } else if phase == Phase::Running as u8 {
            self.patience.between
        } else {
            self.patience.between.min(LAST_WORDS)
        };
        let bytes = match tokio::time::timeout(limit, self.response.chunk()).await {
            Err(_) => return Some(Err(Cut::Stalled)),
            Ok(Err(_)) => return Some(Err(Cut::Broken)),
            Ok(Ok(chunk)) => chunk?,
        };
        Some(self.count(&bytes).map(|()| bytes))
    }

    fn count(&mut self, bytes: &[u8]) -> Result<(), Cut> {
        self.whole += bytes.len();
        if self.whole > LONGEST_ANSWER {
            return Err(Cut::LongAnswer);
        }
        let mut lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
        self.line += lines.next().map_or(0, <[u8]>::len);
        let mut longest = self.line;
        for line in lines {
            self.line = line.len();
            longest = longest.max(self.line);
        }
        if longest > LONGEST_LINE { Err(Cut::LongLine) } else { Ok(()) }
    }
}
