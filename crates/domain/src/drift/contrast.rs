//! Which differences of two parallel sentences make a contradiction. The rule for entries of one place asks a person about any
//! swapped word; across all of memory that would be too many.

use super::{sentence::Sentence, values, words::PARTS};
use crate::memory::similarity::{Contrast, Item, Part, Sort, contrasts};

/// Nouns that several may be to one, or one to several: a difference of names is no contradiction.
const OF_MANY: &[&str] = &[
    "sister",
    "brother",
    "son",
    "daughter",
    "child",
    "children",
    "friend",
    "cousin",
    "ally",
    "enemy",
    "rival",
    "member",
    "student",
    "servant",
    "neighbour",
    "neighbor",
    "uncle",
    "aunt",
    "grandson",
    "granddaughter",
    "niece",
    "nephew",
    "pupil",
    "apprentice",
    "companion",
    "follower",
    "citizen",
    "one",
    "guard",
    "knight",
    "soldier",
    "part",
    "map",
    "song",
    "story",
    "picture",
    "portrait",
    "kind",
    "fan",
    "veteran",
    "descendant",
    "lover",
    "priest",
    "priestess",
    "hero",
    "native",
    "village",
    "town",
    "river",
    "most",
];
/// Verbs that tell of a state: it holds once at a time.
const STATES: &[&str] = &[
    "is", "are", "was", "were", "lives", "lived", "dwells", "resides", "lies", "stands", "stood", "lay",
    "comes", "hails", "sits", "rests", "hangs", "has", "have", "had", "costs", "cost", "lasts", "lasted",
    "holds", "contains", "counts", "measures", "weighs", "needs", "takes", "seats", "pays", "carries",
    "rises", "keeps", "kept", "belongs", "flows", "serves", "wears", "rules", "reads", "opens", "closes",
    "begins", "ends", "starts", "guards", "worships", "speaks", "burns", "charges", "mines", "exports",
];
/// Verbs of what happens to one once.
const ONCE: &[&str] = &[
    "born",
    "died",
    "founded",
    "built",
    "crowned",
    "burned",
    "burnt",
    "ended",
    "began",
    "signed",
    "sank",
    "sunk",
    "fell",
    "wed",
    "married",
    "destroyed",
    "abolished",
    "discovered",
    "written",
    "forged",
    "killed",
    "slain",
    "executed",
    "drowned",
    "wrote",
    "opened",
    "finished",
    "completed",
    "drained",
    "banned",
    "started",
    "exiled",
    "murdered",
    "planted",
    "consecrated",
];
/// Verbs with one object at a time.
const OF_ONE_OBJECT: &[&str] =
    &["married", "wed", "serves", "succeeded", "replaced", "guards", "obeys", "wears", "rides", "worships"];
/// Verbs that hold for one subject and not the other way round.
const ONE_WAY: &[&str] = &[
    "killed",
    "slew",
    "murdered",
    "mother",
    "father",
    "son",
    "daughter",
    "older",
    "taller",
    "elder",
    "younger",
    "shorter",
    "serves",
    "rules",
    "leads",
    "commands",
    "adopted",
    "owns",
    "taught",
    "raised",
    "succeeded",
];
/// Verbs of which one is the subject.
const OF_ONE_SUBJECT: &[&str] = &[
    "rules",
    "ruled",
    "leads",
    "led",
    "commands",
    "commanded",
    "founded",
    "killed",
    "slew",
    "murdered",
    "wrote",
    "built",
    "owns",
    "owned",
    "forged",
    "painted",
    "discovered",
    "invented",
    "composed",
    "governs",
    "designed",
    "won",
];
/// Function words that exclude each other in the same sentence.
const OPPOSED: &[&[&str]] = &[
    &["before", "after"],
    &["always", "never"],
    &["all", "no", "none"],
    &["every", "no"],
    &["above", "below", "under", "beneath", "over"],
    &["inside", "outside"],
    &["with", "without"],
    &["first", "last"],
    &["everyone", "nobody"],
    &["must", "cannot"],
];

/// True if two sentences of different texts contradict each other as parallel sentences.
pub(super) fn contradict(a: &Sentence, b: &Sentence) -> bool {
    // A fixed order makes the result symmetric.
    let (first, second) = if a.text <= b.text { (a, b) } else { (b, a) };
    let Some(contrasts) = contrasts(&first.items, &second.items) else { return false };
    let word = |of: &[&str]| {
        [a, b].iter().all(|side| side.items.iter().any(|item| of.contains(&item.word.as_str())))
    };
    let [contrast] = contrasts.as_slice() else { return contrasts.is_empty() && word(ONE_WAY) };
    let dated = is_date(contrast);
    let same_times = if dated { a.past == b.past } else { a.is_contemporary(b) };
    let has = |sort: Sort, side: &[Item]| side.iter().any(|item| item.sort == sort);
    let negations = |side: &Sentence| side.items.iter().filter(|item| item.sort == Sort::Negation).count();
    let (here, there) = (contrast.here.as_slice(), contrast.there.as_slice());
    let both = |sort: Sort| has(sort, here) && has(sort, there);
    let stated = word(STATES) || word(ONCE);
    if negations(a) != negations(b) {
        // "Mind that" and "Never mind" state nothing of anything.
        let is_named = |side: &Sentence| has(Sort::Name, &side.items);
        return a.times == b.times && (stated || is_named(a) && is_named(b));
    }
    if both(Sort::Number) {
        let is_number = |item: &Item| matches!(item.sort, Sort::Number | Sort::Function);
        if is_name_with_number(contrast) || !here.iter().chain(there).all(is_number) {
            return false;
        }
        return if dated { word(ONCE) } else { same_times && stated };
    }
    if !same_times {
        return false;
    }
    if both(Sort::Name) {
        return names(contrast);
    }
    if both(Sort::Content) {
        return stated_contents(contrast, stated);
    }
    opposed(here, there)
}

