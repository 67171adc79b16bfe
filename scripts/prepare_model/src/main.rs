//! `prepare-model WEIGHTS_DIR OUT_DIR`: turns the published all-MiniLM-L6-v2 weights into the folder the app
//! loads: `model.onnx` and its weights, `model.onnx_data`, written from `model.safetensors` and `config.json`, and the
//! tokenizer files beside them. The weights have a file of their own, so that ONNX Runtime can map it into memory.
//!
//! The output depends on the input bytes alone, so `SHA256SUMS` can vouch for it.

mod bert;
mod onnx;
mod safetensors;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io::Write as _, process::ExitCode};

/// Files the tokenizer needs, copied as they are.
const COPIED: [&str; 4] =
    ["tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"];

const WEIGHTS: &str = "model.onnx_data";

fn main() -> ExitCode {
    let args: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [weights, out] = args.as_slice() else {
        eprintln!("usage: prepare-model WEIGHTS_DIR OUT_DIR");
        return ExitCode::from(2);
    };
    match prepare(weights, out) {
        Ok(bytes) => {
            println!("wrote {} ({:.1} MB)", out.join("model.onnx").display(), bytes as f64 / 1e6);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("prepare-model: {error}");
            ExitCode::FAILURE
        }
    }
}

fn prepare(weights: &Path, out: &Path) -> Result<usize, Box<dyn Error>> {
    let config: bert::Config = bert::Config::read(&read(&weights.join("config.json"))?)?;
    let bytes = read(&weights.join("model.safetensors"))?;
    let tensors = safetensors::Tensors::parse(&bytes)?;
    let model = bert::build(&config, &tensors, WEIGHTS)?;
    fs::create_dir_all(out)?;
    for name in COPIED {
        write(&out.join(name), &read(&weights.join(name))?)?;
    }
    write(&out.join(WEIGHTS), &model.weights)?;
    write(&out.join("model.onnx"), &model.graph)?; // last: its presence means the folder is whole
    Ok(model.graph.len() + model.weights.len())
}

fn read(path: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}

/// Writes beside the target and renames, so that an interrupted run leaves no half file under the real name.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let partial = path.with_extension("partial");
    let mut file = fs::File::create(&partial)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&partial, path)?;
    Ok(())
}
