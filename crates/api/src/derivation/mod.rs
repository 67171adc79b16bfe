//! What entries were made of, as views.

pub mod view;

use inklings_application::derivation::{Provenance, SourceNow};
use inklings_domain::derivation::Derivation;

use self::view::{AxesView, SourceView};

/// A source as a view.
pub fn source_view(source: &SourceNow) -> SourceView {
    let (id, version, hash) = match &source.derivation {
        Derivation::Message(id) => (Some(id.to_string()), None, None),
        Derivation::Memory { id, version } => (Some(id.to_string()), Some(*version), None),
        Derivation::Fact { id, version } => (Some(id.to_string()), Some(*version), None),
        Derivation::File { hash, .. } => (None, None, Some(hash.clone())),
        Derivation::Page { id, hash } => (Some(id.to_string()), None, Some(hash.clone())),
    };
    SourceView {
        kind: source.derivation.kind().into(),
        id,
        label: source.label.clone(),
        origin: source.origin.map(Into::into),
        lifecycle: source.lifecycle.clone(),
        pointed_at: u32::try_from(source.pointed_at).unwrap_or(u32::MAX),
        version: version.map(|version| u32::try_from(version).unwrap_or(u32::MAX)),
        hash,
        state: source.state.into(),
    }
}

/// The axes of an entry as a view.
pub fn axes_view(provenance: &Provenance) -> AxesView {
    let axes = &provenance.axes;
    AxesView {
        origin: axes.origin.into(),
        lifecycle: axes.lifecycle.into(),
        weight: axes.weight,
        standing: axes.standing.into(),
        built_on: u32::try_from(axes.built_on).unwrap_or(u32::MAX),
    }
}
