//! The run: it computes the chunks that are missing, and makes the picture.

use std::fs;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::Failure;
use crate::arguments::Arguments;
use crate::chunks::{Part, Store};
use crate::gpu::Gpu;
use crate::picture;
use crate::processes::Processes;

/// Computes the requested chunks, by all processes together.
pub(crate) fn run(arguments: &Arguments, processes: &Processes) -> Result<(), Failure> {
    let (sweep, chunks) = arguments.sweep()?;
    if arguments.chunk.is_some() && !processes.is_alone() {
        return Err("`--chunk` is for one process: `mpirun` shares out all chunks".into());
    }
    let folder = &arguments.folder;
    let store = Store {
        sweep,
        chunks,
        folder,
        gpu: arguments.gpu,
    };
    if !arguments.join {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        if let Some(threads) = arguments.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
            pool.build_global()?;
        }
        let missing = missing(arguments, &store, processes)?;
        compute(&store, &processes.share(&missing, chunks), processes)?;
        processes.wait();
    }
    if arguments.chunk.is_none() && processes.is_first() {
        picture::write(&store, &arguments.picture)?;
        println!("{}", arguments.picture.display());
    }
    Ok(())
}

/// The wanted chunks that have no file; the first process looks for them.
fn missing(
    arguments: &Arguments,
    store: &Store<'_>,
    processes: &Processes,
) -> Result<Vec<Part>, Failure> {
    if !processes.is_first() {
        return Ok(Vec::new());
    }
    let wanted = match arguments.chunk {
        Some(part) => vec![part],
        None => store.parts().collect(),
    };
    let mut missing = Vec::new();
    for part in &wanted {
        if store.read(*part)?.is_none() {
            missing.push(*part);
        }
    }
    println!(
        "{} of {} chunks are there",
        wanted.len() - missing.len(),
        wanted.len()
    );
    Ok(missing)
}

/// Computes these chunks and writes their files. Rows are the tasks of the threads, of several chunks at a time.
fn compute(store: &Store<'_>, share: &[Part], processes: &Processes) -> Result<(), Failure> {
    let sweep = &store.sweep;
    let rows = share
        .iter()
        .map(|part| part.rows(sweep).len())
        .sum::<usize>() as u64;
    let style = ProgressStyle::with_template("{bar:40} {percent}% of the rows, {eta} left")?;
    let bar = match processes.is_first() {
        true => ProgressBar::new(rows).with_style(style),
        false => ProgressBar::hidden(),
    };
    if store.gpu && !share.is_empty() {
        let gpu = Gpu::open()?;
        for &part in share {
            let rows = part.rows(sweep);
            store.write(part, &gpu.rows(sweep, rows.clone())?)?;
            bar.inc(rows.len() as u64);
        }
    } else {
        share.par_iter().try_for_each(|&part| {
            let rows = part.rows(sweep).into_par_iter().map(|row| {
                let flips = sweep.row(row);
                bar.inc(1);
                flips
            });
            store.write(part, &rows.collect::<Vec<_>>().concat())
        })?;
    }
    bar.finish_and_clear();
    Ok(())
}
