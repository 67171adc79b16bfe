//! As much of the ONNX file format (protocol buffers, `onnx.proto3`) as a feed-forward graph needs.
//! The numbers passed to `bytes` and `int` are the field numbers of that schema.

/// Element types of a tensor, with their numbers in the schema.
#[derive(Clone, Copy)]
pub enum Element {
    Float = 1,
    Int64 = 7,
}

/// An attribute of a node.
pub enum Attribute<'a> {
    Int(&'a str, i64),
    Ints(&'a str, &'a [i64]),
    Float(&'a str, f32),
}

/// One dimension of a graph input or output.
pub enum Dim<'a> {
    Fixed(usize),
    Named(&'a str),
}

/// A protocol buffers message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn int(&mut self, field: u64, value: i64) {
        self.varint(field << 3);
        self.varint(value as u64);
    }

    fn float(&mut self, field: u64, value: f32) {
        self.varint(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }
}

/// Constants of at least this size stand in the file of weights, at offsets that all systems can map.
const PAGE: usize = 64 * 1024;

/// A graph under construction. Nodes must be added in the order they run.
pub struct Graph {
    message: Message,
    values: usize,
    weights: Vec<u8>,
    weights_name: &'static str,
}

/// The files of a finished model.
pub struct Files {
    pub graph: Vec<u8>,
    /// The large constants, to which the graph refers by the name that it was begun with.
    pub weights: Vec<u8>,
}

impl Graph {
    /// `weights_name` is the name of the file of weights, beside that of the graph.
    pub fn new(weights_name: &'static str) -> Self {
        Self { message: Message::default(), values: 0, weights: Vec::new(), weights_name }
    }

    /// Declares an input of the whole graph.
    pub fn input(&mut self, name: &str, element: Element, dims: &[Dim]) {
        self.message.bytes(11, &value_info(name, element, dims).0);
    }

    /// Declares an output of the whole graph.
    pub fn output(&mut self, name: &str, element: Element, dims: &[Dim]) {
        self.message.bytes(12, &value_info(name, element, dims).0);
    }

    /// Adds a constant of floats and returns its name.
    pub fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) -> String {
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(name, Element::Float, shape, &raw)
    }

    /// Adds a constant vector of integers and returns its name.
    pub fn ints(&mut self, name: &str, values: &[i64]) -> String {
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(name, Element::Int64, &[values.len()], &raw)
    }

    fn constant(&mut self, name: &str, element: Element, shape: &[usize], raw: &[u8]) -> String {
        let mut tensor = Message::default();
        for size in shape {
            tensor.int(1, *size as i64);
        }
        tensor.int(2, element as i64);
        tensor.bytes(8, name.as_bytes());
        if raw.len() < PAGE {
            tensor.bytes(9, raw);
        } else {
            self.weights.resize(self.weights.len().next_multiple_of(PAGE), 0);
            let offset = self.weights.len().to_string();
            self.weights.extend_from_slice(raw);
            let length = raw.len().to_string();
            for (key, value) in [("location", self.weights_name), ("offset", &offset), ("length", &length)] {
                let mut entry = Message::default();
                entry.bytes(1, key.as_bytes());
                entry.bytes(2, value.as_bytes());
                tensor.bytes(13, &entry.0);
            }
            tensor.int(14, 1); // the data is in another file
        }
        self.message.bytes(5, &tensor.0);
        name.to_owned()
    }

    /// Adds a node and returns its output's name.
    pub fn node(&mut self, op: &str, inputs: &[&str], attributes: &[Attribute]) -> String {
        let name = format!("{op}_{}", self.values);
        self.values += 1;
        self.push(op, inputs, attributes, &name);
        name
    }

    /// Gives `value` the public name `name`.
    pub fn publish(&mut self, value: &str, name: &str) {
        self.push("Identity", &[value], &[], name);
    }

    fn push(&mut self, op: &str, inputs: &[&str], attributes: &[Attribute], output: &str) {
        let mut node = Message::default();
        inputs.iter().for_each(|input| node.bytes(1, input.as_bytes()));
        node.bytes(2, output.as_bytes());
        node.bytes(3, output.as_bytes());
        node.bytes(4, op.as_bytes());
        attributes.iter().for_each(|attribute| node.bytes(5, &attribute_message(attribute).0));
        self.message.bytes(1, &node.0);
    }

    /// The finished model, for the operator set `opset` of the standard domain.
    pub fn finish(mut self, name: &str, opset: i64) -> Files {
        self.message.bytes(2, name.as_bytes());
        let mut set = Message::default();
        set.bytes(1, b"");
        set.int(2, opset);
        let mut model = Message::default();
        model.int(1, 8); // file format version: the one that came with operator set 17
        model.bytes(2, b"inklings prepare-model");
        model.bytes(8, &set.0);
        model.bytes(7, &self.message.0);
        Files { graph: model.0, weights: self.weights }
    }
}

fn attribute_message(attribute: &Attribute) -> Message {
    let mut message = Message::default();
    let (name, kind) = match attribute {
        Attribute::Float(name, value) => {
            message.float(2, *value);
            (name, 1)
        }
        Attribute::Int(name, value) => {
            message.int(3, *value);
            (name, 2)
        }
        Attribute::Ints(name, values) => {
            values.iter().for_each(|value| message.int(8, *value));
            (name, 7)
        }
    };
    message.bytes(1, name.as_bytes());
    message.int(20, kind);
    message
}

fn value_info(name: &str, element: Element, dims: &[Dim]) -> Message {
    let mut shape = Message::default();
    for dim in dims {
        let mut size = Message::default();
        match dim {
            Dim::Fixed(value) => size.int(1, *value as i64),
            Dim::Named(name) => size.bytes(2, name.as_bytes()),
        }
        shape.bytes(1, &size.0);
    }
    let (mut tensor, mut kind, mut info) = (Message::default(), Message::default(), Message::default());
    tensor.int(1, element as i64);
    tensor.bytes(2, &shape.0);
    kind.bytes(1, &tensor.0);
    info.bytes(1, name.as_bytes());
    info.bytes(2, &kind.0);
    info
}
