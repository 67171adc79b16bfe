//! Converts a [`MemoryFilter`] to a WHERE clause over the table alias `m`. Values are always bound, never
//! spliced.

use inklings_domain::{
    ids::{ChannelId, WorkspaceId},
    memory::filter::{
        Activity, Facet, FacetTerm, HIGH_IMPORTANCE, MEDIUM_IMPORTANCE, MemoryFilter, ScopeFilter, Selection,
    },
};
use sqlx::{QueryBuilder, Sqlite};

use super::lens_sql::push_lens;

/// Builder of one statement.
pub type Sql = QueryBuilder<Sqlite>;

/// Appends one boolean expression that holds for the entries of `workspace` that match the whole filter.
pub fn push_filter(sql: &mut Sql, filter: &MemoryFilter, workspace: WorkspaceId) {
    sql.push("(");
    push_scope_filter(sql, &filter.scope_filter, workspace);
    sql.push(" AND ");
    push_activity(sql, filter.activity());
    sql.push(" AND ").push(WRITTEN);
    push_conditions(sql, &filter.terms, None);
    sql.push(")");
}

/// Holds for an entry with content. Blank entries are a few named entries in a partial index.
const WRITTEN: &str = "m.seq NOT IN (SELECT seq FROM memories WHERE content = '')";

/// Selects blank entries, as the beginning of a WHERE clause. It is faster to count all entries within an
/// index and to subtract the blank ones than to check each of a hundred thousand entries.
macro_rules! blank_entries {
    () => {
        "memories AS m INDEXED BY memories_blank WHERE m.content = ''"
    };
}
pub(crate) use blank_entries;

/// Appends one boolean expression for tiers, channels and conversations, and for the lens.
pub fn push_scope_filter(sql: &mut Sql, scope_filter: &ScopeFilter, workspace: WorkspaceId) {
    push_places(sql, scope_filter, workspace);
    if let Some(lens) = &scope_filter.lens {
        sql.push(" AND ");
        push_lens(sql, Some(lens), workspace, "m");
    }
}

/// Appends ` AND ...` for what [`push_filter`] adds to tiers, channels, conversations and forgetting.
pub fn push_narrowing(sql: &mut Sql, filter: &MemoryFilter, workspace: WorkspaceId) {
    push_conditions(sql, &filter.terms, None);
    if let Some(lens) = &filter.scope_filter.lens {
        sql.push(" AND ");
        push_lens(sql, Some(lens), workspace, "m");
    }
}

fn push_places(sql: &mut Sql, scope_filter: &ScopeFilter, workspace: WorkspaceId) {
    if workspace == WorkspaceId::ACCOUNT {
        // The account's file only holds the account tier.
        sql.push(if scope_filter.account { "TRUE" } else { "FALSE" });
        return;
    }
    let every_room = scope_filter.channels == Selection::All
        && scope_filter.conversations == Selection::All
        && scope_filter.conversations_in.is_none();
    if scope_filter.workspace && every_room {
        // No condition at all, so that SQLite chooses the index by the sort order.
        sql.push("TRUE");
        return;
    }
    // A single tier needs no OR, so that SQLite can use the index of its channel or conversation.
    let mut between = "(";
    if scope_filter.workspace {
        sql.push(between).push("m.scope = 'workspace'");
        between = " OR ";
    }
    if scope_filter.channels != Selection::None {
        sql.push(between);
        push_channels(sql, &scope_filter.channels);
        between = " OR ";
    }
    if scope_filter.conversations != Selection::None {
        sql.push(between);
        push_conversations(sql, scope_filter);
        between = " OR ";
    }
    sql.push(if between == "(" { "FALSE" } else { ")" });
}

fn push_channels(sql: &mut Sql, channels: &Selection<ChannelId>) {
    sql.push("(m.scope = 'channel'");
    if let Selection::Only(ids) = channels {
        sql.push(" AND ");
        push_in(sql, "m.channel_id", ids);
    }
    sql.push(")");
}

fn push_conversations(sql: &mut Sql, scope_filter: &ScopeFilter) {
    sql.push("(m.scope = 'conversation'");
    if let Selection::Only(ids) = &scope_filter.conversations {
        sql.push(" AND ");
        push_in(sql, "m.conversation_id", ids);
    }
    if let Some(channel) = scope_filter.conversations_in {
        sql.push(" AND m.channel_id = ").push_bind(channel.to_string());
    }
    sql.push(")");
}

/// Appends `column IN (...)` with the values bound; an empty list matches nothing.
pub fn push_in<T: ToString>(sql: &mut Sql, column: &str, values: &[T]) {
    sql.push(column).push(" IN (");
    let mut list = sql.separated(", ");
    for value in values {
        list.push_bind(value.to_string());
    }
    sql.push(")");
}

/// Appends one boolean expression for active or forgotten entries.
pub fn push_activity(sql: &mut Sql, activity: Activity) {
    sql.push(match activity {
        Activity::Active => "m.forgotten_at IS NULL",
        Activity::Forgotten => "m.forgotten_at IS NOT NULL",
        Activity::Any => "TRUE",
    });
}

/// Appends ` AND ...` for every facet except `forgotten` and `except`: one of its wanted values, none of the
/// excluded ones.
pub fn push_conditions(sql: &mut Sql, terms: &[FacetTerm], except: Option<Facet>) {
    for facet in Facet::ALL.iter().filter(|f| **f != Facet::Forgotten && Some(**f) != except) {
        push_facet(sql, terms, *facet);
    }
}

