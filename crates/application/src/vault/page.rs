//! Reads a page from the text of its file.

use inklings_domain::vault::{BlockKind, PageBlock, PageText, stem};
use inklings_ports::vault::store::StoredPage;

use crate::markdown::{
    MAX_NAME_BYTES, MAX_NAMES,
    blocks::{block_hash, blocks},
    front::{self, Block},
    links::links,
    tags,
};

const MARK: char = '\u{FEFF}';
const TITLE: [&str; 2] = ["title", "name"];
const ALIASES: [&str; 2] = ["aliases", "alias"];
const TAGS: [&str; 2] = ["tags", "tag"];

/// What the file of a stored page says.
pub(crate) fn page_text(stored: &StoredPage) -> PageText {
    page(&stored.row.path, &stored.file())
}

/// Reads a page; `path` is that of its file in the vault. Any text is a page.
pub fn page(path: &str, file: &str) -> PageText {
    let text = file.strip_prefix(MARK).unwrap_or(file);
    let (fence, front, content) = match front::split(text) {
        Some((head, content)) => (head.fences[0].len(), head.blocks, content),
        None => (0, Vec::new(), text),
    };
    let body = text.len() - content.len();
    let one = |keys: &[&str]| {
        let text = find(&front, keys)?.text()?.trim().to_owned();
        (!text.is_empty() && text.len() <= MAX_NAME_BYTES).then_some(text)
    };
    let list = |keys: &[&str]| find(&front, keys).and_then(Block::list).unwrap_or_default();
    let given_tags = list(&TAGS).into_iter().map(|tag| tag.trim_start_matches('#').to_owned());
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut links = links(text, folder);
    links.truncate(MAX_NAMES);
    PageText {
        title: one(&TITLE).unwrap_or_else(|| stem(path).to_owned()),
        kind: one(&["type"]),
        lifecycle: one(&["status"]),
        aliases: each_once(list(&ALIASES)),
        tags: each_once(given_tags.chain(tags::tags(content)).collect()),
        head: file[..file.len() - text.len()].to_owned(),
        content: text.to_owned(),
        body,
        blocks: properties(fence, &front)
            .chain(blocks(content).into_iter().map(|block| block.moved(body)))
            .collect(),
        links,
    }
}

/// The properties of the front matter as blocks; `fence`: where they begin.
fn properties(fence: usize, front: &[Block]) -> impl Iterator<Item = PageBlock> {
    let mut end = fence;
    front.iter().filter_map(move |property| {
        let start = end;
        end += property.raw.len();
        let text = property.raw.trim_end();
        (!text.trim().is_empty()).then(|| PageBlock {
            kind: BlockKind::ListItem,
            heading: String::new(),
            range: start..start + text.len(),
            hash: block_hash(text),
        })
    })
}

fn find<'b>(blocks: &'b [Block], keys: &[&str]) -> Option<&'b Block> {
    keys.iter().find_map(|key| blocks.iter().find(|block| block.key.eq_ignore_ascii_case(key)))
}

fn each_once(mut list: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    list.retain(|item| !item.trim().is_empty() && item.len() <= MAX_NAME_BYTES && seen.insert(item.clone()));
    list.truncate(MAX_NAMES);
    list
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_page_has_what_its_front_matter_and_its_text_say() {
        let file = "\u{FEFF}---\ntitle: Saltmere\nType: place\nstatus: draft\naliases: [The Salt City, Mere]\n\
                    tags: [\"#city\", coast]\n---\n# History\nFounded by [[Mira]]. #old ![[map.png]]\n";
        let page = page("places/salt.md", file);
        assert_eq!(page.title, "Saltmere");
        assert_eq!((page.kind.as_deref(), page.lifecycle.as_deref()), (Some("place"), Some("draft")));
        assert_eq!(page.aliases, ["The Salt City", "Mere"]);
        assert_eq!(page.tags, ["city", "coast", "old"]);
        assert_eq!(&page.content[page.body..], "# History\nFounded by [[Mira]]. #old ![[map.png]]\n");
        assert_eq!(
            page.links.iter().map(|link| link.target.as_str()).collect::<Vec<_>>(),
            ["Mira", "map.png"]
        );
        let texts: Vec<&str> = page.blocks.iter().map(|block| &page.content[block.range.clone()]).collect();
        assert_eq!(texts[1], "Type: place");
        assert_eq!(texts[5..], ["# History", "Founded by [[Mira]]. #old ![[map.png]]"]);
        assert_eq!(super::page("a/Plain.md", "Text").title, "Plain");
    }

    proptest! {
        #[test]
        fn any_text_is_a_page_and_head_and_content_are_its_file(
            file in "(---\n|title: |aliases:\n|- |\\[|\\]\\]|\\[\\[|#|```|\r\n|\n|\u{FEFF}|\\PC){0,60}"
        ) {
            let page = page("a.md", &file);
            prop_assert_eq!(format!("{}{}", page.head, page.content), file);
            prop_assert!(!page.title.is_empty());
            for block in &page.blocks {
                prop_assert!(page.content.get(block.range.clone()).is_some());
            }
        }
    }
}
