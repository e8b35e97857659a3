//! The run: it computes the chunks that are missing, and makes the picture.

use std::fs;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::Failure;
use crate::arguments::Arguments;
use crate::chunks::{Part, Store};
use crate::picture;

/// What the arguments ask for.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (sweep, chunks) = arguments.sweep()?;
    let folder = &arguments.folder;
    let store = Store {
        sweep,
        chunks,
        folder,
    };
    if !arguments.join {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        if let Some(threads) = arguments.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
            pool.build_global()?;
        }
        let (wanted, missing) = match arguments.chunk {
            Some(part) => (
                1,
                store.read(part)?.map_or_else(|| vec![part], |_| Vec::new()),
            ),
            None => (chunks as usize, store.missing()?),
        };
        println!("{} of {wanted} chunks are there", wanted - missing.len());
        compute(&store, &missing)?;
    }
    if arguments.chunk.is_none() {
        picture::write(&store, &arguments.picture)?;
        println!("{}", arguments.picture.display());
    }
    Ok(())
}

/// Computes these chunks and writes their files. Rows are the tasks of the threads, of several chunks at a time.
fn compute(store: &Store<'_>, missing: &[Part]) -> Result<(), Failure> {
    let rows = missing.iter().map(|part| part.rows(&store.sweep).len());
    let style = ProgressStyle::with_template("{bar:40} {percent}% of the rows, {eta} left")?;
    let bar = ProgressBar::new(rows.sum::<usize>() as u64).with_style(style);
    missing.par_iter().try_for_each(|&part| {
        let rows = part.rows(&store.sweep).into_par_iter().map(|row| {
            let flips = store.sweep.row(row);
            bar.inc(1);
            flips
        });
        store.write(part, &rows.collect::<Vec<_>>().concat())
    })?;
    bar.finish_and_clear();
    Ok(())
}
