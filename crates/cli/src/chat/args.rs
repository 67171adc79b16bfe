//! Arguments of the verbs on the language model.

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::model::chat_view::ChatProvider;

#[derive(Debug, Subcommand)]
pub enum ChatVerb {
    /// Show which language model is connected
    Status,
    /// Connect a language model
    Connect(Endpoint),
    /// Ask an endpoint which models it offers
    Test(Endpoint),
    /// Disconnect
    Disconnect {
        /// Remove its key too
        #[arg(long)]
        forget_key: bool,
    },
}

#[derive(Debug, Args)]
pub struct Endpoint {
    /// Base address, e.g. <http://127.0.0.1:11434/v1>
    #[arg(long)]
    pub url: String,
    /// The model's name there
    #[arg(long, default_value = "")]
    pub model: String,
    /// Which protocol it speaks
    #[arg(long, default_value = "openai")]
    pub provider: ProviderWord,
    /// Tokens that the model can read at once
    #[arg(long, default_value_t = 8_192)]
    pub context_tokens: u32,
    /// Read the key from standard input
    #[arg(long)]
    pub key_stdin: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ProviderWord {
    Openai,
    Anthropic,
}

impl From<ProviderWord> for ChatProvider {
    fn from(word: ProviderWord) -> Self {
        match word {
            ProviderWord::Openai => Self::OpenAiCompatible,
            ProviderWord::Anthropic => Self::Anthropic,
        }
    }
}
