//! Reads one streamed answer: converts events to pieces, and every kind of end to a result.

use std::collections::VecDeque;

use futures::{StreamExt, stream};
use inklings_ports::model::chat::{ChatError, ChatEvent, ChatStream};

use crate::events::{Cut, Events, Phase};
use crate::failure::Failure;
use crate::wire::{Decoder, Progress};

pub(crate) struct Answer {
    events: Events,
    decoder: Box<dyn Decoder>,
    pieces: VecDeque<ChatEvent>,
    host: String,
    begun: bool,
    over: bool,
}

impl Answer {
    /// Waits for the first piece. Until then, every failure counts as a failure of the request, which may be retried.
    pub async fn begin(events: Events, decoder: Box<dyn Decoder>, host: &str) -> Result<ChatStream, Failure> {
        let host = host.to_owned();
        let mut answer = Self { events, decoder, pieces: VecDeque::new(), host, begun: false, over: false };
        let first = answer.next().await?;
        answer.begun = true;
        let rest = stream::unfold(answer, |mut answer| async move {
            if answer.over && answer.pieces.is_empty() {
                return None;
            }
            let piece = answer.next().await.map_err(|failure| failure.error);
            answer.over |= piece.is_err();
            Some((piece, answer))
        });
        Ok(stream::iter([Ok(first)]).chain(rest).boxed())
    }

    /// The next piece. Must not be called after the end of the answer.
    async fn next(&mut self) -> Result<ChatEvent, Failure> {
        loop {
            if let Some(piece) = self.pieces.pop_front() {
                return Ok(piece);
            }
            match self.events.next().await {
                Some(Ok(event)) => {
                    let Some(data) = event.data.filter(|data| !data.is_empty()) else { continue };
                    let progress = self.decoder.read(&data, &mut self.pieces)?;
                    self.over = progress == Progress::Over;
                    if progress == Progress::Ending {
                        self.events.enter(Phase::Ending);
                    } else if !self.pieces.is_empty() {
                        self.events.enter(Phase::Running);
                    }
                }
                ended => {
                    // The model had stopped, so a later connection failure lost nothing.
                    let Some(done) = self.decoder.done() else {
                        return Err(self.broken(ended.and_then(Result::err)));
                    };
                    self.over = true;
                    self.pieces.push_back(done);
                }
            }
        }
    }

    /// The failure of a stream that ended before the model stopped.
    fn broken(&self, cut: Option<Cut>) -> Failure {
        let failure = if self.begun { Failure::permanent } else { Failure::passing };
        match cut {
            Some(Cut::Stalled) => failure(ChatError::Timeout),
            Some(Cut::LongLine | Cut::LongAnswer) => Failure::nonsense("its answer is too large"),
            Some(Cut::Garbled) => Failure::nonsense("it sent something that is not text"),
            Some(Cut::Broken) | None if self.begun => failure(ChatError::BrokenOff),
            Some(Cut::Broken) | None => {
                failure(ChatError::Unreachable(format!("the line was cut by {}", self.host)))
            }
        }
    }
}
