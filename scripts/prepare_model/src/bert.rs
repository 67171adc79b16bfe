//! The BERT encoder as an ONNX graph: token, segment and position embeddings, then per layer multi-head
//! attention and a feed-forward block, each followed by a residual and a layer normalisation.
//! Output: `last_hidden_state`; pooling is the caller's.

use std::error::Error;

use serde_json::Value;

use crate::onnx::{Attribute, Dim, Element, Files, Graph};
use crate::safetensors::Tensors;

const OPSET: i64 = 17; // the first with LayerNormalization

/// The sizes that shape the graph, from the model's `config.json`.
pub struct Config {
    hidden: usize,
    intermediate: usize,
    heads: usize,
    layers: usize,
    positions: usize,
    segments: usize,
    vocabulary: usize,
    epsilon: f32,
}

impl Config {
    /// Reads `config.json`; refuses a model that is not a plain BERT with exact GELU.
    pub fn read(json: &[u8]) -> Result<Self, Box<dyn Error>> {
        let json: Value = serde_json::from_slice(json)?;
        for (key, wanted) in
            [("model_type", "bert"), ("hidden_act", "gelu"), ("position_embedding_type", "absolute")]
        {
            if json[key] != wanted {
                return Err(format!("config.json: {key} is {}, not {wanted}", json[key]).into());
            }
        }
        let size = |key: &str| {
            let number = json[key].as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0);
            number.ok_or_else(|| format!("config.json has no usable {key}"))
        };
        Ok(Self {
            hidden: size("hidden_size")?,
            intermediate: size("intermediate_size")?,
            heads: size("num_attention_heads")?,
            layers: size("num_hidden_layers")?,
            positions: size("max_position_embeddings")?,
            segments: size("type_vocab_size")?,
            vocabulary: size("vocab_size")?,
            epsilon: json["layer_norm_eps"].as_f64().ok_or("config.json has no layer_norm_eps")? as f32,
        })
    }
}

/// The files of the model for these weights, which the graph finds by `weights_name`.
pub fn build(
    config: &Config,
    weights: &Tensors,
    weights_name: &'static str,
) -> Result<Files, Box<dyn Error>> {
    let mut encoder = Encoder { config, weights, graph: Graph::new(weights_name) };
    let tokens = [Dim::Named("batch"), Dim::Named("sequence")];
    for name in ["input_ids", "attention_mask", "token_type_ids"] {
        encoder.graph.input(name, Element::Int64, &tokens);
    }
    let mask = encoder.mask();
    let mut hidden = encoder.embeddings()?;
    for layer in 0..config.layers {
        hidden = encoder.layer(&format!("encoder.layer.{layer}"), &hidden, &mask)?;
    }
    let Encoder { mut graph, .. } = encoder;
    graph.publish(&hidden, "last_hidden_state");
    let [batch, sequence] = tokens;
    graph.output("last_hidden_state", Element::Float, &[batch, sequence, Dim::Fixed(config.hidden)]);
    Ok(graph.finish("all-MiniLM-L6-v2", OPSET))
}

struct Encoder<'a> {
    config: &'a Config,
    weights: &'a Tensors<'a>,
    graph: Graph,
}

