//! The `inklings subject` and `inklings link` commands.

pub mod args;
pub mod show;

use inklings_api::{
    error::ErrorCode,
    subject::view::NewRelation,
    view::{change::WriteResult, lens::KnowerSpec},
    vocabulary::Scope,
};

use crate::{
    failure::Failure,
    memory,
    output::{Output, texts::read},
    shared_args::{Common, knower},
    store,
    subject::args::{LinkVerb, SubjectVerb},
    vault,
};

pub async fn subject(verb: SubjectVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        SubjectVerb::List { kind } => {
            out.answer(&app.subject().list_subjects(kind.as_deref()).await?, show::list)
        }
        SubjectVerb::Suggest => out.answer(&*app.subject().suggest_subjects().await?, show::suggestions),
        SubjectVerb::Show { name } => {
            let found = match app.subject().subject_at(&name).await {
                // A page with a type stands beside the subjects.
                Err(missing) if missing.code == ErrorCode::NotFound => {
                    let page = app.vault().get_page(&name).await.ok();
                    return out.answer(
                        &page.filter(|page| page.row.page_kind.is_some()).ok_or(missing)?,
                        vault::show::page,
                    );
                }
                found => app.subject().get_subject(&found?.id).await?,
            };
            out.answer(&found, show::subject)
        }
        SubjectVerb::Graph { lens } => {
            out.answer(&app.subject().world_graph(lens.spec().as_ref()).await?, show::graph)
        }
        SubjectVerb::Set { name, kind } => {
            let written = match app.named_entry().named_at(&name, Some(Scope::Workspace)).await {
                Err(error) if error.code == ErrorCode::NotFound => {
                    app.subject().add_subject(&name, &kind, "").await?
                }
                found => {
                    let (id, version) = found?;
                    app.subject().set_subject(&id, version, Some(&kind)).await?
                }
            };
            out.answer(&written, |_| format!("{name} has the kind {kind}."))
        }
        SubjectVerb::Unset { name } => {
            let (id, version) = app.named_entry().named_at(&name, Some(Scope::Workspace)).await?;
            let written = app.subject().set_subject(&id, version, None).await?;
            out.answer(&written, |_| format!("{name} is no subject any more."))
        }
    }
}

pub async fn link(verb: LinkVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let id_of = async |name: &str| app.subject().subject_at(name).await.map(|row| row.id);
    let written: WriteResult = match verb {
        LinkVerb::List { name } => {
            let id = id_of(&name).await?;
            let found = app.subject().get_subject(&id).await?;
            return out.answer(&found.relations, |_| show::relations(&found.row.name, &found.relations));
        }
        LinkVerb::Remove { id } => {
            let memory = app.memory().get_memory(&id).await?;
            if memory.relation.is_none() {
                let message = "this memory is no relation; `memory forget` takes it out of use";
                return Err(Failure::Usage(message.to_owned()));
            }
            let change = app.memory().forget_memories(&[id], "").await?;
            return out.answer(&change, |_| "Removed.".to_owned());
        }
        LinkVerb::Add(new) => {
            let channel_id = match &new.channel {
                Some(name) => Some(app.channel().channel_id(name).await?),
                None => None,
            };
            let request = NewRelation {
                from: id_of(&new.from).await?,
                relation: new.relation,
                to: id_of(&new.to).await?,
                content: new.text.map(read).transpose()?,
                channel_id,
            };
            app.subject().add_relation(request).await?
        }
        LinkVerb::KnownBy { entry, names, everybody } => {
            let (id, version) = match app.named_entry().named_at(&entry, Some(Scope::Workspace)).await {
                Err(error) if error.code == ErrorCode::NotFound => {
                    let memory = app.memory().get_memory(&entry).await?;
                    (memory.row.id, memory.row.version)
                }
                found => found?,
            };
            if names.is_empty() && !everybody {
                let memory = app.memory().get_memory(&id).await?;
                return out.answer(&memory.known_by, |_| show::knowers(&memory.known_by));
            }
            let knowers: Vec<KnowerSpec> = names.iter().map(|name| knower(name)).collect();
            let written = app.lens().set_known_by(&id, version, &knowers).await?;
            return out.answer(&written, |written| show::knowers(&written.detail.known_by));
        }
        LinkVerb::About { id, names, none } => {
            if names.is_empty() && !none {
                return out.answer(&app.memory().get_memory(&id).await?, memory::show::detail);
            }
            let mut subjects = Vec::with_capacity(names.len());
            for name in &names {
                subjects.push(id_of(name).await?);
            }
            let version = app.memory().get_memory(&id).await?.row.version;
            app.subject().set_about(&id, version, &subjects).await?
        }
    };
    out.answer(&written, |written| written.detail.content.clone())
}
