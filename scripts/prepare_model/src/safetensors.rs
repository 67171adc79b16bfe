//! The safetensors container: a little-endian length, a JSON header of that length, then the raw numbers.

use std::error::Error;

use serde_json::{Map, Value};

/// The tensors of one file, borrowed from its bytes.
pub struct Tensors<'a> {
    header: Map<String, Value>,
    data: &'a [u8],
}

impl<'a> Tensors<'a> {
    /// Reads the header of `bytes`, which must be a whole file.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Box<dyn Error>> {
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or("the weights file is too short")?;
        let length = usize::try_from(u64::from_le_bytes(*length))?;
        let header = rest.get(..length).ok_or("the weights file is cut off inside its header")?;
        Ok(Self { header: serde_json::from_slice(header)?, data: &rest[length..] })
    }

    /// The 32-bit floats of the tensor `name`, which must have exactly `shape`.
    pub fn f32(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Box<dyn Error>> {
        let entry = self.header.get(name).ok_or_else(|| format!("the weights have no tensor {name}"))?;
        if entry["dtype"] != "F32" || entry["shape"] != Value::from(shape) {
            return Err(
                format!("tensor {name} is {} {}, not F32 {shape:?}", entry["dtype"], entry["shape"]).into()
            );
        }
        let offset = |at: usize| entry["data_offsets"][at].as_u64().and_then(|n| usize::try_from(n).ok());
        let range = offset(0).zip(offset(1)).map(|(start, end)| start..end);
        let bytes = range
            .and_then(|range| self.data.get(range))
            .ok_or_else(|| format!("tensor {name} is cut off"))?;
        if bytes.len() != shape.iter().product::<usize>() * 4 {
            return Err(format!("tensor {name} has the wrong number of bytes").into());
        }
        Ok(bytes.as_chunks::<4>().0.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect())
    }
}
