//! The chat completions protocol of `OpenAI`, and the dialects of other servers.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use inklings_ports::model::chat::{
    ChatEndpoint, ChatEvent, ChatRequest, ChatTurn, ChatUsage, Secret, StopReason, ToolCall,
};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, InvalidHeaderValue};
use serde_json::{Value, json};

use crate::failure::{Failure, Refusal};
use crate::wire::{Decoder, Progress, Wire};

/// The protocol with the learned dialect of the endpoint. Nearly every server accepts `stream_options` and
/// `max_tokens`. A server that refuses one names it in its error, and the request is repeated in that dialect.
#[derive(Debug, Default)]
pub(crate) struct OpenAi {
    no_stream_options: AtomicBool,
    completion_tokens: AtomicBool,
}

impl Wire for OpenAi {
    fn answer_path(&self) -> &'static str {
        "chat/completions"
    }

    fn models_path(&self) -> &'static str {
        "models"
    }

    fn headers(&self, key: Option<&Secret>) -> Result<HeaderMap, InvalidHeaderValue> {
        let mut headers = HeaderMap::new();
        if let Some(key) = key {
            let mut value = HeaderValue::from_str(&format!("Bearer {}", key.reveal()))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        Ok(headers)
    }

    fn body(&self, endpoint: &ChatEndpoint, request: &ChatRequest) -> Value {
        let mut messages = Vec::with_capacity(request.turns.len() + 1);
        if !request.system.is_empty() {
            messages.push(json!({"role": "system", "content": request.system}));
        }
        messages.extend(request.turns.iter().map(message));
        let mut body = json!({"model": endpoint.model, "messages": messages, "stream": true});
        if !self.no_stream_options.load(Ordering::Relaxed) {
            body["stream_options"] = json!({"include_usage": true});
        }
        if let Some(most) = request.max_tokens {
            let renamed = self.completion_tokens.load(Ordering::Relaxed);
            body[if renamed { "max_completion_tokens" } else { "max_tokens" }] = json!(most);
        }
        if !request.tools.is_empty() {
            let tool = |tool: &inklings_ports::model::chat::ToolSpec| {
                let function =
                    json!({"name": tool.name, "description": tool.description, "parameters": tool.schema});
                json!({"type": "function", "function": function})
            };
            body["tools"] = request.tools.iter().map(tool).collect();
            if request.answer_only {
                body["tool_choice"] = json!("none");
            }
        }
        body
    }

    fn learn(&self, refusal: &Refusal) -> bool {
        let learnt = |flag: &AtomicBool| !flag.swap(true, Ordering::Relaxed);
        if refusal.is_about("stream_options") {
            learnt(&self.no_stream_options)
        } else if refusal.is_about("max_completion_tokens") {
            learnt(&self.completion_tokens)
        } else {
            false
        }
    }

    fn decoder(&self) -> Box<dyn Decoder> {
        Box::new(Reader::default())
    }
}

fn message(turn: &ChatTurn) -> Value {
    match turn {
        ChatTurn::User(text) => json!({"role": "user", "content": text}),
        ChatTurn::Assistant { text, calls } if calls.is_empty() => {
            json!({"role": "assistant", "content": text})
        }
        ChatTurn::Assistant { text, calls } => {
            let call = |call: &ToolCall| {
                let function = json!({"name": call.name, "arguments": call.arguments});
                json!({"id": call.id, "type": "function", "function": function})
            };
            let calls: Value = calls.iter().map(call).collect();
            json!({"role": "assistant", "content": text, "tool_calls": calls})
        }
        ChatTurn::Tool { call_id, text, .. } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": text})
        }
    }
}

/// Decodes one answer. Parts of tool calls are joined by index. Calls are returned only when the model stops, so that
/// a lost connection leaves no incomplete call to run.
#[derive(Debug, Default)]
struct Reader {
    calls: Vec<(Option<u64>, ToolCall)>,
    reason: Option<StopReason>,
    usage: Option<ChatUsage>,
}

impl Decoder for Reader {
    fn read(&mut self, data: &str, pieces: &mut VecDeque<ChatEvent>) -> Result<Progress, Failure> {
        if data.trim() == "[DONE]" {
            if self.reason.is_none() {
                self.stop("stop", pieces);
            }
            pieces.extend(self.done());
            return Ok(Progress::Over);
        }
        let chunk: Value = serde_json::from_str(data)
            .map_err(|_| Failure::nonsense("it sent something that is not JSON"))?;
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Refusal::of_event(&chunk["error"]).into_failure());
        }
        if let (Some(input), Some(output)) =
            (chunk["usage"]["prompt_tokens"].as_u64(), chunk["usage"]["completion_tokens"].as_u64())
        {
            self.usage = Some(ChatUsage { input, output });
        }
        let choice = &chunk["choices"][0];
        if self.reason.is_none() {
            if let Some(text) = choice["delta"]["content"].as_str().filter(|text| !text.is_empty()) {
                pieces.push_back(ChatEvent::Text(text.into()));
            }
            for part in choice["delta"]["tool_calls"].as_array().into_iter().flatten() {
                self.add(part);
            }
            if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
                self.stop(reason, pieces);
            }
        }
        Ok(if self.reason.is_some() { Progress::Ending } else { Progress::Running })
    }

    fn done(&mut self) -> Option<ChatEvent> {
        self.reason.map(|reason| ChatEvent::Done { reason, usage: self.usage })
    }
}

