//! Which values exclude each other: words of one class, such as two colours.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    language::stem,
    memory::similarity::{Item, Sort},
};

/// Classes of words. Of one class, a thing has one value at a time. Words joined by a slash are not told apart, because
/// people use one for the other.
const CLASSES: &[(&str, &str)] = &[
    (
        "colour",
        "black white/ivory/pale grey/silver red/crimson/scarlet blue/azure green/emerald brown/hazel/chestnut yellow/golden/blond/blonde/fair/gold \
         purple/violet/lilac orange/ginger/auburn pink cyan/turquoise/teal",
    ),
    (
        "material",
        "wood/wooden/oak/pine/elm/yew/ash stone/marble/granite/sandstone/basalt iron/steel bronze/brass copper silver gold/golden \
         lead glass bone clay/brick leather wool/woollen silk linen cotton ivory wax paper parchment",
    ),
    ("wood", "oak/oaken pine elm yew ash birch cedar willow ebony"),
    ("stone", "marble granite sandstone basalt limestone slate"),
    (
        "direction",
        "north/northern south/southern east/eastern west/western northeast northwest southeast southwest",
    ),
    ("life", "dead/deceased alive/living"),
    ("height", "tall short"),
    ("size", "big/large/huge/vast/great small/tiny/little"),
    ("years", "young old/elderly/aged"),
    ("opening", "open closed/shut/sealed/locked/barred"),
    ("wealth", "rich/wealthy poor/penniless"),
    ("marriage", "married unmarried/unwed/single widowed"),
    ("side", "left right"),
    ("sex", "male female"),
    ("person", "man woman boy girl"),
    ("depth", "deep shallow"),
    ("width", "wide/broad narrow"),
    ("heat", "hot/warm cold/cool/icy"),
    ("water", "fresh/freshwater salt/salty"),
    ("taste", "sweet bitter sour"),
    ("content", "full empty"),
    ("letters", "literate illiterate"),
    ("guilt", "guilty innocent"),
    ("leave", "forbidden/banned/outlawed/illegal/prohibited allowed/permitted/legal/lawful"),
    ("openness", "public secret/hidden"),
    ("soil", "fertile/lush barren"),
    ("poison", "poisonous/venomous/deadly harmless/edible"),
    ("death", "mortal immortal/undying"),
    ("blessing", "blessed/holy cursed"),
    ("sight", "visible invisible"),
    ("wetness", "wet dry"),
    ("girth", "fat/stout thin/slender/lean"),
    ("strength", "strong weak"),
    ("people", "inhabited/populated uninhabited/abandoned/deserted"),
    ("freedom", "free enslaved"),
    ("edge", "sharp blunt"),
    ("birth", "eldest/oldest/firstborn youngest"),
    ("seniority", "elder/older younger"),
    ("storey", "upper lower"),
    ("shape", "round/circular square triangular"),
    ("hair", "bald/hairless curly/curled straight"),
    ("season", "spring summer autumn/fall winter"),
    ("day", "monday tuesday wednesday thursday friday saturday sunday"),
    ("hour", "dawn/sunrise/daybreak noon/midday dusk/sunset/nightfall midnight"),
    (
        "kin",
        "mother father sister brother daughter son wife husband aunt uncle niece nephew cousin grandmother grandfather \
         granddaughter grandson",
    ),
    (
        "rank",
        "king queen duke duchess baron baroness count countess prince princess emperor empress knight squire",
    ),
    (
        "trade",
        "smith/blacksmith baker miller weaver fisherman/fisher hunter shepherd healer/physician/doctor carpenter mason/stonemason \
         scribe merchant/trader innkeeper sailor soldier farmer potter tanner cooper thief priest/priestess bard/minstrel/singer \
         cook tailor/seamstress cartographer/mapmaker ferryman gardener midwife astronomer alchemist butcher brewer gravedigger \
         glassblower bookbinder fletcher saddler beekeeper chandler librarian painter locksmith shipwright",
    ),
    (
        "animal",
        "horse/mare/stallion/pony cat dog/hound wolf bear raven/crow owl falcon/hawk fox snake/serpent goat sheep/ram boar/pig \
         stag/deer/hart lion eagle mule donkey dragon griffin swan",
    ),
    ("weapon", "sword/blade axe bow spear/lance mace dagger/knife hammer crossbow sling halberd"),
    (
        "manner",
        "drowned/drowning poisoned/poison hanged/hanging burned/burnt stabbed beheaded starved strangled plague/fever",
    ),
    ("seat", "monarchy republic theocracy empire"),
    ("outcome", "won/victory lost/defeat"),
    ("rhythm", "daily weekly monthly yearly/annual"),
];