impl Encoder<'_> {
    /// 0 where a token counts and a number far below any score where it is padding, shaped to be added to the
    /// scores of all heads.
    fn mask(&mut self) -> String {
        let graph = &mut self.graph;
        let axes = graph.ints("mask.axes", &[1, 2]);
        let one = graph.floats("mask.one", &[1], &[1.0]);
        let lowest = graph.floats("mask.lowest", &[1], &[-1e9]);
        let mask = graph.node("Unsqueeze", &["attention_mask", &axes], &[]);
        let mask = graph.node("Cast", &[&mask], &[Attribute::Int("to", Element::Float as i64)]);
        let mask = graph.node("Sub", &[&one, &mask], &[]);
        graph.node("Mul", &[&mask, &lowest], &[])
    }

    fn embeddings(&mut self) -> Result<String, Box<dyn Error>> {
        let Config { hidden, positions, segments, vocabulary, .. } = *self.config;
        let words = self.table("embeddings.word_embeddings.weight", vocabulary, hidden)?;
        let types = self.table("embeddings.token_type_embeddings.weight", segments, hidden)?;
        let places = self.table("embeddings.position_embeddings.weight", positions, hidden)?;
        let graph = &mut self.graph;
        let zero = graph.ints("position.start", &[0]);
        let length = graph.node("Shape", &["input_ids"], &[Attribute::Int("start", 1)]);
        let place = graph.node("Slice", &[&places, &zero, &length, &zero], &[]);
        let word = graph.node("Gather", &[&words, "input_ids"], &[]);
        let kind = graph.node("Gather", &[&types, "token_type_ids"], &[]);
        let sum = graph.node("Add", &[&word, &kind], &[]);
        let sum = graph.node("Add", &[&sum, &place], &[]);
        self.normalise("embeddings.LayerNorm", &sum)
    }

    fn layer(&mut self, name: &str, input: &str, mask: &str) -> Result<String, Box<dyn Error>> {
        let Config { hidden, intermediate, .. } = *self.config;
        let context = self.attention(&format!("{name}.attention.self"), input, mask)?;
        let context = self.linear(&format!("{name}.attention.output.dense"), &context, hidden, hidden)?;
        let sum = self.graph.node("Add", &[&context, input], &[]);
        let middle = self.normalise(&format!("{name}.attention.output.LayerNorm"), &sum)?;
        let wide = self.linear(&format!("{name}.intermediate.dense"), &middle, hidden, intermediate)?;
        let wide = self.gelu(name, &wide);
        let narrow = self.linear(&format!("{name}.output.dense"), &wide, intermediate, hidden)?;
        let sum = self.graph.node("Add", &[&narrow, &middle], &[]);
        self.normalise(&format!("{name}.output.LayerNorm"), &sum)
    }

    /// Scaled dot-product attention over all heads: softmax(QK'/sqrt(d) + mask) V.
    fn attention(&mut self, name: &str, input: &str, mask: &str) -> Result<String, Box<dyn Error>> {
        let Config { hidden, heads, .. } = *self.config;
        let size = hidden / heads;
        let split = self.graph.ints(&format!("{name}.split"), &[0, 0, heads as i64, size as i64]);
        let join = self.graph.ints(&format!("{name}.join"), &[0, 0, hidden as i64]);
        let scale = self.graph.floats(&format!("{name}.scale"), &[1], &[(size as f32).sqrt()]);
        let mut heads_of = |part: &str, order: &[i64]| -> Result<String, Box<dyn Error>> {
            let flat = self.linear(&format!("{name}.{part}"), input, hidden, hidden)?;
            let parts = self.graph.node("Reshape", &[&flat, &split], &[]);
            Ok(self.graph.node("Transpose", &[&parts], &[Attribute::Ints("perm", order)]))
        };
        let query = heads_of("query", &[0, 2, 1, 3])?;
        let key = heads_of("key", &[0, 2, 3, 1])?;
        let value = heads_of("value", &[0, 2, 1, 3])?;
        let graph = &mut self.graph;
        let scores = graph.node("MatMul", &[&query, &key], &[]);
        let scores = graph.node("Div", &[&scores, &scale], &[]);
        let scores = graph.node("Add", &[&scores, mask], &[]);
        let shares = graph.node("Softmax", &[&scores], &[Attribute::Int("axis", -1)]);
        let context = graph.node("MatMul", &[&shares, &value], &[]);
        let context = graph.node("Transpose", &[&context], &[Attribute::Ints("perm", &[0, 2, 1, 3])]);
        Ok(graph.node("Reshape", &[&context, &join], &[]))
    }

    /// x/2 * (1 + erf(x / sqrt 2)), in the order of operations that ONNX Runtime recognises and fuses.
    fn gelu(&mut self, name: &str, input: &str) -> String {
        let graph = &mut self.graph;
        let root = graph.floats(&format!("{name}.gelu.root"), &[], &[std::f32::consts::SQRT_2]);
        let one = graph.floats(&format!("{name}.gelu.one"), &[], &[1.0]);
        let half = graph.floats(&format!("{name}.gelu.half"), &[], &[0.5]);
        let scaled = graph.node("Div", &[input, &root], &[]);
        let erf = graph.node("Erf", &[&scaled], &[]);
        let shifted = graph.node("Add", &[&erf, &one], &[]);
        let product = graph.node("Mul", &[input, &shifted], &[]);
        graph.node("Mul", &[&product, &half], &[])
    }

    /// x W' + b. The weights are stored `[to, from]`; `MatMul` wants `[from, to]`.
    fn linear(&mut self, name: &str, input: &str, from: usize, to: usize) -> Result<String, Box<dyn Error>> {
        let stored = self.weights.f32(&format!("{name}.weight"), &[to, from])?;
        let turned: Vec<f32> = (0..from)
            .flat_map(|row| (0..to).map(move |column| (row, column)))
            .map(|(row, column)| stored[column * from + row])
            .collect();
        let bias = self.weights.f32(&format!("{name}.bias"), &[to])?;
        let weight = self.graph.floats(&format!("{name}.weight"), &[from, to], &turned);
        let bias = self.graph.floats(&format!("{name}.bias"), &[to], &bias);
        let product = self.graph.node("MatMul", &[input, &weight], &[]);
        Ok(self.graph.node("Add", &[&product, &bias], &[]))
    }

    fn normalise(&mut self, name: &str, input: &str) -> Result<String, Box<dyn Error>> {
        let size = [self.config.hidden];
        let weight = self.weights.f32(&format!("{name}.weight"), &size)?;
        let bias = self.weights.f32(&format!("{name}.bias"), &size)?;
        let weight = self.graph.floats(&format!("{name}.weight"), &size, &weight);
        let bias = self.graph.floats(&format!("{name}.bias"), &size, &bias);
        let attributes = [Attribute::Int("axis", -1), Attribute::Float("epsilon", self.config.epsilon)];
        Ok(self.graph.node("LayerNormalization", &[input, &weight, &bias], &attributes))
    }

    fn table(&mut self, name: &str, rows: usize, columns: usize) -> Result<String, Box<dyn Error>> {
        let values = self.weights.f32(name, &[rows, columns])?;
        Ok(self.graph.floats(name, &[rows, columns], &values))
    }
}