/// Appends ` AND ...` for the terms of one facet, or nothing if there are none.
fn push_facet(sql: &mut Sql, terms: &[FacetTerm], facet: Facet) {
    let of = |negated| terms.iter().filter(move |t| t.facet == facet && t.negated == negated);
    if of(false).next().is_some() {
        sql.push(" AND (FALSE");
        for term in of(false) {
            sql.push(" OR ");
            push_value(sql, facet, &term.value);
        }
        sql.push(")");
    }
    for term in of(true) {
        sql.push(" AND NOT ");
        push_value(sql, facet, &term.value);
    }
}

/// Appends one value of one facet as a boolean expression that is never NULL.
fn push_value(sql: &mut Sql, facet: Facet, value: &str) {
    match (facet, value) {
        (Facet::Source, _) => push_equal(sql, "m.source", value),
        (Facet::Curator, _) => push_equal(sql, "m.curator", value),
        (Facet::Lifetime, _) => push_equal(sql, "m.lifetime", value),
        (Facet::Speaker, _) => push_speaker(sql, value),
        (Facet::Tag, _) => push_tag(sql, value),
        (Facet::Importance, "low") => push_range(sql, 0.0, MEDIUM_IMPORTANCE),
        (Facet::Importance, "medium") => push_range(sql, MEDIUM_IMPORTANCE, HIGH_IMPORTANCE),
        (Facet::Importance, "high") => push_range(sql, HIGH_IMPORTANCE, 2.0),
        (Facet::Embedding, "yes") => push_word(sql, "(m.embedded_by IS NOT NULL)"),
        (Facet::Embedding, "no") => push_word(sql, "(m.embedded_by IS NULL)"),
        (Facet::Importance | Facet::Embedding | Facet::Forgotten, _) => push_word(sql, "FALSE"),
    }
}

fn push_word(sql: &mut Sql, expression: &str) {
    sql.push(expression);
}

fn push_equal(sql: &mut Sql, column: &str, value: &str) {
    sql.push("(").push(column).push(" = ").push_bind(value.to_owned()).push(")");
}

fn push_speaker(sql: &mut Sql, value: &str) {
    // IS, not =: without a speaker the result must be false, not NULL.
    sql.push("(m.speaker IS ").push_bind(value.to_owned()).push(")");
}

fn push_range(sql: &mut Sql, from: f64, below: f64) {
    sql.push("(m.importance >= ").push_bind(from).push(" AND m.importance < ").push_bind(below).push(")");
}

fn push_tag(sql: &mut Sql, tag: &str) {
    // A cheap text filter first (tags are stored as `serde_json` writes them); `json_each` then decides.
    let json = serde_json::Value::from(tag).to_string();
    sql.push("(instr(m.tags, ").push_bind(json);
    sql.push(") > 0 AND EXISTS (SELECT 1 FROM json_each(m.tags) AS tag WHERE tag.value = ");
    sql.push_bind(tag.to_owned()).push("))");
}

#[cfg(test)]
mod tests {
    use inklings_domain::ids::ConversationId;
    use uuid::Uuid;

    use super::*;

    fn workspace() -> WorkspaceId {
        WorkspaceId::from_uuid(Uuid::from_u128(9))
    }

    fn sql_of(filter: &MemoryFilter, workspace: WorkspaceId) -> String {
        let mut sql = Sql::new("");
        push_filter(&mut sql, filter, workspace);
        sql.into_string()
    }

    #[test]
    fn the_filter_for_everything_adds_no_condition_so_that_the_sort_order_selects_the_index() {
        let all = MemoryFilter::active(ScopeFilter::EVERYTHING);
        assert_eq!(sql_of(&all, workspace()), format!("(TRUE AND m.forgotten_at IS NULL AND {WRITTEN})"));
        assert_eq!(
            sql_of(&all, WorkspaceId::ACCOUNT),
            format!("(TRUE AND m.forgotten_at IS NULL AND {WRITTEN})")
        );
    }

    #[test]
    fn ids_of_channels_and_conversations_are_bound_parameters() {
        let channel = ChannelId::from_uuid(Uuid::from_u128(1));
        let conversation = ConversationId::from_uuid(Uuid::from_u128(2));
        let scope_filter = ScopeFilter::new(&[], Some(channel), Some(conversation));
        let sql = sql_of(&MemoryFilter::active(scope_filter), workspace());
        assert!(!sql.contains("0000"), "{sql}");
        assert!(sql.contains("m.scope = 'conversation' AND m.conversation_id IN (?) AND m.channel_id = ?"));
    }

    #[test]
    fn values_of_one_facet_are_alternatives_and_facets_are_conjunctive() {
        let term = |facet, value: &str, negated| FacetTerm { facet, value: value.into(), negated };
        let filter = MemoryFilter {
            scope_filter: ScopeFilter::EVERYTHING,
            terms: vec![
                term(Facet::Source, "user", false),
                term(Facet::Source, "cli", false),
                term(Facet::Importance, "high", true),
            ],
        };
        assert_eq!(
            sql_of(&filter, workspace()),
            format!(
                "(TRUE AND m.forgotten_at IS NULL AND {WRITTEN} AND (FALSE OR (m.source = ?) OR (m.source = ?)) \
                 AND NOT (m.importance >= ? AND m.importance < ?))"
            )
        );
    }
}