impl Reader {
    /// Adds a part of a call. Some servers send every call whole, with the same index or with none, so a new id
    /// begins another call.
    fn add(&mut self, part: &Value) {
        let text = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let index = part["index"].as_u64();
        let (id, name) = (text(&part["id"]), text(&part["function"]["name"]));
        let arguments = text(&part["function"]["arguments"]);
        let open = match index {
            Some(_) => self.calls.iter_mut().rev().find(|(own, _)| *own == index),
            None if id.is_empty() && name.is_empty() => self.calls.last_mut(),
            None => self.calls.iter_mut().rev().find(|(_, call)| !id.is_empty() && call.id == id),
        };
        match open.map(|(_, call)| call).filter(|call| id.is_empty() || call.id.is_empty() || call.id == id) {
            Some(call) => {
                if call.id.is_empty() {
                    call.id = id;
                }
                if call.name.is_empty() {
                    call.name = name;
                }
                call.arguments.push_str(&arguments);
            }
            None => self.calls.push((index, ToolCall { id, name, arguments })),
        }
    }

    fn stop(&mut self, reason: &str, pieces: &mut VecDeque<ChatEvent>) {
        let mut calls: Vec<ToolCall> =
            std::mem::take(&mut self.calls).into_iter().map(|(_, call)| call).collect();
        if reason == "length" {
            // The limit cut off the last call, and an incomplete call must not run.
            calls.retain(|call| serde_json::from_str::<Value>(&call.arguments).is_ok());
        }
        self.reason = Some(match reason {
            "length" => StopReason::Length,
            // Ollama sends "stop" with tool calls.
            "stop" | "tool_calls" | "function_call" if !calls.is_empty() => StopReason::ToolCalls,
            "stop" => StopReason::Finished,
            "tool_calls" | "function_call" => StopReason::ToolCalls,
            _ => StopReason::Other,
        });
        for (at, mut call) in calls.into_iter().enumerate() {
            if call.id.is_empty() {
                call.id = format!("call_{at}");
            }
            pieces.push_back(ChatEvent::ToolCall(call));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(chunks: &[Value], finish: &str) -> Vec<ToolCall> {
        let mut reader = Reader::default();
        let mut pieces = VecDeque::new();
        for calls in chunks {
            let chunk = json!({"choices": [{"delta": {"tool_calls": calls}}]});
            reader.read(&chunk.to_string(), &mut pieces).unwrap();
        }
        let end = json!({"choices": [{"delta": {}, "finish_reason": finish}]});
        reader.read(&end.to_string(), &mut pieces).unwrap();
        let call = |piece| match piece {
            ChatEvent::ToolCall(call) => Some(call),
            _ => None,
        };
        pieces.into_iter().filter_map(call).collect()
    }

    fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
        ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
    }

    #[test]
    fn parts_of_calls_are_joined_by_their_index() {
        let parts = [
            json!([{"index": 0, "id": "a", "function": {"name": "find", "arguments": ""}}]),
            json!([{"index": 1, "id": "b", "function": {"name": "list", "arguments": "{"}}]),
            json!([{"index": 0, "function": {"arguments": "{\"q\":"}}, {"index": 1, "function": {"arguments": "}"}}]),
            json!([{"index": 0, "function": {"arguments": "1}"}}]),
        ];
        assert_eq!(calls(&parts, "tool_calls"), [call("a", "find", "{\"q\":1}"), call("b", "list", "{}")]);
    }

    #[test]
    fn whole_calls_without_a_useful_index_stay_apart() {
        let same = [
            json!([{"index": 0, "id": "a", "function": {"name": "find", "arguments": "{}"}}]),
            json!([{"index": 0, "id": "b", "function": {"name": "find", "arguments": "{}"}}]),
        ];
        assert_eq!(calls(&same, "stop"), [call("a", "find", "{}"), call("b", "find", "{}")]);
        let none = [json!([{"function": {"name": "x", "arguments": {"n": 1}}}, {"function": {"name": "y"}}])];
        assert_eq!(calls(&none, "stop"), [call("call_0", "x", "{\"n\":1}"), call("call_1", "y", "")]);
    }

    #[test]
    fn a_tool_call_truncated_by_the_token_limit_is_not_delivered() {
        let parts = [json!([{"index": 0, "id": "a", "function": {"name": "find", "arguments": "{\"q\":"}}])];
        assert_eq!(calls(&parts, "length"), []);
    }
}
