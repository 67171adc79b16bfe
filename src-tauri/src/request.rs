//! What the system asks of the program: a link that was followed, files that were opened with it. It comes as arguments of
//! the first start or of a later one, which hands them to the program that runs.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};
use specta::Type;
use tauri::Url;

use crate::address::{Address, Refusal, SCHEME};

/// A request for the page of the first window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Request {
    /// Show a thing.
    Open {
        /// Where it is.
        address: Address,
    },
    /// Offer files and folders for import. Nothing is imported before the worldbuilder says so.
    Import {
        /// Their absolute paths.
        paths: Vec<String>,
    },
    /// Say that something was no address.
    Refuse {
        /// Why.
        why: Refusal,
    },
}

/// The arguments of a start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arguments {
    /// The data folder, from `--data-dir PATH`.
    pub data_dir: Option<PathBuf>,
    /// True to open the quick capture, from `--capture`.
    pub capture: bool,
    /// What is asked of the page.
    pub requests: Vec<Request>,
}

impl Arguments {
    /// Reads the arguments after the name of the program. Paths are relative to `folder`. Other options are ignored: a
    /// desktop may add some.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>, folder: &Path) -> Self {
        let mut read = Self::default();
        let mut paths = Vec::new();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            match &*text {
                "--data-dir" => read.data_dir = arguments.next().map(PathBuf::from),
                "--capture" => read.capture = true,
                "" => {}
                option if option.starts_with('-') => {}
                _ => match Opened::of(&argument, &text) {
                    Opened::Link => read.requests.push(match Address::parse(&text) {
                        Ok(address) => Request::Open { address },
                        Err(why) => Request::Refuse { why },
                    }),
                    Opened::Path(path) => paths.push(folder.join(path).to_string_lossy().into_owned()),
                },
            }
        }
        if !paths.is_empty() {
            read.requests.push(Request::Import { paths });
        }
        read
    }
}

/// What an argument is that is no option.
enum Opened {
    Link,
    Path(PathBuf),
}

impl Opened {
    fn of(argument: &OsString, text: &str) -> Self {
        let is_own = text.get(..=SCHEME.len()).is_some_and(|start| {
            start.strip_suffix(':').is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME))
        });
        if is_own {
            return Self::Link;
        }
        match Url::parse(text) {
            // Some desktops name files by their address.
            Ok(url) if url.scheme() == "file" => url.to_file_path().map_or(Self::Link, Self::Path),
            Ok(_) if text.contains("://") => Self::Link,
            // A path such as `C:\notes` reads as an address, too.
            _ => Self::Path(PathBuf::from(argument)),
        }
    }
}

/// Requests that the page has not taken yet: it may still be loading.
#[derive(Debug, Default)]
pub struct Requests(Mutex<Vec<Request>>);

impl Requests {
    /// Adds requests behind those that wait.
    pub fn add(&self, requests: Vec<Request>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(requests);
    }

    /// Takes all requests, oldest first.
    pub fn take(&self) -> Vec<Request> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Target;

    fn parse(arguments: &[&str]) -> Arguments {
        Arguments::parse(arguments.iter().map(OsString::from), Path::new("/home/ada"))
    }

    fn import(paths: &[&str]) -> Vec<Request> {
        vec![Request::Import { paths: paths.iter().map(|&path| path.to_owned()).collect() }]
    }

    #[test]
    fn a_link_is_opened_or_refused_and_never_taken_for_a_path() {
        let address = Address { target: Target::Memory, value: "0190".to_owned(), world: None };
        assert_eq!(parse(&["inklings://memory/0190"]).requests, [Request::Open { address }]);
        for (link, why) in [
            ("inklings:/etc/passwd", Refusal::UnknownTarget),
            ("Inklings://run?path=/bin/sh", Refusal::UnknownTarget),
            ("https://example.org/book.json", Refusal::NotALink),
            ("file://elsewhere/share/book.json", Refusal::NotALink),
        ] {
            assert_eq!(parse(&[link]).requests, [Request::Refuse { why }], "{link}");
        }
    }

    #[test]
    fn files_and_folders_are_offered_for_import_by_their_absolute_paths() {
        assert_eq!(parse(&["books/Salt.json"]).requests, import(&["/home/ada/books/Salt.json"]));
        assert_eq!(parse(&["/tmp/world.inklings"]).requests, import(&["/tmp/world.inklings"]));
        assert_eq!(parse(&["file:///tmp/Salt%20March.png"]).requests, import(&["/tmp/Salt March.png"]));
        assert_eq!(parse(&["a: b.json"]).requests, import(&["/home/ada/a: b.json"]));
        assert_eq!(parse(&["/tmp/a", "b"]).requests, import(&["/tmp/a", "/home/ada/b"]));
    }

    #[test]
    fn options_are_no_requests() {
        let read = parse(&["--data-dir", "/tmp/data", "--capture", "--gapplication-service", ""]);
        let expected =
            Arguments { data_dir: Some(PathBuf::from("/tmp/data")), capture: true, requests: Vec::new() };
        assert_eq!(read, expected);
        assert_eq!(parse(&[]), Arguments::default());
    }

    #[test]
    fn requests_wait_in_their_order_until_they_are_taken_once() {
        let requests = Requests::default();
        requests.add(vec![Request::Refuse { why: Refusal::TooLong }]);
        requests.add(import(&["/tmp/a"]));
        let taken = requests.take();
        assert_eq!(taken.len(), 2);
        assert_eq!(taken[0], Request::Refuse { why: Refusal::TooLong });
        assert_eq!(requests.take(), []);
    }
}
