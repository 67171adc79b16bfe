//! Finds contradictions among all sources.

use std::collections::{BTreeSet, HashMap};

use super::{
    Item, Side,
    contrast::contradict,
    property::{Aliases, Property, properties},
    sentence::Sentence,
    source::{Source, Standing},
    words::TITLES,
};
use crate::memory::similarity::{MAX_PLACE_WORDS, Sort};

/// Words and properties that more sentences have than this tell nothing.
const MOST_SHARED: usize = 400;
/// Words of what happens to somebody after their death.
const AFTER_DEATH: &[&str] = &[
    "buried",
    "grave",
    "tomb",
    "statue",
    "ghost",
    "remembered",
    "mourned",
    "legacy",
    "funeral",
    "named",
    "ashes",
    "will",
    "portrait",
    "song",
    "remains",
    "bones",
    "honoured",
    "honored",
    "avenged",
    "canonised",
    "descendants",
    "forgotten",
    "dead",
    "died",
];

/// A contradiction: the canon, and what is stated against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contradiction {
    /// What counts more.
    pub canon: Side,
    /// What counts less.
    pub statement: Side,
}

/// The contradictions among the sources in which one of the items takes part, each pair once, in order. Between two texts of
/// agents there is no canon, so there is no drift.
pub fn find(sources: &[Source], fresh: &BTreeSet<Item>) -> Vec<Contradiction> {
    let finder = Finder::new(sources, fresh);
    let mut found = BTreeSet::new();
    finder.by_property(&mut found);
    finder.by_words(&mut found);
    finder.by_life(&mut found);
    found.into_iter().collect()
}

/// The sentences of `statement` that contradict `canon`, as they were compared: with the name for a pronoun. None if the whole
/// does, such as an event after a life.
pub fn contradicting_sentences(canon: &Source, statement: &Source) -> Vec<String> {
    let fresh = BTreeSet::from([statement.side.item]);
    let contradicts = |one: &Source| !find(&[canon.clone(), one.clone()], &fresh).is_empty();
    let texts = |one: Source| one.sentences.into_iter().next().map(|sentence| sentence.text);
    statement.by_sentence().filter(contradicts).filter_map(texts).collect()
}

/// A sentence with the number of its source.
struct Stated<'s> {
    source: usize,
    sentence: &'s Sentence,
    /// The words that carry its meaning.
    keys: BTreeSet<&'s str>,
}

struct Finder<'s> {
    sources: &'s [Source],
    fresh: Vec<bool>,
    aliases: Aliases,
    stated: Vec<Stated<'s>>,
}

impl<'s> Finder<'s> {
    fn new(sources: &'s [Source], fresh: &BTreeSet<Item>) -> Self {
        let mut aliases = Aliases::new();
        for source in sources {
            if let Some((name, others)) = source.names.split_first() {
                for other in others {
                    aliases.insert(other.clone(), name.clone());
                    // "Old Thunder" is read without the title.
                    if let Some((_, bare)) = other.split_once(' ').filter(|(title, _)| TITLES.contains(title))
                    {
                        aliases.entry(bare.to_owned()).or_insert_with(|| name.clone());
                    }
                }
            }
        }
        let mut stated = Vec::new();
        for (n, source) in sources.iter().enumerate() {
            for sentence in &source.sentences {
                let carries = |sort: Sort| matches!(sort, Sort::Name | Sort::Content | Sort::Number);
                let keys =
                    sentence.items.iter().filter(|item| carries(item.sort)).map(|item| item.key.as_str());
                stated.push(Stated { source: n, sentence, keys: keys.collect() });
            }
        }
        let fresh = sources.iter().map(|source| fresh.contains(&source.side.item)).collect();
        Self { sources, fresh, aliases, stated }
    }

    /// The two sources of a contradiction in their order; `None` if they are not compared.
    fn pair(&self, a: usize, b: usize) -> Option<Contradiction> {
        let (one, two) = (&self.sources[a], &self.sources[b]);
        let compared = (self.fresh[a] || self.fresh[b]) && one.is_comparable(two);
        if compared { ordered(one, two) } else { None }
    }

    fn is_fact(&self, n: usize) -> bool {
        matches!(self.sources[n].side.item, Item::Fact(_))
    }

