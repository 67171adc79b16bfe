//! The definition of the tools: what each caller is shown, what it costs, which schemas, and how arguments are parsed.

use std::collections::BTreeSet;

use inklings_application::{
    tools::{self, Call, Caller, Effect, ListedTool, TOOLS, argument::Kind},
    turn::specs,
};
use inklings_domain::{
    client::{Capability, Grants, Sight, TierGrant},
    conversation::message::estimated_tokens,
    ids::{ChannelId, ConversationId},
    scope::{MemoryScope, PerTier},
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Most tokens that the tools of a new client may cost.
const DEFAULT_TOKENS: u64 = 1_500;
/// Most tools of an ordinary client: one with every grant but that of telemetry, which is for the few programs that look after
/// other agents (ADR 48).
const MOST_TOOLS: usize = 12;

fn everything() -> Grants {
    Grants {
        tiers: PerTier::from_fn(|_| TierGrant { read: true, write: true }),
        channels: [ChannelId::from_uuid(Uuid::from_u128(1))].into(),
        conversations: [ConversationId::from_uuid(Uuid::from_u128(2))].into(),
        capabilities: Capability::ALL.iter().copied().collect(),
        sight: Sight::Whole,
    }
}

fn of(grants: &Grants) -> Vec<ListedTool> {
    tools::list(Caller::Client(grants))
}

fn as_json(list: &[ListedTool]) -> String {
    let tool = |tool: &ListedTool| json!({ "name": tool.name, "title": tool.title, "description": tool.description, "inputSchema": tool.schema });
    Value::from(list.iter().map(tool).collect::<Vec<_>>()).to_string()
}

#[test]
fn a_new_client_has_four_tools_in_1500_tokens_and_no_ordinary_client_has_more_than_twelve() {
    let names = |list: &[ListedTool]| list.iter().map(|tool| tool.name).collect::<Vec<_>>();
    let default = of(&Grants::default());
    assert_eq!(names(&default), ["orient", "memory_search", "memory_get", "fact"]);
    let all = of(&everything());
    assert_eq!(names(&all), TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>());
    let mut ordinary = everything();
    ordinary.capabilities.remove(&Capability::AgentTelemetry);
    let shown = of(&ordinary);
    assert!(shown.len() <= MOST_TOOLS, "{} tools", shown.len());
    assert_eq!(all.len(), shown.len() + 1);
    assert!(shown.iter().all(|tool| tool.name != "agent_telemetry"));
    let tokens = |list: &[ListedTool]| estimated_tokens(&as_json(list));
    println!(
        "tokens of the tools: a new client {}, a client with every grant {}",
        tokens(&default),
        tokens(&all)
    );
    assert!(tokens(&default) <= DEFAULT_TOKENS, "{} tokens", tokens(&default));
    assert_eq!(of(&Grants::NOTHING), []);
}

#[test]
fn the_tools_of_a_new_client_match_the_snapshot() {
    let shown: Vec<String> = of(&Grants::default())
        .iter()
        .map(|tool| format!("{}: {}\n{:#}", tool.name, tool.description, Value::Object(tool.schema.clone())))
        .collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

/// Every schema inside a schema.
fn nested(schema: &Value, visit: &mut impl FnMut(&Map<String, Value>)) {
    let Value::Object(members) = schema else { panic!("a schema is an object") };
    visit(members);
    for inner in members.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values) {
        nested(inner, visit);
    }
    members.get("items").into_iter().for_each(|items| nested(items, visit));
}

#[test]
fn schemas_use_only_keywords_that_every_client_accepts() {
    let known = [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "description",
        "enum",
        "minimum",
        "maximum",
        "items",
    ];
    let clients = of(&everything());
    let agents = specs().into_iter().map(|spec| spec.schema);
    for schema in clients.into_iter().map(|tool| Value::Object(tool.schema)).chain(agents) {
        nested(&schema, &mut |members| {
            assert!(members.keys().all(|key| known.contains(&key.as_str())), "{members:?}");
            let kind = members["type"].as_str().expect("one type, as a word");
            assert_eq!(kind == "object", members.get("additionalProperties") == Some(&json!(false)));
            let required = members.get("required").map(|names| names.as_array().expect("a list"));
            let properties = members.get("properties").and_then(Value::as_object);
            for name in required.into_iter().flatten() {
                assert!(properties.is_some_and(|all| all.contains_key(name.as_str().expect("a name"))));
            }
            assert!(members.get("enum").is_none_or(|words| !words.as_array().expect("a list").is_empty()));
        });
    }
}

#[test]
fn names_of_tools_are_unique_and_every_action_of_a_tool_is_described() {
    let names: BTreeSet<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    let titles: BTreeSet<&str> = TOOLS.iter().map(|tool| tool.title).collect();
    assert_eq!((names.len(), titles.len()), (TOOLS.len(), TOOLS.len()));
    for tool in TOOLS {
        assert!(tool.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{}", tool.name);
        assert!(tool.title.starts_with(char::is_uppercase) && !tool.title.contains('.'), "{}", tool.title);
        let words: Vec<&str> = tool.actions.iter().map(|action| action.word).collect();
        assert!(!words.is_empty());
        let action = tool.fields.iter().find(|field| field.name == "action");
        match action.map(|field| field.kind) {
            Some(Kind::Word(of)) => {
                assert_eq!(of().into_iter().collect::<BTreeSet<_>>(), words.iter().copied().collect());
                for action in tool.actions {
                    assert!(action.description.starts_with(&format!("{}: ", action.word)), "{}", tool.name);
                }
            }
            _ => assert!(words.iter().all(|word| word.is_empty()), "{}", tool.name),
        }
        let fields: BTreeSet<&str> = tool.fields.iter().map(|field| field.name).collect();
        assert_eq!(fields.len(), tool.fields.len(), "{}", tool.name);
        for field in tool.fields {
            assert!(
                field.actions.iter().all(|action| words.contains(action)),
                "{}: {}",
                tool.name,
                field.name
            );
            assert!(!field.required || field.actions.is_empty(), "{}: {}", tool.name, field.name);
        }
    }
}

#[test]
fn every_action_is_in_the_table_of_requests_of_the_documentation() {
    let page = include_str!("../../../../docs/mcp.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| \"")?.split_once("\" | `"));
    let chosen: Vec<&str> = rows.filter_map(|(_, call)| call.split('`').next()).collect();
    let mut actions = BTreeSet::new();
    for tool in TOOLS {
        actions.extend(
            tool.actions.iter().map(|action| format!("{} {}", tool.name, action.word).trim_end().to_owned()),
        );
    }
    assert!(chosen.len() >= 20, "{} requests", chosen.len());
    assert_eq!(chosen.iter().map(|call| (*call).to_owned()).collect::<BTreeSet<_>>(), actions);
}

#[test]
fn a_wrong_argument_is_refused_with_its_name_its_number_or_kind_and_what_to_give_and_no_text() {
    let secret = "The secret of Veyra";
    let id = Uuid::from_u128(7).to_string();
    for (tool, arguments, message) in [
        (
            "memory_put",
            json!({ "tier": secret, "content": "x" }),
            "'tier' is another text; give account, workspace, channel or conversation",
        ),
        ("memory_put", json!({ "tier": "workspace" }), "'content' is missing; give a text"),
        (
            "memory_put",
            json!({ "tier": "workspace", "content": "x", "importance": 7 }),
            "'importance' is 7; give a number from 0 to 1",
        ),
        ("memory_search", json!({ "limit": 0.5 }), "'limit' is 0.5; give a whole number from 1 to 50"),
        (
            "memory_search",
            json!({ "tier": true }),
            "'tier' is true; give account, workspace, channel or conversation",
        ),
        (
            "memory_search",
            json!({ "limit": 1_234_567_890_123_456_789_u64 }),
            "'limit' is 1234567890123456789; give a whole number from 1 to 50",
        ),
        (
            "memory_put",
            json!({ "tier": "workspace", "content": "x", "curator": "author" }),
            "'curator' is no argument of this tool; it takes tier, channel, conversation, content, importance, tags, about, \
             relation, from, to, holds, sources",
        ),
        (
            "memory_search",
            json!({ secret: 1 }),
            "one of the names is no argument of this tool; it takes query, tier, channel, \
            conversation, limit",
        ),
        (
            "memory_search",
            json!({ "limit": [secret] }),
            "'limit' is a list; give a whole number from 1 to 50",
        ),
        (
            "memory_get",
            json!({ "id": secret }),
            "'id' is another text; give the id of a memory, as memory_search tells it",
        ),
        ("fact", json!({ "category": "x" }), "'action' is missing; give get or set"),
        ("memory_switch", json!({ "enabled": null }), "'enabled' is missing; give true or false"),
        (
            "memory_update",
            json!({ "id": id, "tags": { "a": secret } }),
            "'tags' is an object; give a list of texts",
        ),
        ("memory_read", json!({}), "there is no such tool"),
    ] {
        let refused = tools::parse(tool, &arguments.to_string()).expect_err("it is refused").to_string();
        assert_eq!(refused, message);
    }
    for (arguments, found) in [("[]", "a list"), ("{", "no JSON"), ("\"x\"", "another text")] {
        let refused = tools::parse("orient", arguments).expect_err("it is refused").to_string();
        assert_eq!(refused, format!("the arguments are {found}; give a JSON object"));
    }
    assert!(tools::parse("memory_get", " ").is_ok(), "no text stands for no arguments");
}

fn any_grants() -> impl Strategy<Value = Grants> {
    (
        proptest::array::uniform8(any::<bool>()),
        any::<[bool; 2]>(),
        proptest::collection::btree_set(0..4usize, 0..4),
    )
        .prop_map(|(bits, [channel, conversation], capabilities)| {
            let mut bits = bits.into_iter();
            let mut next = || bits.next().unwrap_or_default();
            let all = everything();
            Grants {
                tiers: PerTier::from_fn(|_| TierGrant { read: next(), write: next() }),
                channels: if channel { all.channels } else { BTreeSet::new() },
                conversations: if conversation { all.conversations } else { BTreeSet::new() },
                capabilities: capabilities.into_iter().map(|n| Capability::ALL[n]).collect(),
                sight: Sight::Whole,
            }
        })
}

proptest! {
    #[test]
    fn a_client_is_shown_an_action_if_and_only_if_its_grants_meet_the_need(grants in any_grants()) {
        let list = of(&grants);
        for tool in TOOLS {
            let wanted: Vec<&str> =
                tool.actions.iter().filter(|action| action.need.is_met(&grants)).map(|action| action.word).collect();
            let listed = list.iter().find(|listed| listed.name == tool.name);
            prop_assert_eq!(listed.is_some(), !wanted.is_empty());
            let Some(listed) = listed else { continue };
            prop_assert_eq!(listed.effects.len(), wanted.len());
            let properties = listed.schema["properties"].as_object().expect("an object");
            if let Some(action) = properties.get("action") {
                prop_assert_eq!(&action["enum"], &json!(wanted));
            }
            let tiers = properties.get("tier").map(|tier| tier["enum"].as_array().expect("words").clone());
            for tier in tiers.into_iter().flatten() {
                let tier: MemoryScope = tier.as_str().expect("a word").parse().expect("a tier");
                prop_assert!(MemoryScope::ALL.contains(&tier) && grants.tiers.get(tier).read);
            }
            if grants.conversations.is_empty() {
                prop_assert!(!properties.contains_key("conversation"));
            }
        }
        let writes = list.iter().any(|tool| tool.effects.contains(&Effect::Takes));
        let may_write = MemoryScope::ALL.iter().any(|tier| grants.tiers.get(*tier).write);
        prop_assert!(may_write || !writes);
    }

    #[test]
    fn a_number_or_a_list_given_as_text_is_parsed(limit in 1u64..=50, share in 0u32..=100, tag in "[a-z]{1,6}") {
        let share = f64::from(share) / 100.0;
        let call = |arguments: Value| tools::parse("memory_search", &arguments.to_string());
        let expected = call(json!({ "query": "x", "limit": limit }));
        prop_assert!(expected.is_ok());
        for limit in [json!(limit.to_string()), json!(format!(" {limit} ")), json!(limit as f64), json!(format!("{limit}.0"))] {
            prop_assert_eq!(&call(json!({ "query": "x", "limit": limit })), &expected);
        }
        let put = |importance: Value, tags: Value| {
            let arguments = json!({ "tier": "workspace", "content": "x", "importance": importance, "tags": tags });
            tools::parse("memory_put", &arguments.to_string())
        };
        let expected = put(json!(share), json!([tag]));
        prop_assert!(matches!(&expected, Ok(Call::MemoryPut(_))));
        prop_assert_eq!(&put(json!(share.to_string()), json!(tag)), &expected);
        prop_assert_eq!(&put(json!(share), json!(format!("[\"{tag}\"]"))), &expected);
    }

    #[test]
    fn no_arguments_make_the_parser_fail_and_no_refusal_repeats_a_value(
        tool in 0..TOOLS.len(), name in "[a-z_]{1,12}", text in "[A-Z][a-z]{9,20} Veyra", list in any::<bool>(),
    ) {
        let tool = &TOOLS[tool];
        let value = if list { json!([text]) } else { json!(text) };
        for field in tool.fields.iter().map(|field| field.name).chain([name.as_str()]) {
            if let Err(refused) = tools::parse(tool.name, &json!({ field: value }).to_string()) {
                prop_assert!(!refused.to_string().contains("Veyra"), "{}", refused);
            }
        }
    }
}
