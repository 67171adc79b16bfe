//! Links of third-party entries: where an import lets them lead, and whose texts it makes subjects.

use inklings_application::{
    testing::laundering::File,
    transfer::{Conflicts, Imported, Need, Outcome, Picks, Wanted},
};
use inklings_domain::{
    calendar::moment::Moment,
    ids::MemoryId,
    lens::Lens,
    memory::{
        MemoryEntry,
        filter::{MemoryFilter, ScopeFilter, Sort},
        link::{LinkRole, MAX_LINKS},
    },
    provenance::{ActorKind, Curator, Interface},
    scope::{MemoryScope, Place},
};
use inklings_ports::{
    progress::NoProgress,
    subject::SubjectRow,
    testing::builders::{agent, author, draft},
    transfer::{
        file::{FileRow, LinkTarget, NamedKnower, NamedRelation, RowLinks},
        shape::{OWN, Section},
        store::Fields,
    },
};
use serde_json::{Value, json};

use crate::support::World;

fn fields(value: &Value) -> Fields {
    value.as_object().cloned().expect("fields")
}

fn target(lines: &[u64], name: &str) -> LinkTarget {
    LinkTarget { lines: lines.to_vec(), names: vec![name.to_owned()] }
}

/// A subject of a file, with the memory that it is if it may be none.
fn subject(line: u64, name: &str, text: &str, about: Vec<LinkTarget>) -> FileRow {
    let id = format!("mcp_jsonl:book:{line}");
    let named =
        json!({"external_id": id, "name": name, "aliases": [], "subject": "character", "content": text});
    let plain = json!({"external_id": id, "title": name, "tags": ["character"], "content": text});
    FileRow {
        section: Section::NamedEntries,
        line,
        place: None,
        fields: fields(&named),
        links: RowLinks { about, unless_subject: Some(fields(&plain)), ..RowLinks::default() },
    }
}

fn relation(line: u64, from: LinkTarget, word: &str, to: LinkTarget) -> FileRow {
    let relation = NamedRelation { relation: word.to_owned(), from, to };
    FileRow {
        section: Section::Memories,
        line,
        place: None,
        fields: fields(
            &json!({"external_id": format!("mcp_jsonl:book:{line}"), "content": format!("It {word} it.")}),
        ),
        links: RowLinks { relation: Some(relation), ..RowLinks::default() },
    }
}

async fn bring(world: &World, rows: Vec<FileRow>, place: Place) -> Imported {
    bring_with(world, rows, place, Picks::NONE).await
}

async fn bring_with(world: &World, mut rows: Vec<FileRow>, place: Place, picks: Picks) -> Imported {
    rows.sort_by_key(|row| row.section);
    bring_file(world, File("mcp_jsonl", rows), place, picks).await
}

async fn bring_file(world: &World, file: File, place: Place, picks: Picks) -> Imported {
    let wanted = Wanted {
        conflicts: Conflicts::Newer,
        interface: Interface::Cli,
        place,
        picks,
        whole: std::collections::BTreeSet::new(),
    };
    let transfers = world.session.transfers();
    let plan = transfers.preview(&file, wanted.clone(), &NoProgress).await.expect("a plan");
    let done = transfers.import(&file, wanted, &plan.hash, &NoProgress).await.expect("imported");
    assert_eq!(done.plan, plan, "what was shown is what was done");
    done
}

async fn all(world: &World) -> Vec<MemoryEntry> {
    let filter = MemoryFilter::with_forgotten(ScopeFilter::EVERYTHING);
    world.session.memories().every(&filter, Sort::CreatedAsc).await.expect("a list")
}

async fn one(world: &World, text: &str) -> MemoryEntry {
    all(world).await.into_iter().find(|entry| entry.content == text).expect("an entry with the text")
}

