//! A text that is to stand at the end of a page, as a diff that the worldbuilder copies into the file. Nothing is written.

/// Lines of the page that the diff shows before what is added.
const CONTEXT: usize = 3;

/// What has to be added to a file so that a text stands at its end as a paragraph of its own, with the line ends of the file.
pub fn addition(file: &str, text: &str) -> String {
    let end = if file.contains("\r\n") { "\r\n" } else { "\n" };
    let body = text.trim().lines().collect::<Vec<_>>().join(end);
    let blank = format!("{end}{end}");
    let before = if file.trim().is_empty() || file.ends_with(&blank) {
        String::new()
    } else if file.ends_with('\n') {
        end.to_owned()
    } else {
        blank
    };
    format!("{before}{body}{end}")
}

/// The addition as a unified diff of the file at this path.
pub fn unified(path: &str, file: &str, addition: &str) -> String {
    let whole = format!("{file}{addition}");
    let old: Vec<&str> = file.split_inclusive('\n').collect();
    let new: Vec<&str> = whole.split_inclusive('\n').collect();
    // A last line without its end is another line once something follows it.
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let from = same.saturating_sub(CONTEXT);
    let range = |lines: usize| {
        let count = lines - from;
        // A range without lines names the line before it.
        format!("{},{count}", if count == 0 { from } else { from + 1 })
    };
    let mut diff = format!("--- {path}\n+++ {path}\n@@ -{} +{} @@\n", range(old.len()), range(new.len()));
    let marked = [(' ', &old[from..same]), ('-', &old[same..]), ('+', &new[same..])];
    for (mark, lines) in marked {
        for line in lines {
            diff.push(mark);
            // A carriage return is part of the line: without it the line is not the one in the file.
            diff.push_str(line.strip_suffix('\n').unwrap_or(line));
            diff.push('\n');
            if !line.ends_with('\n') {
                diff.push_str("\\ No newline at end of file\n");
            }
        }
    }
    diff
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_addition_is_a_paragraph_with_the_line_ends_of_the_file() {
        assert_eq!(addition("# Saltmere\n", "Founded in 412."), "\nFounded in 412.\n");
        assert_eq!(addition("# Saltmere", "Founded."), "\n\nFounded.\n");
        assert_eq!(addition("# Saltmere\r\n", "One.\nTwo."), "\r\nOne.\r\nTwo.\r\n");
        assert_eq!(addition("", "Founded."), "Founded.\n");
    }

    #[test]
    fn the_diff_has_three_lines_of_context_and_tells_of_a_missing_line_end() {
        let file = "a\nb\nc\nd";
        let diff = unified("Saltmere.md", file, &addition(file, "e"));
        let expected = "--- Saltmere.md\n+++ Saltmere.md\n@@ -1,4 +1,6 @@\n a\n b\n c\n-d\n\\ No newline at end of file\n+d\n+\n+e\n";
        assert_eq!(diff, expected);
        let empty = unified("New.md", "", "e\n");
        assert!(empty.contains("@@ -0,0 +1,1 @@"), "{empty}");
    }

    /// The lines of a diff that have one of these marks, as they stand in the file.
    fn lines_of(diff: &str, marks: [char; 2]) -> String {
        let (mut lines, mut is_shown) = (String::new(), false);
        for line in diff.split_inclusive('\n').skip(3) {
            if line.starts_with('\\') {
                if is_shown {
                    lines.pop();
                }
            } else {
                is_shown = line.starts_with(marks);
                if is_shown {
                    lines.push_str(&line[1..]);
                }
            }
        }
        lines
    }

    proptest! {
        #[test]
        fn the_diff_gives_the_new_file_back_byte_for_byte(
            file in "([a-c ]{0,4}(\n|\r\n)){0,8}[a-c]{0,3}", text in "[a-z]{1,6}((\n|\r\n)[a-z]{1,4}){0,3}",
        ) {
            let added = addition(&file, &text);
            let diff = unified("p.md", &file, &added);
            let (old, new) = (lines_of(&diff, [' ', '-']), lines_of(&diff, [' ', '+']));
            let before = file.strip_suffix(old.as_str());
            prop_assert!(before.is_some_and(|before| before.is_empty() || before.ends_with('\n')), "{diff:?}");
            prop_assert_eq!(format!("{}{new}", before.unwrap_or_default()), format!("{file}{added}"));
        }
    }
}
