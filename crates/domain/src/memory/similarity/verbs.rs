//! Verb lists for the comparison of two statements.

use std::{collections::HashSet, sync::LazyLock};

/// Verbs that may have several objects at once: another object adds to the statement and does not contradict it.
const MANY: &str = "
has have had owns own owned likes like liked loves love loved speaks speak spoke knows know knew met meets
visited visits visit eats eat sells sell sold includes include contains contain hates hate fears fear collects
carries carry plays play grows grow wants wrote read visiting trades imports exports and or also enjoys enjoy
can cannot dislikes trusts distrusts distrust distrusted trusted studies studied teaches learned learnt learns
learn fought fights fight travelled travels sailed sails attended attends befriended befriends admires admired
respects respected
";

/// Verbs that are common in notes about a world, with those of neighbouring languages that join a subject with a
/// value. If a verb is missing here, a contradiction between two values of one subject goes undetected; nothing else
/// breaks.
const VERBS: &str = "
is are was were be has have had does do did can cannot could may might must shall should will would need needs
isn't aren't wasn't weren't doesn't don't didn't can't won't lies lie lay stands stand stood lives live comes
come came goes go went costs cost lasts last wears wear wore carries carry keeps keep kept rules rule leads lead
led owns own serves serve works work guards commands opens open begins begin began ends starts flows flow burns
burn burnt sells sell sold buys buy bought speaks speak spoke sleeps sleep slept eats eat ate drinks drink drank
fears fear loves love hates hate likes like prefers prefer knows know knew holds hold held takes take took gives
give gave makes make made wins won loses lost fell fought fights built wrote writes left leaves died dies lied
sank rose rises grew grows became becomes remains means meant married met ran runs rode rides sits sat brings
brought sent sends said says told tells taught teaches earns earn pays paid bury buries separates contains
freezes ist sind war waren hat haben hatte heißt wohnt liegt lebt es son está están era fue tiene tienen vive
est sont était a ont avait è sono ha hanno é são
";

static MANY_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| MANY.split_whitespace().collect());
static VERBS_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| VERBS.split_whitespace().collect());

/// True for a verb that may have several objects at once, and for words that join the members of a list.
pub(crate) fn may_have_many(word: &str) -> bool {
    MANY_SET.contains(word)
}

/// True for a known verb that joins a subject with its predicate.
pub(crate) fn is_verb(word: &str) -> bool {
    VERBS_SET.contains(word)
}
