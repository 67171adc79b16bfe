//! A loaded model with two threads. One answers queries; the other embeds documents at low priority and yields to
//! waiting queries between small batches. Both share one copy of the weights.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};

use fastembed::{InitOptionsUserDefined, OutputKey, Pooling, TextEmbedding};
use inklings_domain::memory::embedding::{Embedding, unit};
use inklings_ports::model::embedding::EmbedError;
use ort::environment::Environment;
use tokio::sync::oneshot;

use crate::batches::Limits;
use crate::files::{ModelFiles, Recipe};
use crate::thread;
use crate::word_vectors;

const TEXTS_PER_CALL: usize = 8;

/// Tokens per call, including padding. On one thread, bigger calls are hardly faster, and a query waits longer.
const TOKENS_PER_CALL: usize = 96;

/// Tokens per call if several threads share it: smaller calls do not repay the synchronisation.
const SHARED_TOKENS_PER_CALL: usize = 384;

/// Model outputs to take the vector from, best first. Pooled outputs need no further work, and pooling does not
/// change them.
const OUTPUTS: &[OutputKey] = &[
    OutputKey::ByName("sentence_embedding"),
    OutputKey::ByName("text_embeds"),
    OutputKey::ByName("last_hidden_state"),
    OutputKey::ByName("token_embeddings"),
    OutputKey::OnlyOne,
];

/// The setting of ONNX Runtime for where a graph that comes from memory finds its weight files.
const WEIGHTS_FOLDER: &str = "session.model_external_initializers_file_folder_path";

type Embeddings = Result<Vec<Embedding>, EmbedError>;

struct Job {
    texts: Vec<String>,
    reply: oneshot::Sender<Embeddings>,
    /// Counts a query as waiting until it is answered or found to be abandoned.
    _waiting: Option<Waiting>,
}

/// A loaded model. Its threads end when it is dropped.
pub(crate) struct Engine {
    queries: mpsc::Sender<Job>,
    documents: mpsc::Sender<Job>,
    turn: Arc<Turn>,
    dimension: usize,
}

impl Engine {
    /// Loads a model and starts its threads. `threads` is the number of ONNX Runtime threads per call.
    ///
    /// # Errors
    /// [`EmbedError::Unavailable`] if the files are not those of a model that turns texts into vectors.
    pub(crate) fn load(
        files: &ModelFiles,
        recipe: &Recipe,
        threads: usize,
        environment: Environment,
    ) -> Result<Self, EmbedError> {
        let not_a_model =
            |error: String| EmbedError::Unavailable(format!("this is not a text embedding model: {error}"));
        let mut options = InitOptionsUserDefined::new()
            .with_environment(environment)
            .with_max_length(recipe.text_tokens)
            .with_intra_threads(threads.max(1))
            // Several threads synchronise a thousand times per call, so they must spin; a single thread never needs
            // to.
            .with_session_config("session.intra_op.allow_spinning", if threads > 1 { "1" } else { "0" });
        if let Some(folder) = files.mapped_folder() {
            options = options.with_session_config(WEIGHTS_FOLDER, folder);
        }
        let model = TextEmbedding::try_new_from_user_defined(files.read(recipe)?, options);
        let model = model.map_err(|error| not_a_model(error.to_string()))?;
        let limits = Limits {
            texts: if recipe.dynamically_quantised { 1 } else { TEXTS_PER_CALL },
            tokens: if threads > 1 { SHARED_TOKENS_PER_CALL } else { TOKENS_PER_CALL },
            text_tokens: recipe.text_tokens,
        };
        let mut runner = Runner { model, pooling: recipe.pooling.clone(), limits };
        let dimension = runner.probe().map_err(not_a_model)?;

        let turn = Arc::new(Turn::default());
        let runner = Arc::new(Mutex::new(runner));
        let (queries, jobs) = mpsc::channel();
        let lane = Lane { runner: Arc::clone(&runner), turn: Arc::clone(&turn), limits, dimension };
        thread::start("query", move || lane.answer_queries(&jobs))?;
        let (documents, jobs) = mpsc::channel();
        let lane = Lane { runner, turn: Arc::clone(&turn), limits, dimension };
        thread::start("embed", move || lane.work_through_documents(&jobs))?;
        Ok(Self { queries, documents, turn, dimension })
    }

    /// Number of components of each vector.
    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// Embeds one text, before any waiting document.
    pub(crate) async fn query(&self, text: String) -> Result<Embedding, EmbedError> {
        let (reply, answer) = oneshot::channel();
        let job = Job { texts: vec![text], reply, _waiting: Some(self.turn.wait_for_it()) };
        self.queries.send(job).map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())??.pop().ok_or_else(stopped)
    }

    /// Embeds many texts, in order, in the background. Stops early if the caller drops the future.
    pub(crate) async fn documents(&self, texts: Vec<String>) -> Embeddings {
        let (reply, answer) = oneshot::channel();
        self.documents.send(Job { texts, reply, _waiting: None }).map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }
}

