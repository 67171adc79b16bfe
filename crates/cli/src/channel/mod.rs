//! The `inklings channel` commands.

pub mod args;
pub mod show;

use crate::channel::args::ChannelVerb;
use crate::{failure::Failure, output::Output, shared_args::Common, store};

pub async fn channel(verb: ChannelVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let done = match verb {
        ChannelVerb::List => {
            return out.answer(&*app.workspace().list_channels(None).await?, show::channels);
        }
        ChannelVerb::Delete { name, into } => {
            let move_to = match into {
                Some(move_to) => Some(app.channel().channel_id(&move_to).await?),
                None => None,
            };
            app.channel().delete_channel(&app.channel().channel_id(&name).await?, move_to.as_deref()).await?;
            return out.answer(&serde_json::json!({ "deleted": name }), |_| "Deleted.".to_owned());
        }
        ChannelVerb::Create { name, description } => {
            app.channel().create_channel(&name, &description).await?
        }
        ChannelVerb::Rename { name, new } => {
            app.channel().update_channel(&app.channel().channel_id(&name).await?, Some(&new), None).await?
        }
        ChannelVerb::Describe { name, text } => {
            app.channel().update_channel(&app.channel().channel_id(&name).await?, None, Some(&text)).await?
        }
        ChannelVerb::Archive { name } => {
            app.channel().archive_channel(&app.channel().channel_id(&name).await?).await?
        }
        ChannelVerb::Restore { name } => {
            app.channel().restore_channel(&app.channel().channel_id(&name).await?).await?
        }
    };
    out.answer(&done, |done| show::channels(std::slice::from_ref(done)))
}