    /// Two values of one aspect of one thing.
    fn by_property(&self, found: &mut BTreeSet<Contradiction>) {
        let mut by_aspect: HashMap<(String, String), Vec<(usize, Property)>> = HashMap::new();
        for (n, stated) in self.stated.iter().enumerate() {
            for property in properties(stated.sentence, &self.aliases) {
                by_aspect.entry(property.of.clone()).or_default().push((n, property));
            }
        }
        for values in by_aspect.values().filter(|values| values.len() <= MOST_SHARED) {
            for (n, (a, one)) in values.iter().enumerate() {
                for (b, two) in &values[n + 1..] {
                    let (left, right) = (&self.stated[*a], &self.stated[*b]);
                    let at_one_time =
                        one.permanent && two.permanent || left.sentence.is_contemporary(right.sentence);
                    let any = self.is_fact(left.source) || self.is_fact(right.source);
                    if at_one_time && one.excludes(two, any) {
                        found.extend(self.pair(left.source, right.source));
                    }
                }
            }
        }
    }

    /// Parallel sentences that differ in one value.
    fn by_words(&self, found: &mut BTreeSet<Contradiction>) {
        let mut by_key: HashMap<&str, Vec<usize>> = HashMap::new();
        for (n, stated) in self.stated.iter().enumerate() {
            for key in &stated.keys {
                by_key.entry(key).or_default().push(n);
            }
        }
        for (n, stated) in self.stated.iter().enumerate().filter(|(_, stated)| self.fresh[stated.source]) {
            let mut shared: HashMap<usize, usize> = HashMap::new();
            for key in &stated.keys {
                let having = by_key.get(key).map_or(&[][..], Vec::as_slice);
                if having.len() <= MOST_SHARED {
                    for other in having.iter().filter(|other| **other != n) {
                        *shared.entry(*other).or_default() += 1;
                    }
                }
            }
            for (other, shared) in shared {
                let other = &self.stated[other];
                // Parallel sentences differ at one place.
                let needed = stated.keys.len().max(other.keys.len()).saturating_sub(MAX_PLACE_WORDS);
                if shared >= needed
                    && let Some(pair) = self.pair(stated.source, other.source)
                    && !found.contains(&pair)
                    && contradict(stated.sentence, other.sentence)
                {
                    found.insert(pair);
                }
            }
        }
    }

    /// What somebody does after the end of their life.
    fn by_life(&self, found: &mut BTreeSet<Contradiction>) {
        let lives: HashMap<&str, usize> = self
            .sources
            .iter()
            .enumerate()
            .filter(|(_, source)| source.span.until().is_some())
            .flat_map(|(n, source)| source.names.iter().map(move |name| (name.as_str(), n)))
            .collect();
        if lives.is_empty() {
            return;
        }
        for stated in &self.stated {
            let event = &self.sources[stated.source];
            let Some(from) = event.span.from() else { continue };
            let Some(&life) = actor(stated.sentence).and_then(|name| lives.get(name.as_str())) else {
                continue;
            };
            let subject = &self.sources[life];
            let after = from.first_part() > subject.span.last();
            if after
                && (self.fresh[life] || self.fresh[stated.source])
                && subject.has_knowers_and_subjects_of(event)
                && (subject.standing, event.standing) > (Standing::Agent, Standing::Agent)
            {
                found.insert(Contradiction { canon: subject.side, statement: event.side });
            }
        }
    }
}

/// Who acts in a sentence: the name that it begins with.
fn actor(sentence: &Sentence) -> Option<String> {
    if sentence.items.iter().any(|item| AFTER_DEATH.contains(&item.word.as_str())) {
        return None;
    }
    let names: Vec<&str> = sentence
        .items
        .iter()
        .take_while(|item| item.sort == Sort::Name && !item.word.ends_with("'s"))
        .map(|item| item.key.as_str())
        .collect();
    let has_verb = sentence.items.len() > names.len() && !sentence.items[names.len()].word.ends_with("'s");
    (!names.is_empty() && has_verb).then(|| names.join(" "))
}

/// Which of two is the canon: the one of higher standing, of equal ones the older. `None` between two texts of agents.
fn ordered(a: &Source, b: &Source) -> Option<Contradiction> {
    if a.standing.max(b.standing) <= Standing::Agent {
        return None;
    }
    let rank = |source: &Source| (std::cmp::Reverse(source.standing), source.created_at, source.side.item);
    let (canon, statement) = if rank(a) <= rank(b) { (a, b) } else { (b, a) };
    Some(Contradiction { canon: canon.side, statement: statement.side })
}
