//! The messages protocol of Anthropic.

use std::collections::VecDeque;

use inklings_ports::model::chat::{
    ChatEndpoint, ChatEvent, ChatRequest, ChatTurn, ChatUsage, Secret, StopReason, ToolCall, ToolSpec,
};
use reqwest::header::{HeaderMap, HeaderValue, InvalidHeaderValue};
use serde_json::{Value, json};

use crate::failure::{Failure, Refusal};
use crate::wire::{Decoder, Progress, Wire};

/// Protocol version.
const VERSION: &str = "2023-06-01";

/// Default token limit, because the protocol requires one. Every current model allows at least this.
const MOST_TOKENS: u32 = 8192;

/// The protocol. It has a single vendor, and so no dialects.
#[derive(Debug)]
pub(crate) struct Anthropic;

impl Wire for Anthropic {
    fn answer_path(&self) -> &'static str {
        "v1/messages"
    }

    fn models_path(&self) -> &'static str {
        "v1/models?limit=1000"
    }

    fn headers(&self, key: Option<&Secret>) -> Result<HeaderMap, InvalidHeaderValue> {
        let mut headers = HeaderMap::new();
        headers.insert("anthropic-version", HeaderValue::from_static(VERSION));
        if let Some(key) = key {
            let mut value = HeaderValue::from_str(key.reveal())?;
            value.set_sensitive(true);
            headers.insert("x-api-key", value);
        }
        Ok(headers)
    }

    fn body(&self, endpoint: &ChatEndpoint, request: &ChatRequest) -> Value {
        let mut body = json!({
            "model": endpoint.model,
            "max_tokens": request.max_tokens.unwrap_or(MOST_TOKENS),
            "messages": messages(&request.turns),
            "stream": true,
        });
        if !request.system.is_empty() {
            body["system"] = json!(request.system);
        }
        if !request.tools.is_empty() {
            let tool = |tool: &ToolSpec| json!({"name": tool.name, "description": tool.description, "input_schema": tool.schema});
            body["tools"] = request.tools.iter().map(tool).collect();
            if request.answer_only {
                body["tool_choice"] = json!({"type": "none"});
            }
        }
        body
    }

    fn learn(&self, _: &Refusal) -> bool {
        false
    }

    fn decoder(&self) -> Box<dyn Decoder> {
        Box::new(Reader::default())
    }
}

/// Converts turns to messages: roles alternate, the first is the user's, and empty text blocks are omitted.
fn messages(turns: &[ChatTurn]) -> Value {
    let text = |text: &String| (!text.is_empty()).then(|| json!({"type": "text", "text": text}));
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for turn in turns {
        let (role, blocks): (_, Vec<Value>) = match turn {
            ChatTurn::User(words) => ("user", text(words).into_iter().collect()),
            ChatTurn::Assistant { text: words, calls } => {
                ("assistant", text(words).into_iter().chain(calls.iter().map(tool_use)).collect())
            }
            ChatTurn::Tool { call_id, text, .. } => {
                ("user", vec![json!({"type": "tool_result", "tool_use_id": call_id, "content": text})])
            }
        };
        if blocks.is_empty() {
            continue;
        }
        match messages.last_mut() {
            Some((last, own)) if *last == role => own.extend(blocks),
            None if role == "assistant" => {
                // A truncated conversation may begin with an answer, which the protocol does not allow.
                messages.push(("user", vec![json!({"type": "text", "text": "…"})]));
                messages.push((role, blocks));
            }
            _ => messages.push((role, blocks)),
        }
    }
    messages.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

/// Renders a tool call of the model for the next request. The protocol accepts only objects, so malformed arguments
/// are wrapped in one and the model sees them unchanged.
fn tool_use(call: &ToolCall) -> Value {
    let input = match serde_json::from_str(&call.arguments) {
        Ok(Value::Object(input)) => Value::Object(input),
        _ if call.arguments.trim().is_empty() => json!({}),
        _ => json!({"invalid": call.arguments}),
    };
    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input})
}

/// Decodes one answer.
#[derive(Debug, Default)]
struct Reader {
    call: Option<ToolCall>,
    reason: Option<StopReason>,
    input: Option<u64>,
    output: Option<u64>,
}