/// "Chapter 98 has 8 passages" and "Chapter 118 has 8 passages": the number is a part of the name.
fn is_name_with_number(contrast: &Contrast) -> bool {
    let behind_noun =
        contrast.before.last().is_some_and(|item| matches!(item.sort, Sort::Name | Sort::Content));
    // "The bell weighs 9 tons": not every verb is known to end the subject.
    let has_verb = contrast.before.iter().any(|item| STATES.contains(&item.word.as_str()));
    contrast.part == Part::Subject && behind_noun && !has_verb
}

fn is_date(contrast: &Contrast) -> bool {
    let before = contrast.before.last().map_or("", |item| item.word.as_str());
    matches!(before, "in" | "year" | "since" | "until" | "by" | "on" | "after" | "before" | "during")
}

/// Words of one class, with nothing else that differs.
fn stated_contents(contrast: &Contrast, stated: bool) -> bool {
    let content = |side: &'_ [Item]| -> Vec<Item> {
        side.iter().filter(|item| item.sort == Sort::Content).cloned().collect()
    };
    let (here, there) = (content(&contrast.here), content(&contrast.there));
    let (Some(one), Some(two)) = (here.first(), there.first()) else { return false };
    // Of what somebody has there may be several, except parts of a body or an outfit.
    let has = |item: &Item| matches!(item.word.as_str(), "has" | "have" | "owns" | "carries" | "keeps");
    let part = contrast.behind.first().is_some_and(|item| PARTS.contains(&item.word.trim_end_matches('s')));
    let of_one = part || !contrast.before.iter().any(has);
    let class = values::excluding_class(one, two);
    let told_of_one = contrast.part == Part::Told || contrast.behind.is_empty();
    here.len() == 1 && there.len() == 1 && class.is_some() && of_one && told_of_one && stated
}

fn names(contrast: &Contrast) -> bool {
    let words = |side: &'_ [Item]| -> Vec<String> { side.iter().map(|item| item.word.clone()).collect() };
    let (before, behind) = (words(&contrast.before), words(&contrast.behind));
    let any = |of: &[&str], side: &[String]| side.iter().any(|word| of.contains(&word.as_str()));
    let last = before.last().map_or("", String::as_str);
    if contrast.part == Part::Subject {
        // "Anselm is the king of Ambry" and "Knut is the king of Ambry".
        let of = behind
            .iter()
            .position(|word| word == "of")
            .map_or("", |n| n.checked_sub(1).map_or("", |n| behind[n].as_str()));
        let is_one_of_several = contrast.behind.get(1).is_some_and(|item| item.indefinite);
        let is_role = !is_one_of_several
            && !of.is_empty()
            && behind.first().is_some_and(|word| matches!(word.as_str(), "is" | "was"));
        return is_role && !OF_MANY.contains(&of)
            || !is_one_of_several
                && before.is_empty()
                && behind.first().is_some_and(|verb| OF_ONE_SUBJECT.contains(&verb.as_str()));
    }
    let many = any(OF_MANY, &before);
    let kept = [
        "lives", "lived", "dwells", "resides", "born", "buried", "lies", "stands", "comes", "hails", "is",
        "kept", "hidden", "moored", "hangs", "sits", "rests", "grew", "was",
    ];
    match last {
        "in" | "at" | "from" | "near" | "on" | "under" | "beneath" => any(&kept, &before),
        "of" => !many && any(&["is", "was", "are"], &before),
        "by" => any(OF_ONE_SUBJECT, &before) || any(&["written", "slain", "born", "raised"], &before),
        "to" => any(&["married", "betrothed", "belongs", "heir", "sworn", "flows", "sacred"], &before),
        "into" => any(&["flows", "empties"], &before),
        "is" | "was" | "are" => !many,
        verb => !many && OF_ONE_OBJECT.contains(&verb),
    }
}

fn opposed(here: &[Item], there: &[Item]) -> bool {
    OPPOSED.iter().any(|group| {
        let of =
            |side: &[Item]| side.iter().find_map(|item| group.iter().position(|word| *word == item.word));
        of(here).zip(of(there)).is_some_and(|(one, two)| one != two)
    })
}
