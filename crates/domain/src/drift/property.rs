//! Reads what a sentence says of a thing as properties: the thing, an aspect of it, and a value.

use std::collections::{BTreeMap, HashMap};

use super::{
    sentence::Sentence,
    values::{self, class, is_of},
    words::{ACTS, COPULA, ENDS, PARTS, ROLES, SAME_ROLE, TITLES},
};
use crate::memory::similarity::{Item, Sort};

/// Other names of subjects, folded, with the name of each.
pub(super) type Aliases = HashMap<String, String>;

/// A value of an aspect of a thing.
#[derive(Debug, Clone)]
pub(super) struct Property {
    /// The thing and the aspect.
    pub(super) of: (String, String),
    pub(super) value: Vec<Item>,
    /// True if any two values exclude each other, not only those of one class.
    pub(super) open: bool,
    /// True if it stays so once it has happened: birth, death, foundation.
    pub(super) permanent: bool,
}

impl Property {
    /// True if both cannot hold of one thing. `any`: two values of an open aspect exclude each other, as those of a fact do.
    pub(super) fn excludes(&self, other: &Self, any: bool) -> bool {
        self.of == other.of && values::exclude(&self.value, &other.value, any && self.open && other.open)
    }
}

/// What is said of things in a sentence.
pub(super) fn properties(sentence: &Sentence, aliases: &Aliases) -> Vec<Property> {
    let reader = Reader { items: &sentence.items, aliases };
    let mut found = Vec::new();
    reader.parts(&mut found);
    reader.age(&mut found);
    reader.counts(&mut found);
    reader.copula(&mut found);
    reader.acts(&mut found);
    reader.places(&mut found);
    reader.life(&mut found);
    found.retain(|property| !property.of.0.is_empty() && !property.value.is_empty());
    found
}

struct Reader<'r> {
    items: &'r [Item],
    aliases: &'r Aliases,
}

