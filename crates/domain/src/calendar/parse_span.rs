//! Reads spans: two dates with a dash or "to" between.

use super::{
    Calendar,
    parse::{MAX_DATE_CHARS, ParseError, ParsedDate},
    parts::Fields,
    span::Span,
};

/// What separates the two ends. A hyphen without spaces is a part of a name or of a date.
const BETWEEN: [&str; 5] = [" – ", " — ", " - ", " to ", "–"];

impl Calendar {
    /// Reads what [`Self::parse`] reads, or two of them: from the start of the first to the end of the second. An end may be open:
    /// "14 Thaw, 312 AD –". The first takes from the second what it does not name: "3 – 5 Thaw 312", "Thaw to Seed 312",
    /// "310 – 312 BD". A number that could be a day is one if the second has a day.
    ///
    /// # Errors
    /// [`ParseError`] of the text as one date if it is neither; [`ParseError::Inverted`] if it ends before it starts.
    pub fn parse_span(&self, text: &str) -> Result<Span, ParseError> {
        let limit = 2 * MAX_DATE_CHARS;
        let actual = text.chars().count();
        if actual > limit {
            return Err(ParseError::TooLong { actual, limit });
        }
        let refused = match self.parse(text) {
            Ok(date) => return Ok(date.span()),
            Err(refused) => refused,
        };
        let padded = format!(" {} ", text.trim());
        for between in BETWEEN {
            for (at, _) in padded.match_indices(between) {
                if let Ok((from, until)) = self.ends(&padded[..at], &padded[at + between.len()..]) {
                    let (from, until) = (from.and_then(Span::from), until.and_then(Span::until));
                    return Ok(Span::new(from, until)?);
                }
            }
        }
        Err(refused)
    }

    fn ends(&self, from: &str, until: &str) -> Result<(Option<Span>, Option<Span>), ParseError> {
        let fields = |text: &str| match text.trim() {
            "" => Ok(None),
            text => self.fields_of(text).map(Some),
        };
        let until = fields(until)?;
        let from = match (fields(from)?, until) {
            (Some(from), Some(until)) => Some(
                self.day_of_other(&from, &until)
                    .and_then(|from| self.resolved(&from).ok())
                    .map_or_else(|| self.resolved(&completed(from, &until)), Ok)?,
            ),
            (Some(from), None) => Some(self.resolved(&from)?),
            (None, _) => None,
        };
        let until = until.map(|until| self.resolved(&until)).transpose()?;
        Ok((from.map(ParsedDate::span), until.map(ParsedDate::span)))
    }

    /// The first of two dates with its only number as the day, if it could be meant so: "3 – 5 Thaw 312", "Thaw 3 – Thaw 5, 312".
    fn day_of_other(&self, from: &Fields, until: &Fields) -> Option<Fields> {
        let month = from.month.or(until.month)?;
        // Days between months may have no number of their own.
        let numbered = !self.definition.months.get(month)?.intercalary || from.month.is_none();
        let only_number = from.day.is_none() && from.era.is_none() && until.day.is_some();
        (numbered && only_number && from.year.is_some()).then_some(Fields {
            day: from.year,
            month: Some(month),
            year: until.year,
            era: until.era,
            ..*from
        })
    }
}

/// A date with the month, the year and the era of another where it has none.
fn completed(from: Fields, until: &Fields) -> Fields {
    let month = if from.day.is_some() { from.month.or(until.month) } else { from.month };
    let year = if month.is_some() { from.year.or(until.year) } else { from.year };
    let has_year = year.is_some();
    Fields { month, year, era: if has_year { from.era.or(until.era) } else { from.era }, ..from }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::calendar::span::InvertedSpan;
    use crate::calendar::{
        moment::Moment,
        print::DateStyle,
        testing::{calendars, dry, moments, valid},
    };

    const STYLES: [DateStyle; 3] = [DateStyle::Full, DateStyle::Long, DateStyle::Short];

    #[test]
    fn spans_are_read_with_open_ends() {
        let calendar = valid(dry());
        let read = |text: &str| calendar.print_span(calendar.parse_span(text).expect(text), DateStyle::Short);
        assert_eq!(read("Thaw 312 to Rain 312"), "Tw – Rn, 312 AD");
        assert_eq!(read("1 Tw, 312 AD – 28 Tw, 312 AD"), "Tw, 312 AD");
        assert_eq!(read("2 BD –"), "2 BD –");
        assert_eq!(read("– 2 BD"), "– 2 BD");
        assert_eq!(read("BD"), "– 1 BD");
        assert_eq!(calendar.parse_span("–"), Ok(Span::ALWAYS));
        assert_eq!(calendar.parse_span("2 AD - 1 AD"), Err(InvertedSpan.into()));
        assert!(matches!(calendar.parse_span("2 AD – then"), Err(ParseError::NotUnderstood { .. })));
    }

    #[test]
    fn the_first_date_takes_from_the_second_what_it_does_not_name() {
        let calendar = valid(dry());
        let read = |text: &str| calendar.print_span(calendar.parse_span(text).expect(text), DateStyle::Short);
        for text in ["3 – 5 Thaw 312", "3–5 Thaw 312 AD", "3 Thaw to 5 Thaw 312", "Thaw 3 - Thaw 5, 312"]
        {
            assert_eq!(read(text), "3 – 5 Tw, 312 AD", "{text}");
        }
        assert_eq!(read("Thaw to Seed 312"), "Tw – Sd, 312 AD");
        assert_eq!(read("312 – 310 BD"), "312 – 310 BD");
        assert_eq!(read("Thaw 311 – 5 Seed 312"), "1 Tw, 311 AD – 5 Sd, 312 AD");
        assert_eq!(read("300 – 5 Seed 312"), "1 Tw, 300 AD – 5 Sd, 312 AD");
        assert_eq!(read("Midsummer 3 – 5 Seed 312"), "Midsummer, 3 AD – 5 Sd, 312 AD");
        assert_eq!(read("Midsummer – 5 Grain 312"), "Midsummer – 5 Gr, 312 AD");
    }

    proptest! {
        #[test]
        fn a_printed_span_of_any_calendar_is_read_back(
            calendar in calendars(), from in prop::option::of(moments()), days in prop::option::of(0_i64..2_000)
        ) {
            let from = from.map(Moment::whole_day);
            let until = from.zip(days).and_then(|(from, days)| from.checked_add_days(days));
            let mut spans = vec![Span::new(from, until).expect("not inverted"), Span::new(until, None).expect("not inverted")];
            if let Some(from) = from {
                let year = calendar.year_of(from);
                spans.extend(calendar.year_span(year));
                spans.extend((0..12).filter_map(|month| calendar.month_span(year, month).ok()));
            }
            for span in spans {
                for style in STYLES {
                    let text = calendar.print_span(span, style);
                    prop_assert_eq!(calendar.parse_span(&text), Ok(span), "{}", text);
                }
            }
        }

        #[test]
        fn any_text_with_dashes_is_read_or_refused(
            calendar in calendars(), text in "([0-9]{1,3}|[ ,.:–-]| – | to |month|year|b\\.a\\.|a0){0,14}"
        ) {
            if let Ok(span) = calendar.parse_span(&text) {
                prop_assert!(span.first() <= span.last());
            }
        }
    }
}
