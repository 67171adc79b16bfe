//! Shares out the token budget between layers and selects the items that fit.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Assembled, Budget, Candidate, ItemId, Layer, LayerUse, LedgerItem, LeftOut, PerLayer, Section, markdown,
};
use crate::{
    conversation::message::estimated_tokens, memory::similarity::near_identical, text::fold, words::words,
};

/// Length in characters above which a memory, message or fact is shortened. The agent can read the full text.
const SHOWN_CHARS: usize = 1_200;
/// Minimum tokens of a shortened item; smaller ones are left out.
const LEAST_TOKENS: u64 = 24;

/// Maximum number of candidates of a layer that are considered.
const fn limit(layer: Layer) -> usize {
    match layer {
        Layer::Named => usize::MAX,
        Layer::Subjects => 40,
        Layer::Facts => 60,
        Layer::Episodes | Layer::Patterns => 5,
        Layer::Earlier | Layer::Pages => 12,
        Layer::Conversation | Layer::Channel | Layer::Workspace | Layer::Account => 20,
    }
}

/// Comparison key of a text. Only texts with equal keys are compared for equality.
fn key(text: &str) -> Vec<String> {
    words(text).into_iter().filter(|word| !matches!(word.as_str(), "a" | "an" | "the")).collect()
}

/// What the document says already.
struct Statement {
    id: ItemId,
    title: Option<String>,
    text: String,
}

impl Statement {
    fn of(candidate: &Candidate) -> Self {
        let title = candidate.title.as_deref().map(fold);
        Self { id: candidate.id, title, text: candidate.text.clone() }
    }

    /// True if a candidate says the same. The same text under two titles is about two things.
    fn is_repeated_by(&self, candidate: &Candidate) -> bool {
        let other = candidate.title.as_deref().map(fold);
        let two = self.title.is_some() && other.is_some() && self.title != other;
        !two && near_identical(&self.text, &candidate.text)
    }
}

/// The items that were taken. A named entry that found no room can be taken as a memory of its tier.
type Taken = BTreeSet<(Layer, ItemId)>;

/// A candidate during selection.
struct Weighed {
    candidate: Candidate,
    shown: String,
    tokens: u64,
    shortened: bool,
    left_out: Option<LeftOut>,
}

/// Takes the named entries: the standing ones always, the others in full as far as their tokens reach. Gives the ids and
/// the tokens.
fn take_named(list: &[Weighed], most: u64) -> (Taken, u64) {
    let standing = list.iter().filter(|item| item.candidate.standing);
    let mut taken: Taken = standing.clone().map(|item| item.candidate.key()).collect();
    let mut used: u64 = standing.map(|item| item.tokens).sum();
    for item in list.iter().filter(|item| !item.candidate.standing) {
        if used + item.tokens <= most {
            used += item.tokens;
            taken.insert(item.candidate.key());
        }
    }
    (taken, used)
}

impl Candidate {
    const fn key(&self) -> (Layer, ItemId) {
        (self.layer, self.id)
    }
}

/// Builds the document from candidates, ordered by rank within their layers. Standing entries are always included in
/// full, and other named entries as far as their part of the budget reaches. Whatever the named entries take, the other
/// layers have the rest of the budget to share. A layer's unused tokens go to the next layer. The tokens left at the end
/// are offered to the layers once more, so that no tokens stay unused while an item would fit.
pub fn assemble(candidates: Vec<Candidate>, failed: &[Layer], budget: &Budget) -> Assembled {
    let mut layers: BTreeMap<Layer, Vec<Weighed>> = BTreeMap::new();
    let mut statements: BTreeMap<Vec<String>, Vec<Statement>> = BTreeMap::new();
    let (named, mut sorted): (Vec<_>, Vec<_>) =
        candidates.into_iter().partition(|candidate| candidate.layer == Layer::Named);
    let named: Vec<Weighed> = named.into_iter().map(|candidate| weigh(candidate, None)).collect();
    let most = budget.of_named();
    let (mut taken, named_tokens) = take_named(&named, most);
    for Weighed { candidate, .. } in named.iter().filter(|item| taken.contains(&item.candidate.key())) {
        statements.entry(key(&candidate.text)).or_default().push(Statement::of(candidate));
    }
    if !named.is_empty() {
        layers.insert(Layer::Named, named);
    }
    // A named entry that found no room competes as a memory of its tier.
    sorted.retain(|candidate| !taken.contains(&(Layer::Named, candidate.id)));
    sorted.sort_by_key(|candidate| candidate.layer);
    for candidate in sorted {
        let list = layers.entry(candidate.layer).or_default();
        let alike = statements.entry(key(&candidate.text)).or_default();
        let same = alike.iter().find(|statements| statements.is_repeated_by(&candidate));
        let left_out = match same.map(|statements| statements.id) {
            Some(other) => Some(LeftOut::Repeats(other)),
            None if list.len() >= limit(candidate.layer) => Some(LeftOut::Limit),
            None => None,
        };
        if left_out.is_none() {
            alike.push(Statement::of(&candidate));
        }
        let weighed = weigh(candidate, left_out);
        list.push(weighed);
    }

    let mut uses =
        PerLayer::from_fn(|layer| LayerUse { failed: failed.contains(&layer), ..LayerUse::default() });
    let of_named = uses.get_mut(Layer::Named);
    *of_named = LayerUse { budget: most.max(named_tokens), used: named_tokens, ..*of_named };
    let tokens_left = budget.tokens.saturating_sub(named_tokens.min(most));
    let parts: u64 = Layer::ALL.iter().skip(1).map(|layer| *budget.shares.get(*layer)).sum();

    let mut carried = 0;
    for layer in Layer::ALL.iter().skip(1) {
        let own = (tokens_left * budget.shares.get(*layer)).checked_div(parts).unwrap_or(0);
        let mut left = own + carried;
        let total = left;
        take(layers.get_mut(layer), &mut left, &mut taken, false);
        uses.get_mut(*layer).budget = total;
        uses.get_mut(*layer).used = total - left;
        carried = left;
    }
    // Rounding leaves some tokens as well.
    let spent: u64 = Layer::ALL.iter().skip(1).map(|layer| uses.get(*layer).used).sum();
    let mut left = tokens_left.saturating_sub(spent);
    for layer in Layer::ALL.iter().skip(1) {
        let before = left;
        take(layers.get_mut(layer), &mut left, &mut taken, true);
        let more = before - left;
        let layer = uses.get_mut(*layer);
        layer.used += more;
        layer.budget = layer.budget.max(layer.used);
    }
    finish(layers, &uses, &taken)
}

