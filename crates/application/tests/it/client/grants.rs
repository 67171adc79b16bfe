//! A change of permissions and the lens of a client.

use inklings_domain::{client::Sight, lens::Lens};

use super::*;

#[tokio::test]
async fn a_change_of_permissions_keeps_the_lens_unless_it_is_replaced_or_removed() {
    let (setup, client_session, _) = setup().await;
    let subjects = setup.world.session.subjects();
    let mut lenses = Vec::new();
    for name in ["Mira", "Toma"] {
        let made = subjects.add(name, "character", "", author()).await.expect("a subject");
        lenses.push(Lens { knower: Some(made.id()), at: None });
    }
    let id = client_session.id();
    let mut grants = Grants::default();
    for lens in lenses {
        let bound = Grants { sight: Sight::of(lens), ..grants.clone() };
        setup.clients.grant(id, &bound).await.expect("granted");
        // The caller does not know of the lens, such as one that cannot read the client's workspace.
        grants.capabilities.insert(Capability::Propose);
        for capable in [true, false] {
            if !capable {
                grants.capabilities.clear();
            }
            let stored = setup.clients.grant(id, &grants).await.expect("granted").grants;
            assert_eq!(stored.sight, Sight::Bound(lens));
            assert_eq!(stored.capabilities, grants.capabilities);
        }
    }
    let stored = setup.clients.grant_without_lens(id, &grants).await.expect("granted").grants;
    assert_eq!(stored.sight, Sight::Whole);
}
