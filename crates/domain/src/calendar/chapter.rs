//! The place of a chapter, or of a session of a game, in the order of reading and in story time.

use std::num::NonZeroU32;

use super::span::Span;

/// When a chapter is read, and when it happens. The two orders are independent: a flashback is read later than it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chapter {
    reading_number: NonZeroU32,
    span: Option<Span>,
}

impl Chapter {
    /// A chapter with its place in the order of reading, and the story time that it covers, if that is known.
    pub const fn new(reading_number: NonZeroU32, span: Option<Span>) -> Self {
        Self { reading_number, span }
    }

    /// Its place in the order of reading, from 1. Two chapters may share one, such as parallel strands.
    pub const fn reading_number(self) -> u32 {
        self.reading_number.get()
    }

    /// The story time that it covers; `None` if it is not known.
    pub const fn span(self) -> Option<Span> {
        self.span
    }

    /// True if it is read after another chapter and ends in story time before that one starts.
    pub fn flashes_back_before(self, other: Self) -> bool {
        self.reading_number > other.reading_number
            && self.span.zip(other.span).is_some_and(|(own, other)| own.last() < other.first())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::moment::Moment;

    #[test]
    fn a_flashback_is_read_later_and_happens_earlier() {
        let on = |day| Some(Span::at(Moment::on_day(day).expect("in range")));
        let chapter = |number, span| Chapter::new(NonZeroU32::new(number).expect("counted from 1"), span);
        let (first, second) = (chapter(1, on(100)), chapter(2, on(-5)));
        assert!(second.flashes_back_before(first) && !first.flashes_back_before(second));
        assert!(
            !chapter(3, None).flashes_back_before(first) && !chapter(3, on(100)).flashes_back_before(first)
        );
    }
}
