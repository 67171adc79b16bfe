use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::vault::SkipReason;

fn id(n: usize) -> PageId {
    PageId::from_uuid(Uuid::from_u128(n as u128 + 1))
}

fn stat(n: i64) -> FileStat {
    FileStat { size: 1, modified_at: n }
}

/// A vault on the disk: texts by path, each with its time.
type Disk = BTreeMap<String, (u8, i64)>;

fn files(disk: &Disk) -> Vec<FoundFile> {
    disk.iter().map(|(path, (_, at))| FoundFile { path: path.clone(), stat: stat(*at) }).collect()
}

fn planned(disk: &Disk, index: &[IndexedPage]) -> SyncPlan {
    let files = files(disk);
    let hashes =
        to_read(&files, index).into_iter().map(|file| (file.path.clone(), disk[&file.path].0.to_string()));
    plan(&files, index, &hashes.collect(), &[])
}

/// The index after a plan was applied.
fn applied(mut index: Vec<IndexedPage>, disk: &Disk, plan: &SyncPlan, next: &mut usize) -> Vec<IndexedPage> {
    index.retain(|page| !plan.removed.contains(&page.id));
    for (path, change) in &plan.changes {
        let (text, at) = disk[path];
        let id = change.page().unwrap_or_else(|| {
            *next += 1;
            id(*next)
        });
        index.retain(|page| page.id != id);
        index.push(IndexedPage { id, path: path.clone(), stat: Some(stat(at)), hash: text.to_string() });
    }
    index.sort_by(|a, b| a.path.cmp(&b.path));
    index
}

fn disks() -> impl Strategy<Value = Disk> {
    prop::collection::btree_map("[a-d](/[ab])?", (0..5_u8, 0..3_i64), 0..8)
}

/// A change of a text changes the time of its file.
fn after(before: &Disk, disk: Disk) -> Disk {
    let changed = |path: &String, (text, at): (u8, i64)| match before.get(path) {
        Some((old, then)) if *old != text => (text, then + 10),
        Some((_, then)) => (text, *then),
        None => (text, at),
    };
    disk.into_iter().map(|(path, file)| (path.clone(), changed(&path, file))).collect()
}

proptest! {
    #[test]
    fn an_applied_plan_gives_the_index_of_the_disk(disks in prop::collection::vec(disks(), 1..4)) {
        let (mut index, mut next, mut before) = (Vec::new(), 0, Disk::new());
        for disk in disks {
            let disk = after(&before, disk);
            let plan = planned(&disk, &index);
            let old = index.clone();
            index = applied(index, &disk, &plan, &mut next);
            let paths: Vec<(&str, &str)> =
                index.iter().map(|page| (page.path.as_str(), page.hash.as_str())).collect();
            let texts: Vec<(String, String)> =
                disk.iter().map(|(path, (text, _))| (path.clone(), text.to_string())).collect();
            let texts: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            prop_assert_eq!(paths, texts);
            let ids: HashSet<PageId> = index.iter().map(|page| page.id).collect();
            prop_assert_eq!(ids.len(), index.len());
            // A text that is on the disk before and after keeps its page, as often as it is there.
            for text in 0..5_u8 {
                let of = |index: &[IndexedPage]| -> HashSet<PageId> {
                    index.iter().filter(|page| page.hash == text.to_string()).map(|page| page.id).collect()
                };
                let (was, is) = (of(&old), of(&index));
                prop_assert_eq!(was.intersection(&is).count(), was.len().min(is.len()));
            }
            let again = planned(&disk, &index);
            prop_assert!(again.changes.is_empty() && again.removed.is_empty());
            prop_assert_eq!(again.unchanged, disk.len() as u64);
            before = disk;
        }
    }
}

#[test]
fn pages_that_cannot_be_read_now_stay_indexed() {
    let page = |n: usize, path: &str| IndexedPage {
        id: id(n),
        path: path.to_owned(),
        stat: Some(stat(0)),
        hash: n.to_string(),
    };
    let index = [page(1, "a.md"), page(2, "far/b.md"), page(3, "c.md"), page(4, "d.md")];
    let skip = |path: &str, reason| Skip { path: path.to_owned(), reason };
    let skips = [
        skip("a.md", SkipReason::NotDownloaded),
        skip("far", SkipReason::Unreadable),
        skip("c.md", SkipReason::Empty),
        skip("d.md", SkipReason::NotText),
    ];
    let found = |path: &str| FoundFile { path: path.to_owned(), stat: stat(1) };
    let plan = plan(&[found("c.md"), found("d.md")], &index, &BTreeMap::new(), &skips);
    assert_eq!((plan.changes, plan.removed, plan.unchanged), (Vec::new(), vec![id(4)], 0));
}

#[test]
fn pages_that_change_places_keep_their_ids() {
    let disk = Disk::from([("a".to_owned(), (1, 0)), ("b".to_owned(), (2, 0))]);
    let mut next = 0;
    let index = applied(Vec::new(), &disk, &planned(&disk, &[]), &mut next);
    let swapped = Disk::from([("a".to_owned(), (2, 1)), ("b".to_owned(), (1, 1)), ("c".to_owned(), (1, 0))]);
    let plan = planned(&swapped, &index);
    let [a, b] = [index[0].id, index[1].id];
    assert_eq!(
        plan.changes[..2],
        [("a".to_owned(), PageChange::Moved(b)), ("b".to_owned(), PageChange::Moved(a))]
    );
    assert_eq!((plan.changes[2].1, plan.removed), (PageChange::Added, Vec::new()));
}