impl Decoder for Reader {
    fn read(&mut self, data: &str, pieces: &mut VecDeque<ChatEvent>) -> Result<Progress, Failure> {
        let event: Value = serde_json::from_str(data)
            .map_err(|_| Failure::nonsense("it sent something that is not JSON"))?;
        match event["type"].as_str().unwrap_or_default() {
            "error" => return Err(Refusal::of_event(&event["error"]).into_failure()),
            "message_start" => self.count(&event["message"]["usage"]),
            "content_block_start" => self.open(&event["content_block"], pieces),
            "content_block_delta" => self.add(&event["delta"], pieces),
            "content_block_stop" => pieces.extend(self.close()),
            "message_delta" => {
                self.count(&event["usage"]);
                if let Some(reason) = event["delta"]["stop_reason"].as_str() {
                    self.reason = Some(match reason {
                        "end_turn" | "stop_sequence" => StopReason::Finished,
                        "tool_use" => StopReason::ToolCalls,
                        "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
                        _ => StopReason::Other,
                    });
                }
            }
            "message_stop" => {
                self.reason.get_or_insert(StopReason::Finished);
                pieces.extend(self.done());
                return Ok(Progress::Over);
            }
            // `ping`, and unknown future events.
            _ => {}
        }
        Ok(if self.reason.is_some() { Progress::Ending } else { Progress::Running })
    }

    fn done(&mut self) -> Option<ChatEvent> {
        let usage = self.input.zip(self.output).map(|(input, output)| ChatUsage { input, output });
        self.reason.map(|reason| ChatEvent::Done { reason, usage })
    }
}

impl Reader {
    /// Records token counts; later counts replace earlier ones. Tokens from the endpoint's cache count as input.
    fn count(&mut self, usage: &Value) {
        if let Some(input) = usage["input_tokens"].as_u64() {
            let cached = ["cache_read_input_tokens", "cache_creation_input_tokens"];
            self.input = Some(input + cached.iter().filter_map(|field| usage[*field].as_u64()).sum::<u64>());
        }
        self.output = usage["output_tokens"].as_u64().or(self.output);
    }

    fn open(&mut self, block: &Value, pieces: &mut VecDeque<ChatEvent>) {
        let text = |field: &str| block[field].as_str().unwrap_or_default().to_owned();
        match block["type"].as_str() {
            Some("tool_use") => {
                let whole = block["input"].as_object().filter(|input| !input.is_empty());
                let arguments = whole.map(|_| block["input"].to_string()).unwrap_or_default();
                self.call = Some(ToolCall { id: text("id"), name: text("name"), arguments });
            }
            Some("text") => push_text(&text("text"), pieces),
            _ => {}
        }
    }

    fn add(&mut self, delta: &Value, pieces: &mut VecDeque<ChatEvent>) {
        match (delta["type"].as_str(), &mut self.call) {
            (Some("text_delta"), _) => push_text(delta["text"].as_str().unwrap_or_default(), pieces),
            (Some("input_json_delta"), Some(call)) => {
                call.arguments.push_str(delta["partial_json"].as_str().unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Ends a block. An incomplete call that the token limit cut off is dropped.
    fn close(&mut self) -> Option<ChatEvent> {
        let mut call = self.call.take()?;
        if call.arguments.is_empty() {
            call.arguments = "{}".into();
        }
        serde_json::from_str::<Value>(&call.arguments).is_ok().then_some(ChatEvent::ToolCall(call))
    }
}

fn push_text(text: &str, pieces: &mut VecDeque<ChatEvent>) {
    if !text.is_empty() {
        pieces.push_back(ChatEvent::Text(text.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_alternate_and_answers_of_tools_share_a_message() {
        let call = |id: &str, arguments: &str| ToolCall {
            id: id.into(),
            name: "find".into(),
            arguments: arguments.into(),
        };
        let answer =
            |id: &str| ChatTurn::Tool { call_id: id.into(), name: "find".into(), text: "none".into() };
        let turns = [
            ChatTurn::Assistant { text: "Welcome".into(), calls: vec![] },
            ChatTurn::User("a".into()),
            ChatTurn::User("b".into()),
            ChatTurn::Assistant {
                text: String::new(),
                calls: vec![call("1", "{\"q\":1}"), call("2", "{oops")],
            },
            answer("1"),
            answer("2"),
        ];
        let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": "none"});
        let expected = json!([
            {"role": "user", "content": [{"type": "text", "text": "…"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Welcome"}]},
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "1", "name": "find", "input": {"q": 1}},
                {"type": "tool_use", "id": "2", "name": "find", "input": {"invalid": "{oops"}},
            ]},
            {"role": "user", "content": [result("1"), result("2")]},
        ]);
        assert_eq!(messages(&turns), expected);
    }

    #[test]
    fn tokens_read_from_a_cache_are_counted() {
        let mut reader = Reader::default();
        reader.count(&json!({"input_tokens": 3, "cache_read_input_tokens": 90, "output_tokens": 1}));
        reader.count(&json!({"output_tokens": 7}));
        reader.reason = Some(StopReason::Finished);
        let usage = Some(ChatUsage { input: 93, output: 7 });
        assert_eq!(reader.done(), Some(ChatEvent::Done { reason: StopReason::Finished, usage }));
    }
}
