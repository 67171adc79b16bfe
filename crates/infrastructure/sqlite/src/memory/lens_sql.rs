//! The rule of the lens as a condition on rows, for every search and list. `inklings_domain::lens` has the same rule for one entry.

use inklings_domain::{
    calendar::{moment::Moment, span::Span},
    ids::WorkspaceId,
    lens::{Knowledge, LensTime, ResolvedLens},
    named_entry::{STANDING, key},
    scope::MemoryScope,
};
use serde_json::{Value, json};

use super::filter_sql::Sql;
use crate::rows::json_list;

/// Appends one boolean expression that is never NULL: the lens shows the entry of the table `of`.
pub fn push_lens(sql: &mut Sql, lens: Option<&ResolvedLens>, workspace: WorkspaceId, of: &'static str) {
    let Some(lens) = lens else {
        sql.push("TRUE");
        return;
    };
    sql.push("(");
    push_time(sql, lens.time, of);
    sql.push(" AND ");
    push_conversation(sql, lens, of);
    push_linked(sql, lens, of);
    if let Some(knowledge) = &lens.knowledge {
        sql.push(" AND ");
        push_knowledge(sql, knowledge, workspace, of);
    }
    sql.push(")");
}

fn push_time(sql: &mut Sql, time: Option<LensTime>, of: &'static str) {
    let Some(time) = time else {
        sql.push("TRUE");
        return;
    };
    sql.push("CASE WHEN ");
    match time.reading {
        Some(reading) => {
            sql.push(of).push(".reading_number IS NOT NULL THEN ").push(of).push(".reading_number <= ");
            sql.push_bind(i64::from(reading));
        }
        None => {
            sql.push("FALSE THEN FALSE");
        }
    }
    sql.push(" ELSE (").push(of).push(".holds_from IS NULL");
    if let Some(moment) = time.moment {
        sql.push(" OR ").push(of).push(".holds_from <= ").push_bind(moment.value());
    }
    sql.push(") END");
}

/// What was written in a conversation counts if the conversation does; an imported part of one if somebody in particular knows of it.
fn push_conversation(sql: &mut Sql, lens: &ResolvedLens, of: &'static str) {
    let conversations = json_list(&lens.conversations);
    sql.push("(").push(of).push(".scope <> 'conversation' OR ");
    sql.push(of).push(".conversation_id IN (SELECT value FROM json_each(").push_bind(conversations.clone());
    sql.push("))) AND CASE WHEN ")
        .push(of)
        .push(".kind = 'note' THEN (")
        .push(of)
        .push(".session IS NULL OR ");
    push_has_knower(sql, of);
    sql.push(") ELSE coalesce(")
        .push(of)
        .push(".source_conversation_id, '') IN (SELECT value FROM json_each(");
    sql.push_bind(conversations).push(")) END");
}

/// What is linked to a subject that is withheld is so too, unless somebody in particular knows of it.
fn push_linked(sql: &mut Sql, lens: &ResolvedLens, of: &'static str) {
    if lens.withheld.is_empty() {
        return;
    }
    sql.push(" AND (").push(of).push(".links IS NULL OR ");
    push_has_knower(sql, of);
    sql.push(" OR NOT EXISTS (SELECT 1 FROM json_each(").push(of);
    sql.push(".links) AS l WHERE l.value ->> 'id' IN (SELECT value FROM json_each(");
    sql.push_bind(json_list(&lens.withheld)).push("))))");
}

fn push_has_knower(sql: &mut Sql, of: &'static str) {
    sql.push("(").push(of).push(".links IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(").push(of);
    sql.push(".links) AS l WHERE l.value ->> 'role' = 'known_by'))");
}

fn push_knowledge(sql: &mut Sql, knowledge: &Knowledge, workspace: WorkspaceId, of: &'static str) {
    if workspace == WorkspaceId::ACCOUNT {
        push_standing(sql, MemoryScope::Account, of);
        return;
    }
    sql.push("CASE WHEN ").push(of).push(".subject IS NOT NULL AND ").push(of);
    sql.push(".id IN (SELECT value FROM json_each(");
    sql.push_bind(json_list(knowledge.sources.iter().map(|source| source.subject)));
    sql.push(")) THEN TRUE WHEN ");
    push_has_knower(sql, of);
    sql.push(" THEN ");
    push_reaches(sql, knowledge, of, "links");
    sql.push(" WHEN ");
    sql.push(of).push(".kind <> 'note' THEN TRUE WHEN ");
    sql.push(of).push(".name IS NOT NULL AND ").push(of).push(".subject IS NULL THEN ");
    push_standing(sql, MemoryScope::Workspace, of);
    sql.push(" ELSE ").push(of).push(".curator <> 'agent' END");
}

