//! Code between fences (```` ``` ```` or `~~~`), which is no Markdown.

/// Reads a text line by line and tells what is code.
#[derive(Debug, Default)]
pub struct Fences {
    open: Option<&'static str>,
}

impl Fences {
    /// True if the line is code or a fence.
    pub fn is_code(&mut self, line: &str) -> bool {
        let plain = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| plain.starts_with(mark));
        match (self.open, mark) {
            (None, None) => false,
            (None, Some(mark)) => {
                self.open = Some(mark);
                true
            }
            (Some(open), mark) => {
                if mark == Some(open) {
                    self.open = None;
                }
                true
            }
        }
    }

    /// True after a fence that is not closed yet.
    pub const fn is_open(&self) -> bool {
        self.open.is_some()
    }
}
