//! The vectors of passages in an import file are used if they cover their whole text. Otherwise only that of the
//! beginning is, as in files of releases that embedded no passages, and the text waits for the others.

use inklings_domain::search::passage::is_one;
use inklings_ports::transfer::{fields::text_of, shape::VECTORS, store::Fields};
use serde_json::Value;

/// Checks the vectors of a row against its text. Drops passages that do not fit, and says in each vector of a text
/// whether it covers only the beginning.
pub(super) fn settle(row: &Fields, lists: &mut [(&str, Vec<Value>)]) {
    let content = text_of(row, "content").unwrap_or_default();
    let mut passages: Vec<Value> = list(lists, VECTORS[1]).map(std::mem::take).unwrap_or_default();
    let (mut kept, mut whole) = (Vec::new(), None);
    for vector in list(lists, VECTORS[0]).into_iter().flatten() {
        let (mut own, others): (Vec<Value>, Vec<Value>) =
            passages.into_iter().partition(|passage| passage["model"] == vector["model"]);
        passages = others;
        own.sort_by_key(|passage| number(passage, "ordinal"));
        if covers(content, vector, &own) {
            kept.append(&mut own);
            continue;
        }
        let Some(vector) = vector.as_object_mut() else { continue };
        vector.remove("first_end");
        if !*whole.get_or_insert_with(|| is_one(text_of(row, "title"), content)) {
            vector.insert("first_end".to_owned(), 0.into());
        }
    }
    if let Some(list) = list(lists, VECTORS[1]) {
        *list = kept;
    }
}

fn list<'l>(lists: &'l mut [(&str, Vec<Value>)], name: &str) -> Option<&'l mut Vec<Value>> {
    lists.iter_mut().find(|(own, _)| *own == name).map(|(_, list)| list)
}

/// True if these are the passages behind the first of a text, without a gap.
fn covers(content: &str, first: &Value, behind: &[Value]) -> bool {
    let mut end = number(first, "first_end").unwrap_or_default();
    let mut fits = end > 0 && !behind.is_empty();
    for (passage, ordinal) in behind.iter().zip(2..) {
        let (starts, ends) = (number(passage, "starts"), number(passage, "ends"));
        fits &= number(passage, "ordinal") == Some(ordinal) && passage["dimension"] == first["dimension"];
        fits &= starts.is_some_and(|starts| starts <= end && content.is_char_boundary(starts));
        fits &= content.is_char_boundary(end) && ends > Some(end);
        end = ends.unwrap_or_default();
    }
    fits && end == content.len()
}

fn number(item: &Value, name: &str) -> Option<usize> {
    item[name].as_u64().and_then(|number| usize::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LONG: usize = 2_000;

    fn settled(content: &str, vector: Value, passages: Vec<Value>) -> (Value, Vec<Value>) {
        let row = json!({ "content": content });
        let mut lists = [(VECTORS[0], vec![vector]), (VECTORS[1], passages)];
        settle(row.as_object().expect("an object"), &mut lists);
        let [(_, mut vectors), (_, passages)] = lists;
        (vectors.remove(0), passages)
    }

    fn passage(ordinal: usize, starts: usize, ends: usize) -> Value {
        json!({ "model": "m", "ordinal": ordinal, "starts": starts, "ends": ends, "dimension": 2 })
    }

    fn first(end: usize) -> Value {
        json!({ "model": "m", "dimension": 2, "first_end": end })
    }

    #[test]
    fn passages_that_cover_their_text_are_used() {
        let text = "word ".repeat(LONG / 5);
        let behind = vec![passage(3, 1_400, LONG), passage(2, 700, 1_500)];
        let (vector, passages) = settled(&text, first(800), behind);
        assert_eq!(vector, first(800));
        assert_eq!(passages, [passage(2, 700, 1_500), passage(3, 1_400, LONG)]);
    }

    #[test]
    fn of_passages_with_a_gap_only_the_first_is_used_and_the_text_stays_pending() {
        let text = format!("é{}", "word ".repeat(LONG / 5));
        let end = text.len();
        for behind in [
            vec![],
            vec![passage(2, 900, end)],
            vec![passage(2, 700, end - 1)],
            vec![passage(3, 700, end)],
            vec![passage(2, 1, end)],
            vec![passage(2, 700, 800), passage(3, 700, end)],
            vec![json!({ "model": "n", "ordinal": 2, "starts": 700, "ends": end, "dimension": 2 })],
            vec![json!({ "model": "m", "ordinal": 2, "starts": 700, "ends": end, "dimension": 3 })],
        ] {
            let (vector, passages) = settled(&text, first(800), behind.clone());
            assert_eq!((vector, passages), (first(0), vec![]), "{behind:?}");
        }
    }

    #[test]
    fn a_short_text_has_one_vector_for_any_file() {
        let one = json!({ "model": "m", "dimension": 2 });
        assert_eq!(settled("The gate.", first(4), vec![]), (one.clone(), vec![]));
        assert_eq!(settled("The gate.", one.clone(), vec![passage(2, 3, 9)]), (one, vec![]));
    }

    #[test]
    fn a_vector_of_an_earlier_release_covers_the_beginning_of_a_long_text() {
        let old = json!({ "model": "m", "dimension": 2 });
        assert_eq!(settled(&"word ".repeat(LONG / 5), old, vec![]), (first(0), vec![]));
    }
}
