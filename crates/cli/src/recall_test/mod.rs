//! The `inklings recall` commands.

pub mod args;
pub mod show;

use crate::consolidation::ready;
use crate::recall_test::args::{NewTest, RecallVerb};
use crate::{failure::Failure, output::Output, shared_args::Common, store};
use inklings_api::{
    App,
    error::ErrorCode,
    recall_test::view::{RecallTestRequest, RecallTestView},
};

pub async fn recall(verb: RecallVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        RecallVerb::Add(test) => {
            let view = add(&app, test).await?;
            out.answer(&view, |view| show::tests(std::slice::from_ref(view)))
        }
        RecallVerb::List => out.answer(&*app.recall_test().list_recall_tests().await?, show::tests),
        RecallVerb::Run { ids } => {
            ready(&app).await?;
            let views = app.recall_test().run_recall_tests(&ids).await?;
            out.answer(&*views, show::tests)?;
            all_passed(&views)
        }
        RecallVerb::Remove { ids } => {
            for id in &ids {
                app.recall_test().remove_recall_test(id).await?;
            }
            out.answer(&ids, |ids| format!("Removed {}.", ids.join(", ")))
        }
    }
}

async fn add(app: &App, test: NewTest) -> Result<RecallTestView, Failure> {
    let channel_id = match &test.channel {
        Some(name) => Some(app.channel().channel_id(name).await?),
        None => None,
    };
    ready(app).await?;
    let request = RecallTestRequest {
        question: test.question,
        come: test.expect,
        stay_away: test.never,
        lens: test.lens.spec(),
        channel_id,
        budget: test.budget,
    };
    Ok(app.recall_test().add_recall_test(request).await?)
}

fn all_passed(views: &[RecallTestView]) -> Result<(), Failure> {
    let failed = views.iter().filter(|view| view.passed == Some(false)).count();
    if failed == 0 {
        return Ok(());
    }
    let of = views.len();
    Err(Failure::new(ErrorCode::Invalid, format!("{failed} of {of} recall tests failed.")))
}
