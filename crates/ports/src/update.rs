//! The port to where newer releases are published.

use semver::Version;

use crate::progress::Progress;

/// Where newer releases are published, and how one is installed.
#[async_trait::async_trait]
pub trait UpdateSource: Send + Sync {
    /// The address that is asked; `None` if this build names none, or no key to verify a release with.
    fn address(&self) -> Option<String>;

    /// Asks the address. Returns the version that it announces for this system, which may be any.
    async fn announced(&self) -> Result<Option<Version>, UpdateError>;

    /// Downloads the announced release and verifies its signature, which has to be of this version.
    /// [`UpdateError::NotAnnounced`] if another version is announced by now, [`UpdateError::Cancelled`] if `progress` is.
    /// The total of the reports is 0 if the address does not say it.
    async fn download(
        &self,
        version: &Version,
        progress: &dyn Progress,
    ) -> Result<Box<dyn VerifiedRelease>, UpdateError>;
}

/// A downloaded release whose signature was verified.
#[async_trait::async_trait]
pub trait VerifiedRelease: Send + Sync {
    /// Installs it in place of the running program, and may ask for a password. On Windows the program ends here.
    async fn install(self: Box<Self>) -> Result<(), UpdateError>;
}

/// Why there is no update. Nothing was installed.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// The build has no address or no public key.
    #[error(
        "updates are not set up in this build of Inklings: it has no address to ask and no key to check a release with"
    )]
    NotSetUp,
    /// The version is the running one or an older one.
    #[error("version {offered} is not newer than this one, {current}; only a newer version is installed")]
    NotNewer {
        offered: Version,
        /// The running version.
        current: Version,
    },
    /// The address announces another version, or none.
    #[error("version {0} is not offered any more; check for updates again")]
    NotAnnounced(Version),
    /// There is nothing for this system or kind of package.
    #[error("the newest release has no package for this system")]
    NoPackage,
    /// The address did not answer, or not with a manifest.
    #[error("the address of updates gave no usable answer")]
    Unreachable(#[source] Cause),
    /// The signature is missing, made with another key, or of another file or version.
    #[error("the release is not signed as it has to be, so it was not installed")]
    Untrusted(#[source] Cause),
    /// The download was cancelled.
    #[error("the download was cancelled, and nothing was installed")]
    Cancelled,
    /// The verified release could not be installed.
    #[error("the update could not be installed; this version is still there")]
    Install(#[source] Cause),
}

/// An error of the adapter.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;