#[tokio::test]
async fn an_agents_text_becomes_no_subject_because_a_file_says_so() {
    let world = World::new().await;
    let text = "Mira rows the night ferry.";
    world.session.memories().create(draft(Place::Workspace, text), agent()).await.expect("remembered");
    let (mira, toma) = (target(&[2], "Mira"), target(&[3], "Toma"));
    let rows = vec![
        relation(1, mira.clone(), "knows", toma),
        subject(2, "Mira", text, Vec::new()),
        subject(3, "Toma", "He keeps the toll house.", vec![mira]),
    ];
    let done = bring(&world, rows, Place::Workspace).await;
    assert_eq!(done.plan.total(Outcome::Add), 3);
    let mira =
        all(&world).await.into_iter().find(|entry| entry.title.as_deref() == Some("Mira")).expect("Mira");
    assert_eq!((mira.name, mira.subject, mira.curator), (None, None, Curator::Agent));
    assert_eq!(mira.tags, ["character"]);
    let toma = one(&world, "He keeps the toll house.").await;
    assert_eq!(
        (toma.subject.as_deref(), toma.written_by, toma.curator),
        (Some("character"), ActorKind::Import, Curator::Import)
    );
    assert!(toma.links.is_empty(), "what is no named entry is no target");
    assert_eq!(one(&world, "It knows it.").await.ends(), None);
}

#[tokio::test]
async fn every_link_of_an_import_leads_to_an_active_named_entry_of_the_database() {
    let world = World::new().await;
    let here = world.session.subjects().add("Sel", "place", "A ford.", author()).await.expect("added").id();
    let names = ["Mira", "Toma", "Sel", "A\nB", "Old\u{202E}", "Ro"];
    let line = |n: usize| n as u64 + 100;
    let everything: Vec<LinkTarget> = (0..names.len())
        .map(|n| target(&[line(n)], names[n]))
        .chain([target(&[9_999], "Nobody"), target(&[], "sel")])
        .collect();
    let mut rows: Vec<FileRow> = (0..names.len())
        .map(|n| subject(line(n), names[n], &format!("Text {n}."), everything.clone()))
        .collect();
    for (n, from) in everything.iter().enumerate() {
        for (m, to) in everything.iter().enumerate() {
            rows.push(relation((n * 50 + m) as u64 + 1_000, from.clone(), "meets", to.clone()));
        }
    }
    let done = bring(&world, rows.clone(), Place::Workspace).await;
    let entries = all(&world).await;
    let (mut about, mut relations) = (0, 0);
    for entry in &entries {
        for link in &entry.links {
            let target = entries.iter().find(|other| other.id == link.target).expect("the target is there");
            assert!(
                target.name.is_some() && target.is_active() && target.id != entry.id,
                "{:?}",
                done.plan.items
            );
        }
        about += usize::from(!entry.is_relation() && !entry.links.is_empty());
        relations += usize::from(entry.is_relation());
    }
    // Mira, Toma and Ro come in; Sel is here already; the others are refused.
    assert_eq!((about, relations), (3, 4 * 3));
    let leads_to_sel =
        entries.iter().filter(|entry| entry.links.iter().any(|link| link.target == here)).count();
    assert_eq!(leads_to_sel, 3 + 2 * 3);
    let again = bring(&world, rows, Place::Workspace).await;
    assert_eq!((again.plan.total(Outcome::Add), again.plan.total(Outcome::Change)), (0, 0));
}

#[tokio::test]
async fn an_entry_gets_at_most_the_links_that_it_may_have_and_none_in_the_account() {
    let world = World::new().await;
    let names: Vec<String> = (0..MAX_LINKS + 9).map(|n| format!("Subject {n}")).collect();
    let line = |n: usize| n as u64 + 10;
    let targets: Vec<LinkTarget> =
        names.iter().enumerate().map(|(n, name)| target(&[line(n)], name)).collect();
    let mut rows: Vec<FileRow> =
        names.iter().enumerate().map(|(n, name)| subject(line(n), name, name, Vec::new())).collect();
    let diary = |links| FileRow {
        section: Section::Memories,
        line: 1,
        place: None,
        fields: fields(&json!({"external_id": "mcp_jsonl:book:diary", "content": "We met them all."})),
        links,
    };
    rows.push(diary(RowLinks { about: targets.clone(), ..RowLinks::default() }));
    bring(&world, rows, Place::Workspace).await;
    assert_eq!(one(&world, "We met them all.").await.links.len(), MAX_LINKS);

    let other = World::new().await;
    other.session.subjects().add("Subject 0", "place", "", author()).await.expect("added");
    let row = diary(RowLinks { about: targets, ..RowLinks::default() });
    let done = bring(&other, vec![row], Place::Account).await;
    assert!(done.plan.items.iter().all(|item| item.links.is_empty()));
    assert_eq!(done.plan.total(Outcome::Refuse), 0);
}