fn stopped() -> EmbedError {
    EmbedError::Library("the embedding thread stopped unexpectedly".into())
}

/// The state that both threads share.
struct Lane {
    runner: Arc<Mutex<Runner>>,
    turn: Arc<Turn>,
    limits: Limits,
    dimension: usize,
}

impl Lane {
    fn answer_queries(&self, jobs: &mpsc::Receiver<Job>) {
        for job in jobs {
            // Search as you type abandons most queries, so their callers may be gone.
            if !job.reply.is_closed() {
                let made = self.call(&job.texts);
                let _ = job.reply.send(made);
            }
        }
    }

    fn work_through_documents(&self, jobs: &mpsc::Receiver<Job>) {
        thread::lower_priority();
        for job in jobs {
            let made = self.embed(&job);
            let _ = job.reply.send(made);
        }
    }

    fn embed(&self, job: &Job) -> Embeddings {
        let mut made: Vec<Embedding> = vec![Vec::new().into(); job.texts.len()];
        for group in self.limits.group(&job.texts) {
            self.turn.let_queries_pass();
            if job.reply.is_closed() {
                return Err(EmbedError::Cancelled);
            }
            let texts: Vec<&str> = group.iter().map(|at| job.texts[*at].as_str()).collect();
            for (at, one) in group.into_iter().zip(self.call(&texts)?) {
                made[at] = one;
            }
        }
        Ok(made)
    }

    /// Calls the model once. Returns one embedding per text, with a unit vector of the expected dimension.
    fn call<S: AsRef<str>>(&self, texts: &[S]) -> Embeddings {
        let texts: Vec<&str> = texts.iter().map(|text| self.limits.readable(text.as_ref())).collect();
        let mut runner = self.runner.lock().unwrap_or_else(PoisonError::into_inner);
        // A panic inside the libraries must fail only this call, not the thread.
        let made = catch_unwind(AssertUnwindSafe(|| runner.run(&texts)))
            .unwrap_or_else(|_| Err("the library panicked".into()))
            .map_err(EmbedError::Inference)?;
        drop(runner);
        if made.len() != texts.len() {
            return Err(EmbedError::Inference(format!(
                "{} vectors came for {} texts",
                made.len(),
                texts.len()
            )));
        }
        let unit = |made: Embedding| match unit(made.vector, self.dimension) {
            Ok(vector) => Ok(Embedding { vector, words: made.words }),
            Err(error) => Err(EmbedError::Inference(error.to_string())),
        };
        made.into_iter().map(unit).collect()
    }
}

struct Runner {
    model: TextEmbedding,
    pooling: Pooling,
    limits: Limits,
}

impl Runner {
    fn run(&mut self, texts: &[&str]) -> Result<Vec<Embedding>, String> {
        let output = self.model.transform(texts, Some(texts.len())).map_err(|error| error.to_string())?;
        let mut made = Vec::with_capacity(texts.len());
        for batch in output.into_raw() {
            let pooled = batch.select_and_pool_output(&OUTPUTS, Some(self.pooling.clone()));
            let pooled = pooled.map_err(|error| error.to_string())?;
            let words = word_vectors::codes(&batch);
            let vectors = pooled.rows().into_iter().map(|row| row.to_vec());
            made.extend(vectors.zip(words).map(|(vector, words)| Embedding { vector, words }));
        }
        Ok(made)
    }

    /// Determines the dimension by a test call, and checks that the model returns one valid vector per text.
    fn probe(&mut self) -> Result<usize, String> {
        let texts = ["a lighthouse", "the keeper of the lighthouse has gone"];
        let texts = &texts[..self.limits.texts.min(texts.len())];
        let made = self.run(texts)?;
        let dimension = made.first().map_or(0, |one| one.vector.len());
        if made.len() != texts.len() || dimension < 2 {
            return Err(format!("{} texts gave {} vectors of {dimension} numbers", texts.len(), made.len()));
        }
        for one in made {
            unit(one.vector, dimension).map_err(|error| error.to_string())?;
        }
        Ok(dimension)
    }
}

/// Gives queries priority: documents wait while a query is waiting.
#[derive(Default)]
struct Turn {
    waiting: AtomicUsize,
    lock: Mutex<()>,
    free: Condvar,
}

impl Turn {
    /// Counts a query as waiting until the result is dropped.
    fn wait_for_it(self: &Arc<Self>) -> Waiting {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        Waiting(Arc::clone(self))
    }

    fn let_queries_pass(&self) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let queries_wait = |(): &mut ()| self.waiting.load(Ordering::SeqCst) > 0;
        drop(self.free.wait_while(guard, queries_wait).unwrap_or_else(PoisonError::into_inner));
    }
}

struct Waiting(Arc<Turn>);

impl Drop for Waiting {
    fn drop(&mut self) {
        let _guard = self.0.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
        self.0.free.notify_all();
    }
}
