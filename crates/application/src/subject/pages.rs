//! Pages of linked vaults among the subjects. A page whose front matter names a type stands beside the subjects, and a page with
//! the name of a subject is that subject's page. Nothing of this is stored: it is read from the index of pages each time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use inklings_domain::{
    ids::{MemoryId, PageId},
    memory::filter::ScopeFilter,
    vault::{link_name, stem},
};
use inklings_ports::{
    subject::SubjectRow,
    vault::{
        filter::PageFilter,
        store::{PageRow, PageSelection},
    },
};

use crate::{error::AppError, services::Subjects};

/// The most pages that stand among the subjects.
pub const MOST_PAGES: usize = 5_000;

/// A page among the subjects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubjectPage {
    pub row: PageRow,
    /// The subject whose page it is, if it has the name of one; else it stands for itself.
    pub subject: Option<MemoryId>,
}

/// A node of the graph of subjects and pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeId {
    /// A subject, with or without pages.
    Subject(MemoryId),
    /// A page that is no subject's.
    Page(PageId),
}

impl std::fmt::Display for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Subject(id) => id.fmt(f),
            Self::Page(id) => id.fmt(f),
        }
    }
}

impl SubjectPage {
    /// The node that it is a part of.
    pub fn node(&self) -> NodeId {
        self.subject.map_or(NodeId::Page(self.row.id), NodeId::Subject)
    }
}

impl Subjects<'_> {
    /// The pages that name a type, and those that have a name of one of these subjects, by title. At most [`MOST_PAGES`].
    pub async fn pages(
        &self,
        subjects: &[SubjectRow],
        filter: &ScopeFilter,
    ) -> Result<Vec<SubjectPage>, AppError> {
        self.pages_by(subjects, filter, true).await
    }

    /// The pages of one subject, by title.
    pub async fn pages_of(
        &self,
        subject: &SubjectRow,
        filter: &ScopeFilter,
    ) -> Result<Vec<PageRow>, AppError> {
        let found = self.pages_by(std::slice::from_ref(subject), filter, false).await?;
        Ok(found.into_iter().filter(|page| page.subject.is_some()).map(|page| page.row).collect())
    }

    async fn pages_by(
        &self,
        subjects: &[SubjectRow],
        filter: &ScopeFilter,
        with_type: bool,
    ) -> Result<Vec<SubjectPage>, AppError> {
        let Some(filter) = self.session.vaults().searched(PageFilter::within(filter)).await? else {
            return Ok(Vec::new());
        };
        // Of two subjects with one name, the first has the page.
        let mut by_name: HashMap<String, MemoryId> = HashMap::new();
        for row in subjects {
            for name in std::iter::once(&row.name).chain(&row.aliases) {
                by_name.entry(link_name(name)).or_insert(row.id);
            }
        }
        let names: Vec<String> = by_name.keys().cloned().collect();
        let which = PageSelection { names: &names, with_type };
        let rows = self.session.workspace.pages.selected(&filter, which, MOST_PAGES).await?;
        let subject = |row: &PageRow| {
            let own = [row.title.as_str(), stem(&row.path)];
            let mut called = own.into_iter().chain(row.aliases.iter().map(String::as_str));
            called.find_map(|name| by_name.get(&link_name(name)).copied())
        };
        let pages = rows.into_iter().map(|row| SubjectPage { subject: subject(&row), row });
        // A path is no name of a subject.
        Ok(pages.filter(|page| page.subject.is_some() || page.row.kind.is_some()).collect())
    }

    /// The links between these pages, as edges between the nodes that they are parts of, each once.
    pub async fn page_links(
        &self,
        pages: &[SubjectPage],
        filter: &ScopeFilter,
    ) -> Result<Vec<(NodeId, NodeId)>, AppError> {
        if pages.is_empty() {
            return Ok(Vec::new());
        }
        let nodes: BTreeMap<PageId, NodeId> = pages.iter().map(|page| (page.row.id, page.node())).collect();
        let ids: Vec<PageId> = nodes.keys().copied().collect();
        let filter = PageFilter::within(filter);
        let links = self.session.workspace.pages.links_of(&filter, &ids).await?;
        let ends = links.iter().filter_map(|(from, to)| Some((*nodes.get(from)?, *nodes.get(to)?)));
        let edges: BTreeSet<(NodeId, NodeId)> = ends.filter(|(from, to)| from != to).collect();
        Ok(edges.into_iter().take(super::MOST_EDGES).collect())
    }
}