/// A row of a file that was changed long after everything here.
fn later(mut row: FileRow) -> FileRow {
    row.fields.insert("updated_at".to_owned(), "2099-01-01T00:00:00.000000Z".into());
    row
}

#[tokio::test]
async fn an_imported_memory_becomes_the_subject_of_a_newer_file_unless_its_name_is_taken() {
    let world = World::new().await;
    let plain = |line: u64, name: &str, text: &str| {
        let row = subject(line, name, text, Vec::new());
        let fields = row.links.unless_subject.expect("a memory");
        FileRow { section: Section::Memories, line, place: None, fields, links: RowLinks::default() }
    };
    let rows = vec![plain(1, "Mira", "She rows."), plain(2, "Toma", "He counts.")];
    bring(&world, rows, Place::Workspace).await;
    world.session.subjects().add("Toma", "ship", "An old barge.", author()).await.expect("added");
    let rows = vec![
        later(subject(1, "Mira", "She rows.", Vec::new())),
        later(subject(2, "Toma", "He counts.", Vec::new())),
    ];
    bring(&world, rows, Place::Workspace).await;
    let mira = one(&world, "She rows.").await;
    assert_eq!((mira.name.as_deref(), mira.subject.as_deref()), (Some("Mira"), Some("character")));
    let toma = one(&world, "He counts.").await;
    assert_eq!((toma.name, toma.subject), (None, None), "a subject has a name");
}

#[tokio::test]
async fn a_file_makes_a_subject_of_a_named_entry_that_is_here_only_if_its_line_is_picked() {
    let world = World::new().await;
    let named = world.session.named_entries();
    named.add(MemoryScope::Workspace, "Mira", "She rows.", author()).await.expect("added");
    let rows = || vec![later(subject(1, "Mira", "She rows.", Vec::new()))];
    let done = bring(&world, rows(), Place::Workspace).await;
    assert_eq!((done.plan.total(Outcome::Unpicked), done.plan.lines.len()), (1, 1));
    assert_eq!(one(&world, "She rows.").await.subject, None);
    bring_with(&world, rows(), Place::Workspace, Picks::ALL).await;
    let mira = one(&world, "She rows.").await;
    assert_eq!((mira.subject.as_deref(), mira.written_by), (Some("character"), ActorKind::Import));
    let aliased = named.set_aliases(mira.id, mira.version, "the ferrywoman", false, author()).await;
    aliased.expect("an alias of the author's");
    let sel = world.session.subjects().add("Sel", "place", "A ford.", author()).await.expect("added").id();
    let linked = later(subject(1, "Mira", "She rows.", vec![target(&[], "Sel"), target(&[1], "Mira")]));
    let done = bring_with(&world, vec![linked], Place::Workspace, Picks::ALL).await;
    let shown: Vec<_> = done.plan.items[0].links.iter().map(|link| link.name.as_str()).collect();
    let mira = one(&world, "She rows.").await;
    let links: Vec<_> = mira.links.iter().map(|link| link.target).collect();
    assert_eq!((shown, links), (vec!["Sel"], vec![sel]), "what is shown is what is linked");
    assert_eq!(mira.aliases, ["the ferrywoman"], "the file says nothing of it");
}

#[tokio::test]
async fn a_relation_in_a_channel_leads_to_subjects_of_the_workspace() {
    let world = World::new().await;
    for name in ["Mira", "Toma"] {
        world.session.subjects().add(name, "character", name, author()).await.expect("added");
    }
    let row = |line| relation(line, target(&[], "Mira"), "knows", target(&[], "toma"));
    let channel = Place::Channel(world.conversation().await.channel_id);
    bring(&world, vec![row(1)], channel).await;
    let knows = one(&world, "It knows it.").await;
    assert!(knows.is_relation() && knows.place == channel);
    let again = bring(&world, vec![row(1), row(2)], channel).await;
    assert_eq!(again.plan.total(Outcome::Add), 1);
    let relations = all(&world).await.into_iter().filter(MemoryEntry::is_relation).count();
    assert_eq!(relations, 1, "the second one says the same");
}