impl Reader<'_> {
    fn word(&self, n: usize) -> &str {
        self.items.get(n).map_or("", |item| item.word.as_str())
    }

    fn denied(&self) -> bool {
        self.items.iter().any(|item| item.sort == Sort::Negation)
    }

    /// What a part of the sentence names: its first name, or else its nouns.
    fn thing(&self, from: usize, to: usize) -> String {
        let side = &self.items[from.min(to)..to.min(self.items.len())];
        let is_name = |item: &Item| item.sort == Sort::Name && !TITLES.contains(&item.key.as_str());
        let Some(at) = side.iter().position(is_name) else {
            let words: Vec<&str> = side
                .iter()
                .filter(|item| matches!(item.sort, Sort::Content | Sort::Number))
                .map(|item| item.key.as_str())
                .collect();
            return words.join(" ");
        };
        let mut name = Vec::new();
        let mut end = at;
        for item in side[at..].iter().take_while(|item| item.sort == Sort::Name) {
            name.push(item.key.as_str());
            end += 1;
            if is_possessive(item) {
                break;
            }
        }
        let owned: Vec<&str> = side[end..]
            .iter()
            .take_while(|item| item.sort == Sort::Content)
            .map(|item| item.key.as_str())
            .collect();
        if is_possessive(&side[end - 1]) && !owned.is_empty() {
            // "Mira's horse" is not Mira.
            return format!("{}'s {}", name.join(" "), owned.join(" "));
        }
        let name = name.join(" ");
        self.aliases.get(&name).cloned().unwrap_or(name)
    }

    fn possessive(&self, from: usize, to: usize) -> Option<usize> {
        (from..to.min(self.items.len())).find(|n| is_possessive(&self.items[*n]))
    }

    fn of(&self, from: usize, to: usize) -> Option<usize> {
        (from..to.min(self.items.len())).find(|n| self.items[*n].word == "of")
    }

    fn verb(&self) -> Option<usize> {
        (1..self.items.len()).find(|n| COPULA.contains(&self.word(*n)))
    }

    fn value(&self, from: usize, to: usize) -> Vec<Item> {
        let side = &self.items[from.min(to)..to.min(self.items.len())];
        side.iter()
            .filter(|item| matches!(item.sort, Sort::Name | Sort::Number | Sort::Content))
            .cloned()
            .collect()
    }

    /// Items up to the next preposition or conjunction.
    fn phrase_end(&self, from: usize) -> usize {
        (from..self.items.len())
            .find(|n| self.items[*n].sort == Sort::Function && !matches!(self.word(*n), "of" | "?"))
            .unwrap_or(self.items.len())
    }

    /// "Mira has grey eyes", "grey-eyed Mira", "the eyes of Mira are grey".
    fn parts(&self, found: &mut Vec<Property>) {
        if self.denied() {
            return;
        }
        let part = |item: &Item| {
            let word =
                if item.word.ends_with("ed") { item.word.trim_end_matches("ed") } else { item.key.as_str() };
            PARTS.iter().find(|part| word == **part || item.word.trim_end_matches('s') == **part).copied()
        };
        for (n, item) in self.items.iter().enumerate() {
            let Some(name) = part(item) else { continue };
            let owner = match (self.possessive(0, n), self.of(n + 1, n + 2)) {
                (Some(p), _) => self.thing(0, p + 1),
                (None, Some(o)) => self.thing(o + 1, self.items.len().min(o + 3)),
                (None, None) if item.word.ends_with("ed") => self.thing(0, self.items.len()),
                (None, None) => self.thing(0, n.saturating_sub(1)),
            };
            // A noun by itself is a thing of its own: "the green door".
            let looks = |at: &usize| {
                ["colour", "hair", "wood", "material"].iter().any(|of| is_of(&self.items[*at], of))
            };
            let before = (n.saturating_sub(2)..n).rev().find(looks);
            let behind = (n + 1..self.items.len()).find(|at| COPULA.contains(&self.word(*at)));
            let behind = behind.and_then(|at| (at + 1..self.items.len().min(at + 3)).find(looks));
            if let Some(at) = before.or(behind) {
                // One eye has another colour than the other.
                let side = (n.saturating_sub(2)..n).find(|at| is_of(&self.items[*at], "side"));
                let side = side.map(|at| format!("{} ", self.word(at))).unwrap_or_default();
                let of = (owner, side + name);
                found.push(Property {
                    of,
                    value: vec![self.items[at].clone()],
                    open: false,
                    permanent: false,
                });
            }
        }
    }

    /// "34-year-old Mira", "Mira, aged 34".
    fn age(&self, found: &mut Vec<Property>) {
        for n in 0..self.items.len() {
            if self.items[n].sort != Sort::Number {
                continue;
            }
            let years = matches!(self.word(n + 1), "year" | "years" | "winters" | "summers");
            let old = years && matches!(self.word(n + 2), "old" | "of");
            let aged = n > 0 && matches!(self.word(n - 1), "aged" | "age");
            if old || aged {
                let owner = self.thing(0, self.items.len());
                let of = (owner, "age".to_owned());
                found.push(Property {
                    of,
                    value: vec![self.items[n].clone()],
                    open: false,
                    permanent: false,
                });
            }
        }
    }

    /// "The Rachel has four boats." Only what ends with the noun: "has two boats in the yard" may not be all of them.
    fn counts(&self, found: &mut Vec<Property>) {
        let has = |n: &usize| matches!(self.word(*n), "has" | "have" | "had" | "carries");
        let Some(verb) = (1..self.items.len()).find(has) else { return };
        let is_end = self.items.len() == verb + 3 && self.items[verb + 2].sort == Sort::Content;
        if self.denied() || !is_end || self.items[verb + 1].sort != Sort::Number {
            return;
        }
        let (of, value) =
            ((self.thing(0, verb), self.word(verb + 2).to_owned()), vec![self.items[verb + 1].clone()]);
        found.push(Property { of, value, open: true, permanent: false });
    }

    fn copula(&self, found: &mut Vec<Property>) {
        let Some(verb) = self.verb() else { return };
        if self.denied() {
            return;
        }
        let once_words = ["born", "founded", "built"];
        if once_words.contains(&self.word(verb + 1))
            || self.word(verb + 2) == "by"
            || self.word(verb + 1) == "married"
        {
            return;
        }
        let (owner, attribute) = match (self.possessive(0, verb), self.of(0, verb)) {
            (Some(p), _) => (self.thing(0, p + 1), self.attribute(p + 1, verb)),
            (None, Some(o)) => (self.thing(o + 1, verb), self.attribute(0, o)),
            (None, None) => (self.thing(0, verb), String::new()),
        };
        let end = self.phrase_end(verb + 1);
        if !attribute.is_empty() {
            self.attributed(found, owner, &attribute, self.value(verb + 1, end.max(verb + 2)));
            return;
        }
        // "Toma is the king of Ambry", "Toma is Ambry's king".
        let role = match (self.possessive(verb + 1, self.items.len()), self.of(verb + 1, self.items.len())) {
            (Some(p), _) => {
                Some((self.attribute(p + 1, self.phrase_end(p + 1)), self.thing(verb + 1, p + 1)))
            }
            (None, Some(o)) => Some((self.attribute(verb + 1, o), self.thing(o + 1, self.phrase_end(o + 1)))),
            (None, None) => None,
        };
        if let Some((role, of)) = role {
            // "A ship of Nantucket" is one of several.
            if self.items.get(verb + 1).is_some_and(|item| item.indefinite) {
                return;
            }
            let subject = self.value(0, verb);
            let head = head(&role);
            self.role(found, &of, head, subject);
            let kin: Vec<Item> = self
                .value(verb + 1, self.items.len())
                .into_iter()
                .filter(|item| is_of(item, "kin"))
                .collect();
            if kin.len() == 1 {
                found.push(Property {
                    of: (owner, format!("kin of {of}")),
                    value: kin,
                    open: false,
                    permanent: false,
                });
            }
            return;
        }
        let value = self.value(verb + 1, end);
        // The third is no amount.
        if value.first().is_some_and(|item| item.sort == Sort::Number && !item.key.ends_with('.')) {
            let unit: Vec<&str> = value[1..].iter().map(|item| item.key.as_str()).collect();
            let old = unit.is_empty()
                || matches!(self.word(verb + 2), "years" | "winters" | "summers") && unit.len() < 3;
            let aspect = if old { "age".to_owned() } else { format!("measure {}", unit.join(" ")) };
            found.push(Property {
                of: (owner, aspect),
                value: value[..1].to_vec(),
                open: false,
                permanent: false,
            });
            return;
        }
        if self.items.iter().any(|item| item.word == "than") {
            return;
        }
        // All values of a class together: "a healer and a weaver".
        let mut by_class: BTreeMap<&str, Vec<Item>> = BTreeMap::new();
        for item in self.value(verb + 1, self.items.len()) {
            if let Some(class) = class(&item).filter(|_| !value.is_empty()) {
                by_class.entry(class).or_default().push(item);
            }
        }
        for (class, value) in by_class {
            let aspect = if class == "material" { "made" } else { class };
            found.push(Property {
                of: (owner.clone(), aspect.to_owned()),
                value,
                open: false,
                permanent: false,
            });
        }
    }

    /// The words of an attribute: "sister", "eye color".
    fn attribute(&self, from: usize, to: usize) -> String {
        let words: Vec<&str> = self
            .items
            .get(from..to.min(self.items.len()))
            .unwrap_or_default()
            .iter()
            .filter(|item| matches!(item.sort, Sort::Content | Sort::Name | Sort::Number))
            .map(|item| item.word.as_str())
            .collect();
        words.join(" ")
    }

    /// "Mira's eyes are grey", "the age of Mira is 34", "the capital of Orn is Ambry".
    fn attributed(&self, found: &mut Vec<Property>, owner: String, attribute: &str, value: Vec<Item>) {
        let last = attribute.split(' ').next_back().unwrap_or_default();
        let first = attribute.split(' ').next().unwrap_or_default();
        let part = PARTS.iter().find(|part| first.trim_end_matches('s') == **part);
        let aspect = match (last, part) {
            (_, Some(part)) => (*part).to_owned(),
            ("age", _) => "age".to_owned(),
            ("home" | "residence" | "hometown" | "house", _) => "home".to_owned(),
            ("birthplace", _) => "birthplace".to_owned(),
            ("origin", _) => "origin".to_owned(),
            ("status" | "fate" | "state", _) => "life".to_owned(),
            ("occupation" | "trade" | "profession" | "job" | "craft" | "calling", _) => "trade".to_owned(),
            ("material", _) => "made".to_owned(),
            ("spouse" | "wife" | "husband", _) => "role spouse".to_owned(),
            (role, _) if ROLES.contains(&role) => {
                self.role(found, &owner, role, value);
                return;
            }
            (
                "sister" | "brother" | "son" | "daughter" | "friend" | "cousin" | "child" | "ally" | "enemy"
                | "uncle" | "aunt",
                _,
            ) => {
                return;
            }
            _ => attribute.to_owned(),
        };
        let open = !matches!(aspect.as_str(), "life" | "trade");
        found.push(Property { of: (owner, aspect), value, open, permanent: false });
    }

    fn role(&self, found: &mut Vec<Property>, of: &str, role: &str, value: Vec<Item>) {
        if !ROLES.contains(&role) {
            return;
        }
        let same = SAME_ROLE.iter().find(|(word, _)| *word == role).map_or(role, |(_, same)| *same);
        let aspect = match same {
            "home" | "birthplace" => same.to_owned(),
            role => format!("role {role}"),
        };
        let names: Vec<Item> = value
            .into_iter()
            .filter(|item| item.sort == Sort::Name && !TITLES.contains(&item.key.as_str()))
            .map(|item| self.named(item))
            .collect();
        found.push(Property { of: (of.to_owned(), aspect), value: names, open: false, permanent: false });
    }

    /// The item with the name of the subject that it is an alias of.
    fn named(&self, item: Item) -> Item {
        match self.aliases.get(&item.key) {
            Some(name) => Item { key: name.split(' ').next().unwrap_or_default().to_owned(), ..item },
            None => item,
        }
    }

    fn names(&self, from: usize, to: usize) -> Vec<Item> {
        let is_name = |item: &Item| item.sort == Sort::Name && !is_possessive(item);
        let names = self.value(from, to).into_iter().filter(is_name);
        names.filter(|item| !TITLES.contains(&item.key.as_str())).map(|item| self.named(item)).collect()
    }

    /// "Toma rules Ambry", "Ambry was founded by Toma", "Mira is married to Toma".
    fn acts(&self, found: &mut Vec<Property>) {
        if self.denied() {
            return;
        }
        let len = self.items.len();
        for n in 1..len {
            let word = self.word(n);
            let once = |role: &str| {
                matches!(
                    role,
                    "founder"
                        | "killer"
                        | "author"
                        | "maker"
                        | "builder"
                        | "discoverer"
                        | "inventor"
                        | "composer"
                )
            };
            if let Some((_, role)) = ACTS.iter().find(|(verb, _)| *verb == word) {
                let (object, actor) = if self.word(n + 1) == "by" {
                    let verb = self.verb().filter(|verb| *verb < n).unwrap_or(n);
                    (self.thing(0, verb), self.names(n + 2, self.phrase_end(n + 2)))
                } else if COPULA.contains(&self.word(n - 1))
                    || self.names(n + 1, self.phrase_end(n + 1)).is_empty()
                {
                    // What has no name may be one of several: "made a basket".
                    continue;
                } else if self.items[n + 1].indefinite && self.of(n + 1, self.phrase_end(n + 1)).is_some() {
                    // "Owns a share of the Pequod" is not to own the Pequod.
                    continue;
                } else {
                    (self.thing(n + 1, self.phrase_end(n + 1)), self.names(0, n))
                };
                let of = (object, format!("role {role}"));
                found.push(Property { of, value: actor, open: false, permanent: once(role) });
            }
            if matches!(word, "married" | "wed") && n > 0 {
                let to = if self.word(n + 1) == "to" { n + 2 } else { n + 1 };
                let (person, spouse) = (self.thing(0, n), self.names(to, self.phrase_end(to)));
                let other = self.thing(to, self.phrase_end(to));
                if !spouse.is_empty() {
                    let of = (other, "role spouse".to_owned());
                    found.push(Property { of, value: self.names(0, n), open: false, permanent: false });
                    let of = (person, "role spouse".to_owned());
                    found.push(Property { of, value: spouse, open: false, permanent: false });
                }
            }
        }
    }

    /// "Mira lives in Ambry", "was born in Tolm in 812", "the tower stands north of Ambry".
    fn places(&self, found: &mut Vec<Property>) {
        if self.denied() {
            return;
        }
        for n in 1..self.items.len() {
            let aspect = match self.word(n) {
                "lives" | "dwells" | "resides" | "live" => "home",
                "born" => "birthplace",
                "comes" | "hails" | "came" => "origin",
                "works" | "trained" | "serves" if matches!(self.word(n + 1), "as") => "trade",
                "lies" | "stands" | "sits" | "lie" | "stand" => "location",
                "buried" => "grave",
                "made" | "forged" | "carved" | "built" | "woven" | "cut" => "made",
                "founded" | "crowned" | "destroyed" => "",
                _ => continue,
            };
            let owner = self.thing(0, n);
            let mut at = n + 1;
            while at < self.items.len() {
                let preposition = self.word(at);
                if !matches!(
                    preposition,
                    "in" | "at" | "from" | "on" | "of" | "as" | "out" | "near" | "under" | "beneath"
                ) {
                    if aspect == "location" && is_of(&self.items[at], "direction") {
                        let value = vec![self.items[at].clone()];
                        let of =
                            self.of(at + 1, at + 2).map(|of| self.thing(of + 1, self.phrase_end(of + 1)));
                        let aspect = format!("side of {}", of.unwrap_or_default());
                        found.push(Property {
                            of: (owner.clone(), aspect),
                            value,
                            open: false,
                            permanent: false,
                        });
                    }
                    at += 1;
                    continue;
                }
                let value = self.value(at + 1, self.phrase_end(at + 1));
                let year = value.iter().any(|item| item.sort == Sort::Number);
                let (aspect, permanent) = match (aspect, year) {
                    ("birthplace" | "", true) => (format!("year {}", self.word(n)), true),
                    ("", false) => break,
                    (aspect @ ("birthplace" | "grave"), false) => (aspect.to_owned(), true),
                    (aspect, _) => (aspect.to_owned(), false),
                };
                let kept: Vec<Item> = match aspect.as_str() {
                    "made" => value
                        .into_iter()
                        .filter(|item| is_of(item, "material") || is_of(item, "wood"))
                        .collect(),
                    "trade" => value.into_iter().filter(|item| is_of(item, "trade")).collect(),
                    _ if year => value.into_iter().filter(|item| item.sort == Sort::Number).collect(),
                    _ => value
                        .into_iter()
                        .filter(|item| item.sort == Sort::Name)
                        .map(|item| self.named(item))
                        .collect(),
                };
                found.push(Property { of: (owner.clone(), aspect), value: kept, open: false, permanent });
                at += 1;
            }
        }
    }

    /// Whether somebody is alive, and when and how they died.
    fn life(&self, found: &mut Vec<Property>) {
        if self.denied() {
            return;
        }
        for n in 1..self.items.len() {
            let word = self.word(n);
            let killed = matches!(word, "killed" | "murdered" | "hanged" | "beheaded" | "poisoned")
                && COPULA.contains(&self.word(n - 1));
            let of = |aspect: &str| (self.thing(0, n), aspect.to_owned());
            if ENDS.contains(&word) || killed {
                let dead = Item {
                    key: "dead".into(),
                    word: "dead".into(),
                    sort: Sort::Content,
                    definite: false,
                    indefinite: false,
                };
                found.push(Property { of: of("life"), value: vec![dead], open: false, permanent: true });
                for at in n..self.items.len() {
                    let item = &self.items[at];
                    if item.sort == Sort::Number && matches!(self.word(at - 1), "in" | "year" | "of") {
                        found.push(Property {
                            of: of("year died"),
                            value: vec![item.clone()],
                            open: false,
                            permanent: true,
                        });
                    }
                    if is_of(item, "manner") {
                        found.push(Property {
                            of: of("manner"),
                            value: vec![item.clone()],
                            open: false,
                            permanent: true,
                        });
                    }
                    if item.sort == Sort::Name && matches!(self.word(at - 1), "in" | "at" | "near") {
                        found.push(Property {
                            of: of("place died"),
                            value: self.names(at, at + 1),
                            open: false,
                            permanent: true,
                        });
                    }
                }
            }
            if matches!(
                word,
                "lives"
                    | "alive"
                    | "resides"
                    | "dwells"
                    | "survived"
                    | "works"
                    | "rules"
                    | "serves"
                    | "teaches"
                    | "keeps"
                    | "runs"
            ) {
                let alive = Item {
                    key: "alive".into(),
                    word: "alive".into(),
                    sort: Sort::Content,
                    definite: false,
                    indefinite: false,
                };
                found.push(Property { of: of("life"), value: vec![alive], open: false, permanent: true });
            }
        }
    }
}

fn is_possessive(item: &Item) -> bool {
    ["'s", "’s"].iter().any(|ending| item.word.ends_with(ending))
}

/// The last word of a role: "twin sister" is a sister.
fn head(role: &str) -> &str {
    role.split(' ').next_back().unwrap_or_default()
}