/// Holds if one of the knowers in a column of links has passed on what it knows.
fn push_reaches(sql: &mut Sql, knowledge: &Knowledge, of: &'static str, column: &'static str) {
    sql.push("EXISTS (SELECT 1 FROM json_each(").push(of).push(".").push(column);
    sql.push(") AS l CROSS JOIN json_each(").push_bind(sources(knowledge));
    sql.push(
        ") AS k ON k.value ->> 'id' = l.value ->> 'id' WHERE l.value ->> 'role' = 'known_by' AND CASE \
         WHEN l.value ->> 'since' IS NOT NULL THEN coalesce(l.value ->> 'since' <= k.value ->> 'until', FALSE) \
         WHEN l.value ->> 'since_chapter' IS NOT NULL THEN EXISTS (SELECT 1 FROM json_each(",
    );
    sql.push_bind(chapters(knowledge));
    sql.push(
        ") AS c WHERE c.value ->> 'id' = l.value ->> 'since_chapter' \
         AND (k.value ->> 'any' OR coalesce(c.value ->> 'first' <= k.value ->> 'until', FALSE))) \
         ELSE TRUE END)",
    );
}

/// Limits a statement to the facts of a table alias, or to their values, that the lens shows.
pub fn push_lens_of_facts(sql: &mut Sql, lens: Option<&ResolvedLens>, of: &'static str) {
    let Some(lens) = lens else { return };
    match lens.time.map(|time| time.moment) {
        None => {}
        Some(Some(moment)) => push_within(sql, of, Span::at(moment)),
        Some(None) => {
            sql.push(" AND ").push(of).push(".holds_from IS NULL AND ").push(of).push(".holds_until IS NULL");
        }
    }
    if let Some(knowledge) = &lens.knowledge {
        sql.push(" AND CASE WHEN ").push(of).push(".known_by IS NOT NULL THEN ");
        push_reaches(sql, knowledge, of, "known_by");
        sql.push(" ELSE ").push(of).push(".source <> 'agent' END");
    }
}

/// Limits a statement to rows of a table alias that hold in the story at a part of a span.
pub fn push_within(sql: &mut Sql, of: &'static str, within: Span) {
    if within == Span::ALWAYS {
        return;
    }
    let (from, until) = (format!("{of}.holds_from"), format!("{of}.holds_until"));
    // An end is the last part of its day if it is a whole day.
    sql.push(format!(" AND ({from} IS NULL OR {from} <= ")).push_bind(within.last().value());
    sql.push(format!(") AND ({until} IS NULL OR iif({until} % 10000 = 0, {until} + 8640, {until}) >= "));
    sql.push_bind(within.first().value()).push(")");
}

/// Holds for the standing entry of a tier, under its first name or a later one.
fn push_standing(sql: &mut Sql, scope: MemoryScope, of: &'static str) {
    let names: Vec<String> = STANDING
        .iter()
        .filter(|standing| standing.scope == scope)
        .map(|standing| key(standing.name))
        .collect();
    sql.push("(").push(of).push(".name IS NOT NULL AND (").push(of);
    sql.push(".name_folded IN (SELECT value FROM json_each(").push_bind(json_list(&names));
    sql.push(")) OR EXISTS (SELECT 1 FROM json_each(")
        .push(of)
        .push(".aliases_folded) AS a WHERE a.value IN (");
    sql.push("SELECT value FROM json_each(").push_bind(json_list(&names)).push(")))))");
}

fn sources(knowledge: &Knowledge) -> String {
    let source = |source: &inklings_domain::lens::KnowledgeSource| {
        json!({
            "id": source.subject.to_string(),
            "until": source.until.map(Moment::value),
            "any": knowledge.takes_every_chapter(source),
        })
    };
    Value::from(knowledge.sources.iter().map(source).collect::<Vec<_>>()).to_string()
}

fn chapters(knowledge: &Knowledge) -> String {
    let chapters = knowledge.chapters.iter();
    let chapter =
        chapters.map(|(id, first)| json!({ "id": id.to_string(), "first": first.map(Moment::value) }));
    Value::from(chapter.collect::<Vec<_>>()).to_string()
}
