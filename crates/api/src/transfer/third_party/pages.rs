//! Pages of linked vaults in the export of a graph: those that stand among the subjects, without their texts.

use std::collections::BTreeMap;

use inklings_application::{
    error::AppError,
    session::Session,
    subject::pages::{NodeId, SubjectPage},
};
use inklings_domain::memory::filter::ScopeFilter;
use inklings_formats::entries::{Relation, ThirdPartyEntry, graphml::PAGE};
use serde_json::json;

/// What a link of a page says.
const LINKS_TO: &str = "links to";

/// The pages that stand for themselves, and the links between pages.
pub async fn pages_of_graph(session: &Session) -> Result<Vec<ThirdPartyEntry>, AppError> {
    let filter = ScopeFilter::EVERYTHING;
    let subjects = session.subjects().list(None, &filter).await?;
    let pages = session.subjects().pages(&subjects, &filter).await?;
    let links = session.subjects().page_links(&pages, &filter).await?;
    let alone = || pages.iter().filter(|page| page.subject.is_none());
    let of_subject = subjects.iter().map(|row| (NodeId::Subject(row.id), row.name.as_str()));
    let of_page = alone().map(|page| (page.node(), page.row.title.as_str()));
    let names: BTreeMap<NodeId, &str> = of_subject.chain(of_page).collect();
    let node = |page: &SubjectPage| ThirdPartyEntry {
        name: Some(page.row.title.clone()),
        aliases: page.row.aliases.clone(),
        subject: Some(page.row.kind.clone().unwrap_or_default()),
        extra: json!({ PAGE: true }),
        ..ThirdPartyEntry::default()
    };
    let edge = |(from, to): &(NodeId, NodeId)| {
        let name = |node: &NodeId| names.get(node).map(|name| (*name).to_owned());
        let relation = Relation { relation: LINKS_TO.to_owned(), from: name(from)?, to: name(to)? };
        let extra = json!({ PAGE: true });
        Some(ThirdPartyEntry { relation: Some(relation), extra, ..ThirdPartyEntry::default() })
    };
    Ok(alone().map(node).chain(links.iter().filter_map(edge)).collect())
}