#[tokio::test]
async fn an_entry_of_a_file_that_was_moved_here_keeps_its_place_and_does_not_come_in_again() {
    let world = World::new().await;
    let channel = Place::Channel(world.conversation().await.channel_id);
    let row = || vec![secret(1, None, "The key is lost.", Vec::new())];
    bring(&world, row(), channel).await;
    let id = one(&world, "The key is lost.").await.id;
    world.session.memories().move_to(&[id], Place::Workspace, author()).await.expect("moved");
    let again = bring(&world, row(), channel).await;
    assert_eq!((again.plan.total(Outcome::Add), again.plan.total(Outcome::Skip)), (0, 1));
    assert_eq!(all(&world).await.iter().map(|entry| entry.place).collect::<Vec<_>>(), [Place::Workspace]);
}

/// A row of a file that some know of.
fn secret(line: u64, name: Option<&str>, text: &str, knowers: Vec<NamedKnower>) -> FileRow {
    let id = format!("mcp_jsonl:book:{line}");
    let fields = match name {
        Some(name) => {
            json!({"external_id": id, "name": name, "aliases": [], "subject": "place", "content": text})
        }
        None => json!({"external_id": id, "content": text}),
    };
    FileRow {
        section: if name.is_some() { Section::NamedEntries } else { Section::Memories },
        line,
        place: None,
        fields: self::fields(&fields),
        links: RowLinks { known_by: knowers, ..RowLinks::default() },
    }
}

fn knower(name: &str) -> NamedKnower {
    let new = json!({"name": name, "aliases": [], "subject": "character", "content": ""});
    NamedKnower { subject: target(&[], name), since: None, new: Some(fields(&new)) }
}

/// All subjects, also those without a text.
async fn subjects(world: &World) -> Vec<SubjectRow> {
    world.session.subjects().list(None, &ScopeFilter::EVERYTHING).await.expect("a list")
}

