//! Programs that try to change what an entry was made of past the rules.

use super::memory::Target;

#[tokio::test]
async fn the_derivations_in_the_index_are_those_of_the_entries() {
    for is_account in [false, true] {
        let mut target = Target::new(is_account).await;
        let (workspace, agents) = (target.workspace, target.agents.id);
        let other = target.fresh();
        for verb in ["INSERT", "INSERT OR REPLACE"] {
            let forged = format!(
                "{verb} INTO entry_derivations VALUES ('{workspace}', '{agents}', 'message', '{other}', '')"
            );
            target.refuses(&forged, "kept by the entries").await;
        }
        let message = format!(r#"{{"kind":"message","id":"{other}"}}"#);
        let (journal, declaration) = target.declared("agent");
        let with =
            |set: &str| format!("{journal}UPDATE memories SET {set}, {declaration} WHERE id = '{agents}'");
        for (set, reason) in [
            ("derivations = '[]'".to_owned(), "CHECK"),
            ("derivations = '{}'".to_owned(), "CHECK"),
            (format!("derivations = '[{}]'", message.replace("message", "dream")), "CHECK"),
        ] {
            target.refuses(&with(&set), reason).await;
        }
        let undeclared = format!("UPDATE memories SET derivations = '[{message}]' WHERE id = '{agents}'");
        target.refuses(&undeclared, "undeclared").await;
        target.run(&with(&format!("derivations = '[{message}]'"))).await.expect("a source is named");
        for attack in ["DELETE FROM entry_derivations", "UPDATE entry_derivations SET kind = 'fact'"] {
            target.refuses(attack, "kept by the entries").await;
        }
        let (journal, declaration) = target.declared("author");
        let another = message.replace(&other, &target.fresh());
        let swap = format!(
            "{journal}UPDATE memories SET derivations = '[{another}]', {declaration} WHERE id = '{agents}'"
        );
        target.refuses(&swap, "keeps what it was made of").await;
    }
}
