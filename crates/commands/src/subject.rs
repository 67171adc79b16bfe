//! Commands of subjects and relations.

use inklings_api::{
    subject::view::{GraphView, NameSuggestion, NewRelation, SubjectList, SubjectView},
    view::{change::WriteResult, lens::LensSpec},
};

use crate::{Answer, Core};

/// All subjects by name, or those of a kind.
#[specta::specta]
pub async fn list_subjects(core: Core, kind: Option<String>) -> Answer<SubjectList> {
    core.app()?.subject().list_subjects(kind.as_deref()).await
}

/// Names that recur in the newest memories and messages, and are no name of an entry.
#[specta::specta]
pub async fn suggest_subjects(core: Core) -> Answer<Vec<NameSuggestion>> {
    core.app()?.subject().suggest_subjects().await
}

/// All subjects and the relations between them, as far as a lens shows them.
#[specta::specta]
pub async fn world_graph(core: Core, lens: Option<LensSpec>) -> Answer<GraphView> {
    core.app()?.subject().world_graph(lens.as_ref()).await
}

/// A subject with what is linked to it.
#[specta::specta]
pub async fn get_subject(core: Core, id: String) -> Answer<SubjectView> {
    core.app()?.subject().get_subject(&id).await
}

/// Adds a subject, a named entry of the workspace with a kind. Its text may be empty.
#[specta::specta]
pub async fn add_subject(core: Core, name: String, kind: String, content: String) -> Answer<WriteResult> {
    core.app()?.subject().add_subject(&name, &kind, &content).await
}

/// Makes a named entry a subject of this kind; without a kind, no subject any more.
#[specta::specta]
pub async fn set_subject(core: Core, id: String, version: u32, kind: Option<String>) -> Answer<WriteResult> {
    core.app()?.subject().set_subject(&id, version, kind.as_deref()).await
}

/// Adds a relation between two subjects.
#[specta::specta]
pub async fn add_relation(core: Core, request: NewRelation) -> Answer<WriteResult> {
    core.app()?.subject().add_relation(request).await
}

/// Sets the subjects that a memory is about.
#[specta::specta]
pub async fn set_about(core: Core, id: String, version: u32, subjects: Vec<String>) -> Answer<WriteResult> {
    core.app()?.subject().set_about(&id, version, &subjects).await
}