/// The names of those who know of an entry.
async fn known_by(world: &World, text: &str) -> Vec<String> {
    let subjects = subjects(world).await;
    let name = |id| subjects.iter().find(|subject| subject.id == id).map(|subject| subject.name.clone());
    let links = one(world, text).await.links.into_iter().filter(|link| link.role == LinkRole::KnownBy);
    let mut names: Vec<String> = links.filter_map(|link| name(link.target)).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_knower_is_added_once_with_an_entry_that_comes_in_and_by_no_other() {
    let world = World::new().await;
    let rows = vec![
        secret(1, None, "The key is lost.", vec![knower("Mira"), knower("Toma")]),
        secret(2, None, "The gate is open.", vec![knower("mira")]),
        secret(3, None, &"Too long. ".repeat(10_000), vec![knower("Sel")]),
    ];
    let done = bring(&world, rows.clone(), Place::Workspace).await;
    assert_eq!((done.plan.total(Outcome::Add), done.plan.total(Outcome::Refuse)), (4, 1));
    assert_eq!(known_by(&world, "The key is lost.").await, ["Mira", "Toma"]);
    assert_eq!(known_by(&world, "The gate is open.").await, ["Mira"]);
    let kinds: Vec<_> = subjects(&world).await.into_iter().map(|subject| subject.kind).collect();
    assert_eq!(kinds, ["character", "character"]);
    let again = bring(&world, rows, Place::Workspace).await;
    assert_eq!((again.plan.total(Outcome::Add), again.plan.total(Outcome::Change)), (0, 0));
}

#[tokio::test]
async fn a_file_that_replaces_an_entry_by_name_brings_its_knowers_and_widens_only_with_a_pick() {
    let world = World::new().await;
    let vault = world.session.subjects().add("Vault", "place", "A cellar.", author()).await.expect("added");
    let mira = world.session.subjects().add("Mira", "character", "", author()).await.expect("added").id();
    let row = |knowers| vec![later(secret(1, Some("Vault"), "It is empty.", knowers))];
    let done = bring_with(&world, row(vec![knower("Mira")]), Place::Workspace, Picks::NONE).await;
    assert_eq!(done.plan.lines.iter().map(|line| line.need).collect::<Vec<_>>(), [Need::Replaces]);
    bring_with(&world, row(vec![knower("Mira")]), Place::Workspace, Picks::ALL).await;
    assert_eq!(known_by(&world, "It is empty.").await, ["Mira"]);

    // Others who know of a newer text would learn of an entry that they did not know of.
    let wider = vec![later(secret(1, Some("Vault"), "It is full.", vec![knower("Toma")]))];
    let done = bring_with(&world, wider.clone(), Place::Workspace, Picks::NONE).await;
    assert_eq!(done.plan.lines.iter().map(|line| line.need).collect::<Vec<_>>(), [Need::Knowers]);
    let entry = one(&world, "It is empty.").await;
    assert_eq!((entry.id, entry.links.len()), (vault.id(), 1));
    assert_eq!(entry.links[0].target, mira);
    // A file that says nothing of knowers leaves them as they are.
    let silent = vec![later(secret(1, Some("Vault"), "It is sealed.", Vec::new()))];
    bring_with(&world, silent, Place::Workspace, Picks::ALL).await;
    assert_eq!(known_by(&world, "It is sealed.").await, ["Mira"]);
    bring_with(&world, wider, Place::Workspace, Picks::ALL).await;
    assert_eq!(known_by(&world, "It is full.").await, ["Toma"]);
}

#[tokio::test]
async fn no_more_knowers_than_an_entry_may_have_are_taken_and_none_of_them_is_everybody() {
    let world = World::new().await;
    let knowers = (0..MAX_LINKS + 9).map(|n| knower(&format!("Knower {n}"))).collect();
    let done = bring(&world, vec![secret(1, None, "A secret.", knowers)], Place::Workspace).await;
    assert_eq!(known_by(&world, "A secret.").await.len(), MAX_LINKS);
    assert!(done.plan.items.iter().any(|item| item.reason.starts_with("without some who know")));
}

/// Mira and the Council, and a secret of the Council that Mira does not know.
struct CouncilSecret {
    world: World,
    mira: MemoryId,
    council: MemoryId,
}

const SECRET: &str = "The Council poisoned the well.";

impl CouncilSecret {
    async fn new() -> Self {
        let world = World::new().await;
        let subjects = world.session.subjects();
        let mira = subjects.add("Mira", "character", "", author()).await.expect("added").id();
        let council = subjects.add("Council", "faction", "", author()).await.expect("added").id();
        subjects.add("Toma", "character", "", author()).await.expect("added");
        let secret = world.write(Place::Workspace, SECRET).await;
        let version = world.entry(secret).await.version;
        let set = world.session.lenses().set_known_by(secret, version, &[(council, None)], author()).await;
        set.expect("set");
        Self { world, mira, council }
    }

    async fn mira_knows(&self) -> bool {
        let lens = Lens { knower: Some(self.mira), at: None };
        let lens = self.world.session.lenses().resolve(lens).await.expect("resolved");
        let filter = ScopeFilter::EVERYTHING.through(lens);
        let shown =
            self.world.session.memories().every(&MemoryFilter::active(filter), Sort::CreatedAsc).await;
        shown.expect("a list").iter().any(|entry| entry.content == SECRET)
    }

    /// A row of a format that states a relation from Mira to the Council, or the other way round.
    fn row(&self, format: &str, relation: &str, to_council: bool, year: u32) -> FileRow {
        let (from, to) = if to_council { ("Mira", "Council") } else { ("Council", "Mira") };
        let at = format!("{year}-01-02T03:04:05.000000Z");
        if format == OWN {
            let (from, to) = if to_council { (self.mira, self.council) } else { (self.council, self.mira) };
            let row = json!({
                "id": "0190bbbb-0000-7000-8000-000000000001", "scope": "workspace", "lifetime": "long_term",
                "curator": "import", "kind": "note", "importance": 0.5, "source": "user", "version": 1,
                "written_by": "import", "created_at": at, "accessed_at": at, "updated_at": at, "content": "It is so.",
                "relation": relation,
                "links": [{"role": "from", "id": from.to_string()}, {"role": "to", "id": to.to_string()}],
            });
            return FileRow {
                section: Section::Memories,
                line: 1,
                place: None,
                fields: fields(&row),
                links: RowLinks::default(),
            };
        }
        let mut row = self::relation(1, target(&[], from), relation, target(&[], to));
        row.fields.insert("external_id".to_owned(), format!("{format}:book:1").into());
        row.fields.insert("updated_at".to_owned(), at.into());
        row
    }

    async fn bring(&self, format: &'static str, row: FileRow, picks: Picks) -> Imported {
        bring_file(&self.world, File(format, vec![row]), Place::Workspace, picks).await
    }
}

const FORMATS_WITH_RELATIONS: [&str; 3] = ["mcp_jsonl", "markdown", OWN];

#[tokio::test]
async fn a_file_makes_nobody_a_member_of_a_group_that_is_here_without_a_pick() {
    for format in FORMATS_WITH_RELATIONS {
        let made = CouncilSecret::new().await;
        let row = || made.row(format, "Member  of", true, 2030);
        let done = made.bring(format, row(), Picks::NONE).await;
        let needs: Vec<Need> = done.plan.lines.iter().map(|line| line.need).collect();
        assert_eq!((needs, done.plan.total(Outcome::Unpicked)), (vec![Need::Knowers], 1), "{format}");
        assert!(!made.mira_knows().await, "{format}");
        made.bring(format, row(), Picks::ALL).await;
        assert!(made.mira_knows().await, "{format}: the worldbuilder says so");
        // Nothing is asked again of what is here just so.
        assert!(made.bring(format, row(), Picks::NONE).await.plan.lines.is_empty(), "{format}");
    }
}

#[tokio::test]
async fn a_changed_row_makes_nobody_a_member_of_a_group_without_a_pick() {
    for format in FORMATS_WITH_RELATIONS {
        // The relation and its ends are those of an entry that the same program brought, and nobody changed.
        for (relation, to_council) in [("fears", true), ("member of", false)] {
            let made = CouncilSecret::new().await;
            made.bring(format, made.row(format, relation, to_council, 2030), Picks::ALL).await;
            assert!(!made.mira_knows().await, "{format} {relation}");
            let changed = || made.row(format, "member of", true, 2040);
            let done = made.bring(format, changed(), Picks::NONE).await;
            let needs: Vec<Need> = done.plan.lines.iter().map(|line| line.need).collect();
            assert_eq!(needs, [Need::Knowers], "{format} {relation}");
            assert!(!made.mira_knows().await, "{format} {relation}");
            made.bring(format, changed(), Picks::ALL).await;
            assert!(made.mira_knows().await, "{format} {relation}");
        }
    }
}

#[tokio::test]
async fn a_file_extends_no_membership_without_a_pick_and_may_shorten_one() {
    let made = CouncilSecret::new().await;
    let row = |days: Option<(i64, i64)>, year| {
        let mut row = made.row(OWN, "member of", true, year);
        if let Some((from, until)) = days {
            let day = |day| Moment::on_day(day).expect("in range").value();
            row.fields.insert("holds_from".to_owned(), day(from).into());
            row.fields.insert("holds_until".to_owned(), day(until).into());
        }
        row
    };
    made.bring(OWN, row(Some((3, 9)), 2030), Picks::ALL).await;
    let shortened = made.bring(OWN, row(Some((3, 5)), 2031), Picks::NONE).await;
    assert_eq!((shortened.plan.total(Outcome::Change), shortened.plan.lines.len()), (1, 0));
    for days in [Some((3, 6)), Some((2, 5)), None] {
        let done = made.bring(OWN, row(days, 2032), Picks::NONE).await;
        let needs: Vec<Need> = done.plan.lines.iter().map(|line| line.need).collect();
        assert_eq!(needs, [Need::Knowers], "{days:?}");
    }
}

#[tokio::test]
async fn members_of_a_group_that_the_file_brings_come_in_with_it_and_know_what_the_file_says() {
    let made = CouncilSecret::new().await;
    let rows = vec![
        relation(1, target(&[], "Mira"), "member of", target(&[2], "Guild")),
        subject(2, "Guild", "They meet at night.", Vec::new()),
        relation(3, target(&[2], "Guild"), "member of", target(&[], "Council")),
    ];
    let done = bring(&made.world, rows, Place::Workspace).await;
    let needs: Vec<Need> = done.plan.lines.iter().map(|line| line.need).collect();
    assert_eq!((needs, done.plan.total(Outcome::Add)), (vec![Need::Knowers], 2));
    assert!(!made.mira_knows().await, "a new group passes on nothing that is here");
}
