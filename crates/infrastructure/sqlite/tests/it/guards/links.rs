//! Programs that try to link entries past the rules.

use super::{columns::LINKS, memory::Target};

#[tokio::test]
async fn the_links_in_the_index_are_those_of_the_entries() {
    let mut target = Target::new(false).await;
    let (workspace, agents) = (target.workspace, target.agents.id);
    let other = target.fresh();
    for verb in ["INSERT", "INSERT OR REPLACE"] {
        let forged =
            format!("{verb} INTO entry_links VALUES ('{workspace}', '{agents}', 'about', '{other}')");
        target.refuses(&forged, "kept by the entries").await;
    }
    let link = |role: &str| format!(r#"{{"role":"{role}","id":"{other}"}}"#);
    let (journal, declaration) = target.declared("agent");
    let with = |set: &str| format!("{journal}UPDATE memories SET {set}, {declaration} WHERE id = '{agents}'");
    for (set, reason) in [
        (format!("links = '[{}]'", link("from")), "one end on each side"),
        (format!("relation = 'knows', links = '[{}]'", link("from")), "one end on each side"),
        (
            format!("relation = 'knows', links = '[{},{}]'", link("from"), link("from")),
            "one end on each side",
        ),
        ("relation = 'knows'".to_owned(), "CHECK"),
        (format!("links = '[{}]'", link("owner")), "CHECK"),
        (format!("links = '[{}]'", link("about").replace(&other, &agents.to_string())), "CHECK"),
        ("subject = 'place'".to_owned(), "CHECK"),
    ] {
        target.refuses(&with(&set), reason).await;
    }
    target.run(&with(&format!("links = '[{}]'", link("about")))).await.expect("a memory is linked");
    for attack in ["DELETE FROM entry_links", "UPDATE entry_links SET role = 'from'"] {
        target.refuses(attack, "kept by the entries").await;
    }
}

#[tokio::test]
async fn nothing_of_the_account_is_a_subject_or_is_linked() {
    let mut target = Target::new(true).await;
    let (named, agents) = (target.named.id, target.agents.id);
    let (journal, declaration) = target.declared("author");
    for (id, set) in [(named, "subject = 'place'".to_owned()), (agents, format!("links = {LINKS}"))] {
        let attack = format!("{journal}UPDATE memories SET {set}, {declaration} WHERE id = '{id}'");
        target.refuses(&attack, "CHECK").await;
    }
}

#[tokio::test]
async fn an_agent_changes_nothing_about_who_knows_of_an_entry_and_only_a_knower_has_a_time() {
    let mut target = Target::new(false).await;
    let (agents, other) = (target.agents.id, target.fresh());
    let knower = format!(r#"{{"role":"known_by","id":"{other}"}}"#);
    let timed = |role: &str| format!(r#"{{"role":"{role}","id":"{other}","since":10000}}"#);
    let with = |(journal, declaration): (String, String), links: &str| {
        format!("{journal}UPDATE memories SET links = {links}, {declaration} WHERE id = '{agents}'")
    };
    let by_agent = target.declared("agent");
    target.refuses(&with(by_agent.clone(), &format!("'[{knower}]'")), "for the worldbuilder").await;
    target.refuses(&with(by_agent, &format!("'[{}]'", timed("about"))), "since when").await;
    let by_author = target.declared("author");
    target.run(&with(by_author, &format!("'[{knower}]'"))).await.expect("the worldbuilder says who knows");
    for links in ["NULL".to_owned(), format!("'[{}]'", timed("known_by"))] {
        let by_agent = target.declared("agent");
        target.refuses(&with(by_agent, &links), "for the worldbuilder").await;
    }
}
