//! A hub on the loopback address. It speaks as much of the real one's protocol as a download meets: revisions,
//! large files redirected to another address, ranges; and it can misbehave.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The revision every file is at.
pub const REVISION: &str = "0123456789abcdef0123456789abcdef01234567";

/// Files above this size are "large": their content is elsewhere.
const LARGE: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The next content of a large file breaks off after so many bytes.
    BreakOnce(usize),
    /// The content of every large file breaks off after so many bytes of each answer.
    BreakAlways(usize),
    /// One byte of every large file is wrong.
    Damage,
    /// Small files have another content of the same length.
    OtherSmall,
    /// Ranges are ignored: content always starts at 0.
    NoRanges,
    /// Large files come in drops: so many milliseconds between them.
    Slow(u64),
    /// Requests are read and never answered.
    Silent,
    /// Every request is answered with this status.
    Status(u16),
}

struct State {
    files: HashMap<String, Vec<u8>>,
    faults: Mutex<Vec<Fault>>,
    requests: Mutex<Vec<String>>,
    address: String,
}

/// A running hub. It serves until the test process ends.
#[derive(Clone)]
pub struct FakeHub(Arc<State>);

impl FakeHub {
    /// Serves `files` of `repository`, misbehaving as told.
    pub fn start(repository: &str, files: &[(&str, Vec<u8>)], faults: &[Fault]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let path = |name: &&str| format!("/{repository}/resolve/main/{name}");
        let files = files.iter().map(|(name, content)| (path(name), content.clone())).collect();
        let faults = Mutex::new(faults.to_vec());
        let state = Arc::new(State { files, faults, requests: Mutex::default(), address });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                // A client that hangs up is part of the game.
                thread::spawn(move || drop(serve(&state, &stream)));
            }
        });
        Self(state)
    }

    pub fn endpoint(&self) -> &str {
        &self.0.address
    }

    /// The requests so far, as `METHOD path [range]`.
    pub fn requests(&self) -> Vec<String> {
        self.0.requests.lock().expect("not poisoned").clone()
    }

    /// Ends all misbehaviour.
    pub fn behave(&self) {
        self.0.faults.lock().expect("not poisoned").clear();
    }
}

impl State {
    fn fault<T>(&self, pick: impl Fn(&Fault) -> Option<T>) -> Option<T> {
        self.faults.lock().expect("not poisoned").iter().find_map(pick)
    }
}

fn serve(state: &State, stream: &TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    loop {
        let Some(Ok(first)) = lines.next() else { return Ok(()) };
        let mut words = first.split(' ');
        let (method, path) =
            (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
        let mut range = None;
        for line in lines.by_ref() {
            let line = line?;
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(": ")
                && name.eq_ignore_ascii_case("range")
            {
                range = value
                    .strip_prefix("bytes=")
                    .and_then(|r| r.split('-').next())
                    .and_then(|r| r.parse().ok());
            }
        }
        let shown = range.map(|from: usize| format!(" {from}")).unwrap_or_default();
        state.requests.lock().expect("not poisoned").push(format!("{method} {path}{shown}"));
        if !answer(state, stream, &path, range)? {
            return Ok(());
        }
    }
}

/// Answers one request; false when the connection is to be closed.
fn answer(state: &State, mut stream: &TcpStream, path: &str, range: Option<usize>) -> std::io::Result<bool> {
    if state.fault(|fault| (*fault == Fault::Silent).then_some(())).is_some() {
        thread::sleep(Duration::from_mins(1));
        return Ok(false);
    }
    if let Some(status) =
        state.fault(|fault| if let Fault::Status(code) = fault { Some(*code) } else { None })
    {
        return empty(stream, &format!("{status} Told So"), "");
    }
    // The hub proper, its redirect to storage, and the storage behind it.
    let stored = path.strip_prefix("/storage");
    let plain = stored.unwrap_or(path).replace(REVISION, "main");
    let Some(content) = state.files.get(&plain) else { return empty(stream, "404 Not Found", "") };
    let large = content.len() > LARGE;
    if large && stored.is_none() {
        let location = format!("location: {}/storage{path}\r\n", state.address);
        return empty(stream, "302 Found", &location);
    }
    let ranges = state.fault(|fault| (*fault == Fault::NoRanges).then_some(())).is_none();
    let start = range.filter(|_| ranges).unwrap_or(0).min(content.len());
    let status = if range.is_some() && ranges { "206 Partial Content" } else { "200 OK" };
    let length = content.len() - start;
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n")?;
    send_content(state, stream, &content[start..], large)
}

fn send_content(state: &State, mut stream: &TcpStream, content: &[u8], large: bool) -> std::io::Result<bool> {
    if !large {
        let other = state.fault(|fault| (*fault == Fault::OtherSmall).then(|| vec![b'#'; content.len()]));
        stream.write_all(other.as_deref().unwrap_or(content))?;
        return Ok(true);
    }
    if let Some(pause) = state.fault(|fault| if let Fault::Slow(pause) = fault { Some(*pause) } else { None })
    {
        for drop in content.chunks(64 * 1024) {
            stream.write_all(drop)?;
            thread::sleep(Duration::from_millis(pause));
        }
        return Ok(true);
    }
    let mut faults = state.faults.lock().expect("not poisoned");
    let once = faults.iter().position(|fault| matches!(fault, Fault::BreakOnce(_)));
    let once = once.map(|at| faults.remove(at));
    let always = faults.iter().copied().find(|fault| matches!(fault, Fault::BreakAlways(_)));
    let damage = faults.contains(&Fault::Damage);
    drop(faults);
    if let Some(Fault::BreakOnce(after) | Fault::BreakAlways(after)) = once.or(always) {
        stream.write_all(&content[..after.min(content.len())])?;
        return Ok(false);
    }
    if damage {
        let mut wrong = content.to_vec();
        wrong[content.len() / 2] ^= 1;
        stream.write_all(&wrong)?;
    } else {
        stream.write_all(content)?;
    }
    Ok(true)
}

fn empty(mut stream: &TcpStream, status: &str, headers: &str) -> std::io::Result<bool> {
    write!(stream, "HTTP/1.1 {status}\r\n{headers}content-length: 0\r\n\r\n")?;
    Ok(true)
}