fn weigh(candidate: Candidate, left_out: Option<LeftOut>) -> Weighed {
    let is_archive = matches!(candidate.layer, Layer::Earlier) && candidate.title.is_some();
    let whole = matches!(candidate.layer, Layer::Named) || is_archive;
    let chars = if matches!(candidate.layer, Layer::Episodes) || whole { 6_000 } else { SHOWN_CHARS };
    let (shown, shortened) = if candidate.layer == Layer::Named {
        (candidate.text.clone(), false)
    } else {
        markdown::one_line(&candidate.text, chars)
    };
    let tokens = estimated_tokens(&markdown::item(&candidate, &shown));
    Weighed { candidate, shown, tokens, shortened, left_out }
}

/// Takes the items that fit, best first. An item that does not fit is skipped, and the next ones are tried. With
/// `shorten`, such an item is cut to the remaining tokens.
fn take(list: Option<&mut Vec<Weighed>>, left: &mut u64, taken: &mut Taken, shorten: bool) {
    for item in list.into_iter().flatten() {
        let waits = item.left_out.is_none() && !taken.contains(&item.candidate.key());
        if !waits {
            continue;
        }
        if item.tokens > *left && shorten && *left >= LEAST_TOKENS {
            cut(item, *left);
        }
        if item.tokens <= *left {
            *left -= item.tokens;
            taken.insert(item.candidate.key());
        }
    }
}

/// Cuts an item to at most `most` tokens. The item stays unchanged if its framing alone takes too much.
fn cut(item: &mut Weighed, most: u64) {
    let frame = estimated_tokens(&markdown::item(&item.candidate, ""));
    if frame + LEAST_TOKENS / 2 > most {
        return;
    }
    // The estimate is four bytes per token; reducing it in steps corrects it for other scripts.
    let mut chars = ((most - frame) * 4) as usize;
    while chars > 16 {
        let (shown, _) = markdown::one_line(&item.candidate.text, chars);
        let tokens = estimated_tokens(&markdown::item(&item.candidate, &shown));
        if tokens <= most {
            (item.shown, item.tokens, item.shortened) = (shown, tokens, true);
            return;
        }
        chars = chars * 3 / 4;
    }
}

fn finish(layers: BTreeMap<Layer, Vec<Weighed>>, uses: &PerLayer<LayerUse>, taken: &Taken) -> Assembled {
    let (mut sections, mut items, mut tokens) = (Vec::new(), Vec::new(), 0);
    for (layer, list) in layers {
        let mut shown = Vec::new();
        for weighed in list {
            let Weighed { candidate, shown: text, tokens: own, shortened, left_out } = weighed;
            let took = left_out.is_none() && taken.contains(&candidate.key());
            items.push(LedgerItem {
                layer,
                id: candidate.id,
                version: candidate.version,
                framing: candidate.framing.clone(),
                score: candidate.score,
                parts: candidate.parts.clone(),
                tokens: own,
                shortened: shortened && took,
                left_out: if took { None } else { Some(left_out.unwrap_or(LeftOut::Budget)) },
            });
            if took {
                tokens += own;
                shown.push((candidate, text));
            }
        }
        // The newest episodes are selected first and rendered last.
        if layer == Layer::Episodes {
            shown.reverse();
        }
        if !shown.is_empty() {
            sections.push(Section { layer, items: shown });
        }
    }
    Assembled { sections, items, layers: *uses, tokens }
}

/// The document without the items that the refinement gate dropped. Named entries stay.
pub fn dropped(mut assembled: Assembled, unwanted: &BTreeSet<ItemId>) -> Assembled {
    let goes = |layer: Layer, id: &ItemId| layer != Layer::Named && unwanted.contains(id);
    for section in &mut assembled.sections {
        section.items.retain(|(candidate, _)| !goes(section.layer, &candidate.id));
    }
    assembled.sections.retain(|section| !section.items.is_empty());
    for item in &mut assembled.items {
        if item.left_out.is_none() && goes(item.layer, &item.id) {
            item.left_out = Some(LeftOut::Refined);
            assembled.tokens -= item.tokens;
            assembled.layers.get_mut(item.layer).used -= item.tokens;
        }
    }
    assembled
}

#[cfg(test)]
#[path = "assemble_tests.rs"]
mod tests;
