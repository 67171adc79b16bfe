//! Truncates texts and groups them into batches for the model.

/// Approximate bytes of ordinary text per token. It affects only batch sizes, never results.
const BYTES_PER_TOKEN: usize = 4;

/// Maximum bytes of a text per token of the model's limit. Longer texts are cut before tokenisation, because the
/// model would ignore the rest, and tokenising 64 KiB to keep one page costs more than embedding the page.
const BYTES_KEPT_PER_TOKEN: usize = 32;

/// Limits of one model call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Texts per call. 1 for dynamically quantised models, whose result depends on the other texts of the call.
    pub texts: usize,
    /// Tokens per call, including padding. This bounds the waiting time of a query.
    pub tokens: usize,
    /// Maximum tokens of one text; the model ignores the rest.
    pub text_tokens: usize,
}

impl Limits {
    /// Groups the positions of `texts` into calls within the limits. Texts of similar length go together, because
    /// padding wastes work; short texts come first.
    pub(crate) fn group(self, texts: &[String]) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|at| texts[*at].len());
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for at in order {
            let tokens = (texts[at].len() / BYTES_PER_TOKEN + 2).min(self.text_tokens);
            match groups.last_mut() {
                // The order is sorted, so this text is the longest of the group so far, and the others are padded to
                // it.
                Some(group) if group.len() < self.texts && (group.len() + 1) * tokens <= self.tokens => {
                    group.push(at);
                }
                _ => groups.push(vec![at]),
            }
        }
        groups
    }

    /// The part of `text` that the model can read at most.
    pub(crate) fn readable(self, text: &str) -> &str {
        let mut end = (self.text_tokens * BYTES_KEPT_PER_TOKEN).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        &text[..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { texts: 8, tokens: 256, text_tokens: 256 };

    fn texts(lengths: &[usize]) -> Vec<String> {
        lengths.iter().map(|length| "x".repeat(*length)).collect()
    }

    #[test]
    fn every_text_is_in_exactly_one_group() {
        let texts = texts(&[900, 3, 0, 70_000, 12, 400, 4, 4, 4, 4, 4, 4, 4, 4]);
        let mut seen: Vec<usize> = LIMITS.group(&texts).concat();
        seen.sort_unstable();
        assert_eq!(seen, (0..texts.len()).collect::<Vec<_>>());
    }

    #[test]
    fn groups_respect_the_limits_and_long_texts_form_their_own_group() {
        let texts = texts(&[4; 20]);
        assert!(LIMITS.group(&texts).iter().all(|group| group.len() <= 8));
        let long = [texts, self::texts(&[5_000, 6_000])].concat();
        assert!(LIMITS.group(&long).contains(&vec![20]));
        assert!(LIMITS.group(&long).contains(&vec![21]));
    }

    #[test]
    fn one_text_per_call_when_asked() {
        let limits = Limits { texts: 1, ..LIMITS };
        assert_eq!(limits.group(&texts(&[4, 4, 4])).len(), 3);
    }

    #[test]
    fn no_texts_make_no_groups() {
        assert!(LIMITS.group(&[]).is_empty());
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let text = "é".repeat(70_000);
        let shortened = LIMITS.readable(&text);
        assert!(shortened.len() <= 256 * BYTES_KEPT_PER_TOKEN && shortened.len() > 8_000);
        assert_eq!(LIMITS.readable("short"), "short");
    }
}