/// Words for kinds with the words for what they are refined to.
const REFINED: &[(&str, &[&str])] = &[
    ("wood", &["oak", "pine", "elm", "yew", "ash", "birch", "cedar", "willow", "ebony"]),
    ("stone", &["marble", "granite", "sandstone", "basalt", "limestone", "slate"]),
];

/// The class and the group within the class.
type Member = (&'static str, usize);

static MEMBERS: LazyLock<HashMap<String, Vec<Member>>> = LazyLock::new(|| {
    let mut members: HashMap<String, Vec<Member>> = HashMap::new();
    for (class, groups) in CLASSES {
        for (n, group) in groups.split_whitespace().enumerate() {
            for word in group.split('/') {
                for form in [word.to_owned(), stem(word)] {
                    let of_word = members.entry(form).or_default();
                    if !of_word.contains(&(*class, n)) {
                        of_word.push((*class, n));
                    }
                }
            }
        }
    }
    members
});

fn members(item: &Item) -> &'static [Member] {
    let found = MEMBERS.get(item.word.as_str()).or_else(|| MEMBERS.get(&stem(&item.word)));
    found.map_or(&[], Vec::as_slice)
}

/// The first class of a word, if it has one.
pub(super) fn class(item: &Item) -> Option<&'static str> {
    members(item).first().map(|(class, _)| *class)
}

/// True if the word is of this class.
pub(super) fn is_of(item: &Item, class: &str) -> bool {
    members(item).iter().any(|(of, _)| *of == class)
}

/// The class in which two words exclude each other.
pub(super) fn excluding_class(a: &Item, b: &Item) -> Option<&'static str> {
    let refines = |one: &Item, other: &Item| {
        let kind = REFINED.iter().find(|(kind, _)| one.word.starts_with(kind));
        kind.is_some_and(|(_, finer)| finer.contains(&other.word.as_str()))
    };
    if refines(a, b) || refines(b, a) {
        return None;
    }
    members(a).iter().find_map(|(class, group)| {
        let in_class = |(other, _): &&Member| other == class;
        let mut others = members(b).iter().filter(in_class).peekable();
        others.peek()?;
        others.all(|(_, other)| other != group).then_some(*class)
    })
}

/// True if two lists of words cannot both be the value of one thing: two numbers, two names, or words of one class. `open`:
/// the value may be any words.
pub(super) fn exclude(a: &[Item], b: &[Item], open: bool) -> bool {
    let of = |side: &[Item], sort: Sort| -> Vec<String> {
        side.iter().filter(|item| item.sort == sort).map(|item| item.key.clone()).collect()
    };
    let (numbers, names) =
        ((of(a, Sort::Number), of(b, Sort::Number)), (of(a, Sort::Name), of(b, Sort::Name)));
    if !numbers.0.is_empty() && !numbers.1.is_empty() {
        return numbers.0 != numbers.1;
    }
    if !names.0.is_empty() && !names.1.is_empty() {
        return !names.0.iter().any(|name| names.1.contains(name));
    }
    let content = |side: &'_ [Item]| -> Vec<Item> {
        side.iter().filter(|item| item.sort == Sort::Content).cloned().collect()
    };
    let (left, right) = (content(a), content(b));
    let pairs = || left.iter().flat_map(|one| right.iter().map(move |two| (one, two)));
    if pairs().any(|(one, two)| one.key == two.key && class(one).is_some()) {
        return false;
    }
    if pairs().any(|(one, two)| excluding_class(one, two).is_some()) {
        return true;
    }
    let short = |side: &[Item]| (1..=3).contains(&side.len());
    open && names.0.is_empty()
        && names.1.is_empty()
        && short(&left)
        && short(&right)
        && !pairs().any(|(one, two)| one.key == two.key)
}
