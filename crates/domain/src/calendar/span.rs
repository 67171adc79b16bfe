//! Spans of story time, closed at both ends.

use super::moment::Moment;

/// A span of story time. Both ends are part of it: "from 3 to 5 Thaw" includes all of 5 Thaw, because people name the last day
/// and not the day after it. An open end has no limit. It holds at least one part of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    from: Option<Moment>,
    until: Option<Moment>,
}

/// The span would end before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the span ends before it starts")]
pub struct InvertedSpan;

impl Span {
    /// All of story time.
    pub const ALWAYS: Self = Self { from: None, until: None };

    /// A span from the start of one moment to the end of another; `None` is an open end.
    ///
    /// # Errors
    /// [`InvertedSpan`] if it would end before it starts.
    pub fn new(from: Option<Moment>, until: Option<Moment>) -> Result<Self, InvertedSpan> {
        let span = Self { from, until };
        if span.first() <= span.last() { Ok(span) } else { Err(InvertedSpan) }
    }

    /// The span of one moment: a whole day or one part of it.
    pub const fn at(moment: Moment) -> Self {
        Self { from: Some(moment), until: Some(moment) }
    }

    /// The moment that it starts with; `None` if it has no start.
    pub const fn from(self) -> Option<Moment> {
        self.from
    }

    /// The last moment that is part of it; `None` if it has no end.
    pub const fn until(self) -> Option<Moment> {
        self.until
    }

    /// Its first part of a day. To compare spans in an index, store the values of [`Self::first`] and [`Self::last`].
    pub fn first(self) -> Moment {
        self.from.unwrap_or(Moment::MIN).first_part()
    }

    /// Its last part of a day.
    pub fn last(self) -> Moment {
        self.until.unwrap_or(Moment::MAX).last_part()
    }

    /// True if the whole of the moment is in the span. A span that starts at noon does not contain its first day; see
    /// [`Self::overlaps`] with [`Self::at`] for that.
    pub fn contains(self, moment: Moment) -> bool {
        self.first() <= moment.first_part() && moment.last_part() <= self.last()
    }

    /// True if the two have a part of a day in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.first() <= other.last() && other.first() <= self.last()
    }

    /// What the two have in common; `None` if that is nothing.
    pub fn intersect(self, other: Self) -> Option<Self> {
        // The second key prefers the whole day to a part where both mean the same end.
        let from = [self.from, other.from].into_iter().flatten().max_by_key(|from| {
            let whole = from.part().is_none();
            (from.first_part(), whole)
        });
        let until = [self.until, other.until].into_iter().flatten().min_by_key(|until| {
            let timed = until.part().is_some();
            (until.last_part(), timed)
        });
        Self::new(from, until).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moments() -> impl Strategy<Value = Moment> {
        let part = prop_oneof![Just(0), Just(4_320), Just(8_639)];
        (-6_i64..6, prop::option::of(part)).prop_map(|(day, part)| {
            part.map_or(Moment::on_day(day), |part| Moment::at_part(day, part)).expect("in range")
        })
    }

    fn spans() -> impl Strategy<Value = Span> {
        (prop::option::of(moments()), prop::option::of(moments()))
            .prop_filter_map("inverted", |(from, until)| Span::new(from, until).ok())
    }

    #[test]
    fn the_last_day_is_part_of_the_span_until_its_end() {
        let day = |day| Moment::on_day(day).expect("in range");
        let span = Span::new(Some(day(3)), Some(day(5))).expect("not inverted");
        assert!(span.contains(day(5)) && span.contains(day(5).last_part()) && !span.contains(day(6)));
        assert_eq!(Span::new(Some(day(5)), Some(day(3))), Err(InvertedSpan));
        assert!(Span::new(Some(Moment::at_part(5, 99).expect("in range")), Some(day(5))).is_ok());
        assert!(Span::ALWAYS.contains(Moment::MIN) && Span::ALWAYS.contains(Moment::MAX));
    }

    #[test]
    fn a_span_from_noon_overlaps_its_first_day_and_does_not_contain_it() {
        let noon = Moment::at_part(3, 4_320).expect("in range");
        let span = Span::new(Some(noon), None).expect("not inverted");
        assert!(!span.contains(noon.whole_day()) && span.overlaps(Span::at(noon.whole_day())));
    }

    proptest! {
        #[test]
        fn an_intersection_contains_what_both_contain(a in spans(), b in spans(), moment in moments()) {
            let both = a.intersect(b);
            prop_assert_eq!(both, b.intersect(a));
            prop_assert_eq!(both.is_some(), a.overlaps(b));
            prop_assert_eq!(a.overlaps(b), b.overlaps(a));
            let contained = both.is_some_and(|both| both.contains(moment));
            prop_assert_eq!(contained, a.contains(moment) && b.contains(moment));
            prop_assert_eq!(a.intersect(a), Some(a));
        }
    }
}
