use std::io::{Seek as _, SeekFrom};

use inklings_domain::ids::{ChannelId, ConversationId};
use proptest::prelude::*;
use tempfile::NamedTempFile;
use uuid::Uuid;

use super::*;

fn state() -> SavedState {
    SavedState { model: "test".into(), tick: 7, epoch: 2, change: Some("a change".into()) }
}

fn vector(n: i64, dimension: usize) -> Vec<f32> {
    (0..dimension).map(|i| ((n * 31 + i as i64 * 17) % 23 - 11) as f32 / 11.0).collect()
}

fn place(n: i64) -> Place {
    let channel = ChannelId::from_uuid(Uuid::from_u128(n as u128 % 3));
    match n % 4 {
        0 => Place::Account,
        1 => Place::Workspace,
        2 => Place::Channel(channel),
        _ => Place::Conversation(channel, ConversationId::from_uuid(Uuid::from_u128(9))),
    }
}

fn written(matrix: &Matrix<Place>) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a file");
    write(matrix, state(), file.as_file_mut()).expect("it is written");
    file
}

/// Puts and removes texts of one or several passages.
fn after(steps: &[(i64, bool, u32)], dimension: usize) -> Matrix<Place> {
    let mut matrix = Matrix::new(dimension, Kernel::detect(), 0);
    for (step, (seq, put, passages)) in (0i64..).zip(steps) {
        if !put {
            matrix.remove(*seq);
            continue;
        }
        matrix.put((*seq, step), place(step), step % 5 != 0, &vector(step, dimension));
        if *passages > 0 {
            matrix.begin_passages(*seq, 10);
            for at in 1..*passages {
                matrix.add_passage(*seq, at * 10..at * 10 + 10, &vector(step + i64::from(at), dimension));
            }
        }
    }
    matrix
}

proptest! {
    #[test]
    fn a_matrix_reads_back_as_it_was_written(
        steps in prop::collection::vec((0i64..20, any::<bool>(), 0u32..4), 0..80), dimension in 1usize..140,
    ) {
        let matrix = after(&steps, dimension);
        let file = written(&matrix);
        let read = read(file.path(), Kernel::detect(), |saved, whole| {
            *saved == state() && whole == matrix.rows.len() * dimension * 4
        });
        let (back, saved) = read.expect("it is intact").expect("it is wanted");
        prop_assert_eq!(saved, state());
        prop_assert_eq!(&back.rows, &matrix.rows);
        prop_assert_eq!(&back.lines, &matrix.lines);
        prop_assert_eq!(&back.places, &matrix.places);
        prop_assert_eq!(&back.by_seq, &matrix.by_seq);
        prop_assert_eq!(&back.by_place, &matrix.by_place);
        prop_assert_eq!(&back.long, &matrix.long);
    }

    #[test]
    fn a_damaged_or_shortened_file_is_refused(at in any::<prop::sample::Index>(), flip in 1u8.., cut in any::<bool>()) {
        let steps: Vec<_> = (0..12).map(|seq| (seq, true, seq as u32 % 3)).collect();
        let mut file = written(&after(&steps, 70));
        let length = file.as_file().metadata().expect("a length").len();
        let at = at.index(length as usize) as u64;
        if cut {
            file.as_file().set_len(at).expect("it is shortened");
        } else {
            let mut byte = [0];
            file.as_file_mut().seek(SeekFrom::Start(at)).expect("a place");
            file.as_file_mut().read_exact(&mut byte).expect("a byte");
            file.as_file_mut().seek(SeekFrom::Start(at)).expect("a place");
            file.as_file_mut().write_all(&[byte[0] ^ flip]).expect("it is written");
        }
        prop_assert!(read(file.path(), Kernel::detect(), |_, _| true).is_err());
    }
}
