//! The only module that prints. Results go to standard output, notes and errors to standard error.

pub mod texts;

use std::{
    fmt::Display,
    io::{self, BufWriter, IsTerminal, Stderr, Stdout, Write},
    sync::{Mutex, PoisonError},
};

use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::Failure;

/// Prints results, notes and errors as text or JSON.
pub struct Output {
    json: bool,
    marks: Marks,
    stdout: Mutex<BufWriter<Stdout>>,
    stderr: Stderr,
}

/// How matches are highlighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marks {
    Terminal,
    Plain,
}

impl Output {
    /// Creates an output of JSON or text.
    pub fn new(json: bool) -> Self {
        let colour = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let marks = if colour { Marks::Terminal } else { Marks::Plain };
        Self { json, marks, stdout: Mutex::new(BufWriter::new(io::stdout())), stderr: io::stderr() }
    }

    /// Prints a result: `view` as JSON, or what `text` makes of it.
    ///
    /// # Errors
    /// [`Failure::Unread`] if the reader closed standard output.
    pub fn answer<T: Serialize + ?Sized>(
        &self,
        view: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<(), Failure> {
        if self.json {
            let json = serde_json::to_string(view).map_err(|error| Failure::internal(&error))?;
            self.line(&json)
        } else {
            let text = text(view);
            if text.is_empty() { Ok(()) } else { self.line(&text) }
        }
    }

    fn line(&self, text: &str) -> Result<(), Failure> {
        let mut stdout = self.stdout.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(stdout, "{text}").map_err(|error| unwritten(&error))
    }

    /// Flushes everything printed.
    pub fn flush(&self) -> Result<(), Failure> {
        let mut stdout = self.stdout.lock().unwrap_or_else(PoisonError::into_inner);
        stdout.flush().map_err(|error| unwritten(&error))
    }

    /// Prints a note that is not part of the result; not printed in JSON mode.
    pub fn note(&self, text: impl Display) {
        if !self.json {
            self.progress(text);
        }
    }

    /// Prints progress of a long run, in either mode.
    pub fn progress(&self, text: impl Display) {
        let _ = writeln!(&self.stderr, "{text}");
    }

    /// Prints the failure of a command and returns its exit code.
    pub fn failed(&self, failure: &Failure) -> u8 {
        // Earlier output must appear before the error.
        let _ = self.flush();
        let (code, object, text) = match failure {
            Failure::Unread => return 0,
            Failure::Usage(message) => (2, json!({ "code": "usage", "message": message }), message.as_str()),
            Failure::Command(error) => {
                let mut object = serde_json::to_value(error).unwrap_or_default();
                if let Value::Object(fields) = &mut object {
                    fields.retain(|_, value| !value.is_null());
                }
                (1, object, error.message.as_str())
            }
        };
        let _ = if self.json {
            writeln!(&self.stderr, "{object}")
        } else {
            writeln!(&self.stderr, "error: {text}")
        };
        code
    }

    /// Prints a parse error of the command line, or the requested help.
    pub fn not_understood(&self, error: &clap::Error) -> u8 {
        if !error.use_stderr() {
            // Help and version are regular results.
            let _ = error.print();
            return 0;
        }
        if self.json {
            let text = error.render().to_string();
            let message = text.strip_prefix("error: ").unwrap_or(&text);
            return self.failed(&Failure::Usage(message.trim_end().to_owned()));
        }
        let _ = error.print();
        2
    }

    /// Highlights a word.
    pub fn marked(&self, text: &str) -> String {
        match self.marks {
            Marks::Terminal => format!("\u{1b}[1m{text}\u{1b}[0m"),
            Marks::Plain => format!("**{text}**"),
        }
    }
}

fn unwritten(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe { Failure::Unread } else { Failure::internal(error) }
}

/// A table with aligned columns. The last column is not padded.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = head.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for (width, cell) in widths.iter().zip(cells) {
            let pad = width.saturating_sub(cell.chars().count()) + 2;
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', pad));
        }
        line.trim_end().to_owned()
    };
    let mut lines = vec![line(&mut head.iter().copied())];
    lines.extend(rows.iter().map(|row| line(&mut row.iter().map(String::as_str))));
    lines.join("\n")
}

/// The first `chars` characters of a text on one line, with a mark if it was truncated.
pub fn one_line(text: &str, chars: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", &flat[..end]),
        None => flat,
    }
}

/// Formats a time to the minute, in UTC.
pub fn minute(time: &str) -> String {
    time.get(..16).map_or_else(|| time.to_owned(), |start| start.replace('T', " "))
}

/// The JSON word of an enum value.
pub fn word<T: Serialize>(value: T) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["größer".to_owned(), "2".to_owned()]];
        assert_eq!(table(&["x", "n"], &rows), "x       n\na       1\ngrößer  2");
    }

    #[test]
    fn a_long_text_is_cut_on_one_line() {
        assert_eq!(one_line("a\n b  c", 10), "a b c");
        assert_eq!(one_line("ééééé", 3), "ééé…");
    }
}
