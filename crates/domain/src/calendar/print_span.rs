//! Spans as text, as short as they can be read back.

use super::{Calendar, moment::Moment, print::DateStyle, span::Span};

impl Calendar {
    /// The text of a span: a year, a month or a moment if it is exactly that, else both ends with an en dash between them.
    /// Ends of whole years or months are printed as those, and what both ends share stands once: "3 – 5 Thaw, 312 AD". An
    /// open end has no text.
    pub fn print_span(&self, span: Span, style: DateStyle) -> String {
        if let (Some(from), Some(until)) = (span.from(), span.until()) {
            let on = self.year_day(from);
            if from == until {
                return self.print(from, style);
            } else if self.year_span(on.year) == Ok(span) {
                return self.print_year(on.year, style);
            } else if self.month_span(on.year, on.month) == Ok(span) {
                return self.print_month(on.year, on.month, style);
            }
        }
        let end = |end: Option<Moment>| end.map_or_else(String::new, |end| self.print(end, style));
        let whole = joined(&end(span.from()), &end(span.until()));
        if style == DateStyle::Full {
            return whole;
        }
        let shorter = [self.in_years(span, style), self.in_months(span, style), self.in_days(span, style)];
        // Names and numbers may make a shorter text mean another span.
        let reads_back = |text: &String| self.parse_span(text) == Ok(span);
        shorter.into_iter().flatten().find(reads_back).unwrap_or(whole)
    }

    /// The span by its years, if each end is that of a year.
    fn in_years(&self, span: Span, style: DateStyle) -> Option<String> {
        let year_at = |end: Option<Moment>, end_of: fn(Span) -> Option<Moment>| {
            let Some(end) = end else { return Some(None) };
            let year = self.year_of(end);
            (end_of(self.year_span(year).ok()?) == Some(end)).then_some(Some(year))
        };
        let (from, until) = (year_at(span.from(), Span::from)?, year_at(span.until(), Span::until)?);
        if let Some((from, until)) = from.zip(until) {
            let ((era, number), (other_era, _)) = (self.era_of(from), self.era_of(until));
            if era == other_era {
                return Some(joined(&number.to_string(), &self.print_year(until, style)));
            }
        }
        let print = |year: Option<i64>| year.map_or_else(String::new, |year| self.print_year(year, style));
        Some(joined(&print(from), &print(until)))
    }

    /// The span by its months, if each end is that of a month.
    fn in_months(&self, span: Span, style: DateStyle) -> Option<String> {
        let month_at = |end: Option<Moment>, end_of: fn(Span) -> Option<Moment>| {
            let Some(end) = end else { return Some(None) };
            let on = self.year_day(end);
            let month = self.month_span(on.year, on.month).ok()?;
            (end_of(month) == Some(end)).then_some(Some((on.year, on.month)))
        };
        let (from, until) = (month_at(span.from(), Span::from)?, month_at(span.until(), Span::until)?);
        let print = |at: Option<(i64, usize)>| {
            at.map_or_else(String::new, |(year, month)| self.print_month(year, month, style))
        };
        match (from, until) {
            (Some((year, month)), Some((same, _))) if year == same => {
                Some(joined(self.month_name(month, style), &print(until)))
            }
            _ => Some(joined(&print(from), &print(until))),
        }
    }

    /// The span by its days, if both ends are days of one year.
    fn in_days(&self, span: Span, style: DateStyle) -> Option<String> {
        let (from, until) = span.from().zip(span.until())?;
        let year = self.year_of(from);
        if from.part().is_some() || until.part().is_some() || year != self.year_of(until) {
            return None;
        }
        let (first, last) = (self.date_of(from), self.date_of(until));
        let until = self.print(until, style);
        Some(if first.month == last.month {
            joined(&first.day.to_string(), &until)
        } else {
            joined(&self.print_day(&first, year, style), &until)
        })
    }
}

fn joined(from: &str, until: &str) -> String {
    format!("{from} – {until}").trim().to_owned()
}
