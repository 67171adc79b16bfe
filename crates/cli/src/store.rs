//! Opens the data folder and the workspace of a command.

use inklings_api::{App, Config, Interface, error::ErrorCode, system};
use tempfile::TempDir;

use crate::{backup, failure::Failure, output::Output, shared_args::Common};

/// Opens the data folder only.
///
/// # Errors
/// The folder cannot be used, or its database is damaged or of a newer release.
pub async fn data_folder(common: &Common, out: &Output) -> Result<App, Failure> {
    let data_dir = system::data_dir(common.data_dir.clone());
    match App::open(Config { data_dir, resources: None, interface: Interface::Cli }).await {
        Ok(app) => {
            report_narrowed(&app, out);
            Ok(app)
        }
        Err(error) => Err(backup::with_ways_out(error.into(), common).await),
    }
}

/// Reports once which parts of the folder were readable by others; their permissions are restricted by now.
pub fn report_narrowed(app: &App, out: &Output) {
    if !app.narrowed().is_empty() {
        let parts = app.narrowed().join(", ");
        out.note(format_args!(
            "Other users of this computer could read your memory ({parts}); only you can now."
        ));
    }
}

/// Opens the workspace named on the command line, else the one used last, else creates one.
///
/// # Errors
/// As [`data_folder`]; or the workspace does not exist or cannot be opened.
pub async fn workspace(common: &Common, out: &Output) -> Result<App, Failure> {
    let app = data_folder(common, out).await?;
    match open_workspace(&app, common, out).await {
        Ok(()) => Ok(app),
        Err(error) => Err(with_other_workspaces(backup::with_ways_out(error, common).await)),
    }
}

/// A workspace to look at.
pub struct Look {
    /// The core with the workspace open.
    pub app: App,
    /// Removed when the look is over.
    _folder: Option<TempDir>,
}

/// Opens the workspace for a command that creates nothing. Without a workspace, this is an empty one in a temporary
/// folder, as an import would make it.
///
/// # Errors
/// As [`workspace`]; or no temporary folder can be made.
pub async fn look(common: &Common, out: &Output) -> Result<Look, Failure> {
    let data_dir = system::data_dir(common.data_dir.clone());
    let is_new = !std::fs::read_dir(&data_dir).is_ok_and(|mut inside| inside.next().is_some());
    if !is_new
        && (common.workspace.is_some() || data_folder(common, out).await?.workspace().has_workspace().await?)
    {
        return Ok(workspace(common, out).await?.into());
    }
    let folder = TempDir::new().map_err(|error| Failure::internal(&error))?;
    let config = Config { data_dir: folder.path().to_owned(), resources: None, interface: Interface::Cli };
    let app = App::open(config).await?;
    if let Some(name) = &common.workspace {
        app.workspace().open_workspace(name).await?;
    } else {
        app.workspace().open_some_workspace().await?;
    }
    Ok(Look { app, _folder: Some(folder) })
}

impl From<App> for Look {
    fn from(app: App) -> Self {
        Self { app, _folder: None }
    }
}

async fn open_workspace(app: &App, common: &Common, out: &Output) -> Result<(), Failure> {
    if let Some(name) = &common.workspace {
        return Ok(app.workspace().open_workspace(name).await?);
    }
    let first = !app.workspace().has_workspace().await?;
    let opened = app.workspace().open_some_workspace().await?;
    if first {
        out.note(format_args!("There was no workspace yet; made '{}'.", opened.name));
    }
    Ok(())
}

/// Adds to the failure of a damaged workspace how to list its remedies and how to use another workspace.
fn with_other_workspaces(failure: Failure) -> Failure {
    let Failure::Command(mut error) = failure else { return failure };
    if error.code == ErrorCode::Corrupt {
        let more = " `inklings workspace list` says what can be done; `--workspace` opens another one.";
        error.message.push_str(more);
    }
    Failure::Command(error)
}

/// Opens a workspace if there is one, for commands that also work without.
pub async fn workspace_if_any(common: &Common, out: &Output) -> Result<App, Failure> {
    if common.workspace.is_none() {
        let app = data_folder(common, out).await?;
        if !app.workspace().has_workspace().await? {
            return Ok(app);
        }
    }
    workspace(common, out).await
}
