//! Encodes the events of both protocols as a server does.

use serde_json::{Value, json};

use super::reply::{Reply, Step};

pub(super) struct Frames {
    anthropic: bool,
    /// Number of content blocks (Anthropic) or tool calls (`OpenAI`) so far.
    index: usize,
    text_open: bool,
}

impl Frames {
    pub const fn new(anthropic: bool) -> Self {
        Self { anthropic, index: 0, text_open: false }
    }

    /// The events before the first piece.
    pub fn begin(&self, reply: &Reply) -> String {
        if self.anthropic {
            let input = reply.usage.map_or(0, |(input, _)| input);
            let usage = json!({"input_tokens": input, "output_tokens": 1});
            let message = json!({"id": "msg_1", "role": "assistant", "content": [], "usage": usage});
            event(&json!({"type": "message_start", "message": message})) + &event(&json!({"type": "ping"}))
        } else {
            delta(&json!({"role": "assistant", "content": ""}))
        }
    }

    /// The events of a step, each of which is sent on its own.
    pub fn step(&mut self, step: &Step) -> Vec<String> {
        match (step, self.anthropic) {
            (Step::Say(text), false) => vec![delta(&json!({"content": text}))],
            (Step::Say(text), true) => {
                let mut events = Vec::new();
                if !self.text_open {
                    events.push(self.open(&json!({"type": "text", "text": ""})));
                    self.text_open = true;
                }
                events.push(self.delta(&json!({"type": "text_delta", "text": text})));
                events
            }
            (Step::Call { id, name, arguments }, false) => {
                let part = |call: Value| delta(&json!({"tool_calls": [call]}));
                let index = self.index;
                let head = json!({"name": name, "arguments": ""});
                let mut events =
                    vec![part(json!({"index": index, "id": id, "type": "function", "function": head}))];
                let parts = split(arguments).into_iter();
                events
                    .extend(parts.map(|text| part(json!({"index": index, "function": {"arguments": text}}))));
                self.index += 1;
                events
            }
            (Step::Call { id, name, arguments }, true) => {
                let mut events = self.close_text();
                events.push(self.open(&json!({"type": "tool_use", "id": id, "name": name, "input": {}})));
                let parts = split(arguments).into_iter();
                events.extend(
                    parts.map(|text| self.delta(&json!({"type": "input_json_delta", "partial_json": text}))),
                );
                events.push(self.close());
                events
            }
            (Step::Fail(code), anthropic) => {
                let error = json!({"type": code, "message": "no reason given"});
                vec![event(&if anthropic {
                    json!({"type": "error", "error": error})
                } else {
                    json!({"error": error})
                })]
            }
            (Step::Raw(text), _) => vec![text.clone()],
            (Step::Pause(_) | Step::Stall | Step::Drop, _) => Vec::new(),
        }
    }

    /// The events after the last piece.
    pub fn end(&mut self, reply: &Reply) -> Vec<String> {
        let mut events = Vec::new();
        if self.anthropic {
            events.extend(self.close_text());
            if let Some(reason) = &reply.finish {
                let reason = match reason.as_str() {
                    "stop" => "end_turn",
                    "tool_calls" => "tool_use",
                    "length" => "max_tokens",
                    other => other,
                };
                let mut end = json!({"type": "message_delta", "delta": {"stop_reason": reason}});
                if let Some((_, output)) = reply.usage {
                    end["usage"] = json!({"output_tokens": output});
                }
                events.push(event(&end));
            }
            if reply.closing {
                events.push(event(&json!({"type": "message_stop"})));
            }
            return events;
        }
        if let Some(reason) = &reply.finish {
            events.push(event(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})));
        }
        if let Some((input, output)) = reply.usage {
            let usage = json!({"prompt_tokens": input, "completion_tokens": output});
            events.push(event(&json!({"choices": [], "usage": usage})));
        }
        if reply.closing {
            events.push("data: [DONE]\n\n".into());
        }
        events
    }

    fn open(&self, block: &Value) -> String {
        event(&json!({"type": "content_block_start", "index": self.index, "content_block": block}))
    }

    fn delta(&self, delta: &Value) -> String {
        event(&json!({"type": "content_block_delta", "index": self.index, "delta": delta}))
    }

    fn close(&mut self) -> String {
        self.index += 1;
        event(&json!({"type": "content_block_stop", "index": self.index - 1}))
    }

    fn close_text(&mut self) -> Vec<String> {
        if std::mem::take(&mut self.text_open) { vec![self.close()] } else { Vec::new() }
    }
}

fn delta(delta: &Value) -> String {
    event(&json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}))
}

/// Encodes an event, with its name if it has one, as Anthropic does.
fn event(data: &Value) -> String {
    let name = data["type"].as_str().map(|name| format!("event: {name}\n")).unwrap_or_default();
    format!("{name}data: {data}\n\n")
}

/// Splits a text into up to three parts.
fn split(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(letters.len().div_ceil(3).max(1)).map(|part| part.iter().collect()).collect()
}
