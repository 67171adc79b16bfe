//! The place that a client names.

use inklings_domain::scrub::ScrubMode;

use super::*;

#[tokio::test]
async fn a_channel_or_conversation_of_another_tier_is_refused_and_nothing_is_written() {
    let (setup, client_session, _) = setup().await;
    let plot = setup.world.session.channels().create("Plot", "").await.expect("a channel").id;
    let conversation = setup.world.conversation().await;
    let code = conversation.ref_code.to_string();
    grant(&setup, &client_session, |grants| {
        grants.tiers = PerTier::from_fn(|_| ALL);
        grants.channels.extend([plot, conversation.channel_id]);
        grants.conversations.insert(conversation.id);
        grants.capabilities.insert(Capability::ScrubPreview);
    })
    .await;
    let refused_field = |error: Option<AppError>| match error {
        Some(AppError::Input { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    let named = [
        (Some("Plot"), None),
        (Some("nowhere"), None),
        (None, Some(code.as_str())),
        (None, Some("zzz")),
        (Some("Plot"), Some(code.as_str())),
    ];
    for &tier in MemoryScope::ALL {
        for (channel, conversation) in named {
            let fits_channel = channel.is_none() || tier == MemoryScope::Channel;
            let fits_conversation = conversation.is_none() || tier == MemoryScope::Conversation;
            if fits_channel && fits_conversation {
                continue;
            }
            let field = if fits_channel { "conversation" } else { "channel" };
            let put =
                client_session.put(Where { tier, channel, conversation }, note("The gate is iron.")).await;
            let within = Within { tier: Some(tier), channel, conversation };
            let found = client_session.search(within, "gate", 5).await;
            let at = ScrubAt { tier, channel, conversation, purge: false };
            let scrub = client_session.preview_scrub(at, ScrubMode::Full).await;
            for error in [put.err(), found.err(), scrub.err()] {
                assert_eq!(refused_field(error), field, "{tier} {channel:?} {conversation:?}");
            }
        }
    }
    let both = Within { tier: None, channel: Some("Plot"), conversation: Some(&code) };
    assert_eq!(refused_field(client_session.search(both, "gate", 5).await.err()), "channel");
    let purge = ScrubAt {
        tier: MemoryScope::Workspace,
        channel: Some("Plot"),
        conversation: Some(&code),
        purge: true,
    };
    let purged = client_session.preview_scrub(purge, ScrubMode::Full).await;
    assert_eq!(refused_field(purged.err()), "channel");
    let stored = client_session.search(Within::default(), "", 50).await.expect("read");
    assert!(stored.is_empty(), "nothing was written");
    // What is left blank is not named.
    let blank = Where { tier: MemoryScope::Workspace, channel: Some(""), conversation: Some(" ") };
    client_session.put(blank, note("The gate is iron.")).await.expect("written");
}
