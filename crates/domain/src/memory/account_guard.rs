//! Classifies a text for the account tier: is it about the worldbuilder and how they work, or about a world? All
//! worlds share the account, so it must not contain facts of one world, even if no name of that world is known yet.

use crate::language::{Token, is_everyday_name, is_shouted, tokens};

/// The subject of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// The worldbuilder: their preferences and working methods.
    Worldbuilder,
    /// Unclear: only the worldbuilder can decide.
    Unclear,
    World,
}

/// Classifies a text. If it has several sentences, the sentence furthest from the worldbuilder decides.
///
/// A sentence is about the worldbuilder if it begins with them ("the user ..."), with what they do or ask for
/// ("prefers ...", "never use ...") or with a part of the work ("chapters should ..."). Words and names of a world
/// make the result unclear, and many of them change it to a world. Any other sentence is about a world.
pub fn about(text: &str) -> About {
    let list = tokens(text);
    let shouted = is_shouted(text);
    let sentences = list.chunk_by(|x, y| x.sentence == y.sentence);
    sentences.map(|sentence| of_sentence(sentence, shouted)).max().unwrap_or(About::Unclear)
}

fn is_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

fn of_sentence(sentence: &[Token<'_>], shouted: bool) -> About {
    let words: Vec<&str> = sentence.iter().map(Token::bare).collect();
    let word = |n: usize| words.get(n).copied().unwrap_or_default();
    let count = |list: &str| words.iter().filter(|word| is_in(list, word)).count();
    let names = sentence
        .iter()
        .skip(1)
        .filter(|token| {
            token.is_name(shouted) && !is_everyday_name(token.bare()) && !is_in(SELF, token.bare())
        })
        .count();
    let (parts, things) = (count(WORK), count(WORLD));
    let begun = is_in(SELF, word(0))
        || is_in(LEAD, word(0))
        || is_in(WORK, word(0))
        || (is_in(DETERMINERS, word(0)) && is_in(SELF, word(1)))
        || (!is_in(ARTICLES, word(0)) && is_in(WORK, word(1)));
    if begun {
        let signs = (2 * things + names).saturating_sub(usize::from(parts > 0));
        return match signs {
            0 | 1 => About::Worldbuilder,
            2..=5 => About::Unclear,
            _ => About::World,
        };
    }
    let of_work = parts > 0 && things == 0 && names == 0;
    if of_work || count(SELF) > 0 { About::Unclear } else { About::World }
}

/// Words for the worldbuilder.
const SELF: &str = "\
    author i i'd i'll i'm i've me mine my myself our us user users we worldbuilder writer you your";

/// Words that may precede the first noun of a sentence.
const DETERMINERS: &str = "\
    a all an any each every her his its long most no short some the their this";

/// Words after which a part of the work may belong to a character ("her story").
const ARTICLES: &str = "\
    her his its the their";

/// First words of a sentence that omits the worldbuilder: what they do, ask for, or do when.
const LEAD: &str = "\
    afraid after allergic always american answer appreciates ask asks avoid avoids be before begin \
    british call cares check cite considers dislikes do does doesn't don't drafts edits end english \
    enjoys expects explain exports feels finds finishes fond format gets give happy has hates hopes if \
    include inspired interested is keep keeps learns leave let like likes limit list listens lives love \
    loves make mention mostly needs never new offer often omit plans plays please prefer prefers \
    publishes put quote rarely reads refer remember reply respond revises send show skip sometimes \
    speaks spell start starts stay stick stop struggles studies suggest summarise summarize teaches tell \
    tends thinks translate treat tries use uses usually values wants when whenever works would write \
    writes";

/// Words for parts of the work.
const WORK: &str = "\
    adverbs advice answer answers book books bullet chapter chapters checklist comma commas comment \
    comments criticism critique dates deadline dialogue draft drafting drafts email emoji emojis english \
    example examples explanation explanations feedback footnotes format formatting french genre german \
    grammar language latin list lists manuscript message messages name names note notebook notes novel \
    novels numbers outline outlines paragraph paragraphs plot preamble pronouns prose question questions \
    reader readers reading recap replies reply response responses scene scenes sentence sentences \
    session sessions source sources spanish spelling spoilers stories story style suggestion suggestions \
    summaries summary tables text texts title titles tone unit units word wording words writing";

/// Words for things and people of invented worlds.
const WORLD: &str = "\
    antagonist army assassin battle blade bridge captain castle character city clan clans council crown \
    cult curse dragon dragons duchess duke elf elves emperor empire empress fleet fortress gate gates \
    ghost ghosts giant giants goblin goblins god goddess gods guild harbour heir hero heroine king \
    kingdom knight lady lord magic merchant merchants moat mountains oracle order pilgrims pirate \
    pirates plague priest priests prince princess prophecy protagonist queen realm rebellion rebels \
    regent river shrine slaves smith soldier soldiers spell spy sword temple thief throne tower treaty \
    tribe tribes valley village villain wall war wars witch wizard";

#[cfg(test)]
mod tests {
    use super::*;

    /// 200 sentences, half of each kind. The odd ones of each kind were used to build the lists above; the even ones
    /// are the held-out test set.
    const CORPUS: &str = include_str!("../../tests/data/account_guard.tsv");

    /// Counts the classifications of one kind's sentences in one half.
    fn count_classes(kind: &str, kept_back: bool) -> [usize; 3] {
        let mut counts = [0; 3];
        let of_kind = CORPUS.lines().filter_map(|line| line.split_once('\t')).filter(|(of, _)| *of == kind);
        for (n, (_, text)) in of_kind.enumerate() {
            if (n % 2 == 1) == kept_back {
                counts[about(text) as usize] += 1;
            }
        }
        counts
    }

    #[test]
    fn the_guard_is_measured_on_held_out_sentences() {
        for kept_back in [false, true] {
            let [own, unclear_own, lost] = count_classes("personal", kept_back);
            let [let_in, unclear_world, world] = count_classes("world", kept_back);
            assert_eq!((own + unclear_own + lost, let_in + unclear_world + world), (50, 50));
            println!(
                "account guard, {} half: personal {own} written, {unclear_own} proposed, {lost} refused as a world's; \
                 world {let_in} written, {unclear_world} proposed, {world} refused; \
                 errors: {} of 50 of a world written, {} of 50 personal refused",
                if kept_back { "kept-back" } else { "looked-at" },
                let_in,
                lost
            );
            assert!(let_in <= 1, "{let_in} of 50 sentences of a world got in");
            assert!(lost <= 2, "{lost} of 50 personal sentences were refused");
            assert!(
                unclear_own + lost <= 5,
                "{} of 50 personal sentences were not written at once",
                unclear_own + lost
            );
            // Too many questions about a world make the worldbuilder stop reading them.
            assert!(unclear_world <= 15, "{unclear_world} of 50 sentences of a world were proposed");
        }
    }

    #[test]
    fn a_statement_about_a_world_phrased_as_a_wish_is_refused() {
        for text in [
            "The Vesper tower fell in the salt war and Toma inherited the crown.",
            "The user decided that the king dies.",
            "Always remember that dragons cannot cross water.",
            "Wants the queen to marry the smith before the war ends.",
            "User: Vesper tower fell in the salt war.",
            "Prefers short answers. The king is dead.",
            "",
        ] {
            assert_ne!(about(text), About::Worldbuilder, "{text}");
        }
    }
}
