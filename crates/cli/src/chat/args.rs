//! Arguments of `inklings chat`.

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::view::chat::ChatProvider;

#[derive(Debug, Subcommand)]
pub enum ChatVerb {
    /// Show the connected language model
    Status,
    /// Connect a language model
    Connect(Endpoint),
    /// Ask an endpoint for its list of models
    Test(Endpoint),
    /// Find programs on this machine that run models, such as Ollama or LM Studio
    Find,
    /// Show how many tokens models used in all workspaces, by day and model
    Tokens {
        /// Number of days
        #[arg(long, default_value_t = 30)]
        days: u32,
    },
    /// Disconnect the language model
    Disconnect {
        /// Also remove its key
        #[arg(long)]
        forget_key: bool,
    },
}

#[derive(Debug, Args)]
pub struct Endpoint {
    /// Base URL, e.g. <http://127.0.0.1:11434/v1>
    #[arg(long)]
    pub url: String,
    /// Identifier of the model at the endpoint
    #[arg(long, default_value = "")]
    pub model: String,
    /// Identifier of a smaller, faster model there that writes summaries [default: the same model]
    #[arg(long)]
    pub summary_model: Option<String>,
    /// Protocol of the endpoint
    #[arg(long, default_value = "openai")]
    pub provider: ProviderWord,
    /// Context window of the model in tokens
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
