//! What a knower knows, worked out by living through the story day by day. It shares nothing with the rule of the lens but the
//! story itself, so that it can judge it.

use super::story::{Bearer, Since, Story, Telling, When, Who};

/// True if a telling is to be shown to `who` at a time; without `who`, whatever anybody knows.
pub fn shows(story: &Story, telling: &Telling, who: Option<Who>, when: When) -> bool {
    has_happened(story, telling, when)
        && match telling.bearer {
            Bearer::Message { speaker, day } => {
                who == Some(speaker)
                    && last_day(story, when).is_none_or(|last| last.is_some_and(|last| day <= last))
            }
            bearer => who.is_none_or(|who| knows(story, telling, bearer, who, when)),
        }
}

/// The last day that has happened: `None` for the end of the story, `Some(None)` if a chapter without days was named.
fn last_day(story: &Story, when: When) -> Option<Option<i64>> {
    match when {
        When::End => None,
        When::Day(day) => Some(Some(day)),
        When::Chapter(at) => Some(story.chapters[at].days.map(|(_, last)| last)),
    }
}

fn has_happened(story: &Story, telling: &Telling, when: When) -> bool {
    match (telling.happens, last_day(story, when)) {
        (None, _) | (_, None) => true,
        // What a fact says holds up to its last day.
        (Some(day), Some(last)) => {
            last.is_some_and(|last| day <= last && telling.ends.is_none_or(|end| last <= end))
        }
    }
}

fn knows(story: &Story, telling: &Telling, bearer: Bearer, who: Who, when: When) -> bool {
    if telling.known_by.is_empty() {
        return matches!(
            bearer,
            Bearer::Note | Bearer::Channel | Bearer::Relation | Bearer::Subject | Bearer::Fact
        );
    }
    telling.known_by.iter().any(|(knower, since)| match who {
        Who::Reader => *knower == Who::Reader && is_read(story, *since, when),
        _ => lives_to_know(story, who, *knower, *since, when),
    })
}

/// The Reader learns by the order of reading.
fn is_read(story: &Story, since: Since, when: When) -> bool {
    match (since, when) {
        (Since::Always, _) | (_, When::End) => true,
        (Since::Chapter(told), When::Chapter(at)) => {
            story.chapters[told].reading <= story.chapters[at].reading
        }
        (Since::Chapter(_), When::Day(_)) => false,
        (Since::Day(day), when) => {
            last_day(story, when).is_none_or(|last| last.is_some_and(|last| day <= last))
        }
    }
}

/// Lives through the story: a knower learns on a day, and who belongs to a group knows from then on what the group knows.
fn lives_to_know(story: &Story, who: Who, knower: Who, since: Since, when: When) -> bool {
    let Some(last) = last_day(story, when).unwrap_or(Some(story.days)) else {
        // In a chapter without days, nothing is known but what was always so.
        return since == Since::Always && (who == knower || always_belongs(story, who, knower))
            || matches!((since, when), (Since::Chapter(told), When::Chapter(at))
                if who == knower && story.chapters[told].reading <= story.chapters[at].reading);
    };
    let learned = match since {
        Since::Always => 0,
        Since::Day(day) => day,
        Since::Chapter(told) => match story.chapters[told].days {
            Some((first, _)) => first,
            // A chapter without days is reached in the order of reading alone.
            None => {
                let is_read = match when {
                    When::End => true,
                    When::Day(_) => false,
                    When::Chapter(at) => story.chapters[told].reading <= story.chapters[at].reading,
                };
                return is_read && who == knower;
            }
        },
    };
    let mut known: Vec<Who> = Vec::new();
    for day in 0..=last {
        if day >= learned && !known.contains(&knower) {
            known.push(knower);
        }
        while let Some(new) = story.memberships.iter().find(|it| {
            (it.first..=it.last).contains(&day) && known.contains(&it.group) && !known.contains(&it.member)
        }) {
            known.push(new.member);
        }
    }
    known.contains(&who)
}

fn always_belongs(story: &Story, who: Who, group: Who) -> bool {
    let mut reached = vec![who];
    let mut at = 0;
    while let Some(member) = reached.get(at).copied() {
        at += 1;
        for it in &story.memberships {
            if it.member == member && it.always && !reached.contains(&it.group) {
                reached.push(it.group);
            }
        }
    }
    reached.contains(&group)
}
