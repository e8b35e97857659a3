//! The picture: a PNG with 255 colours.

use crate::Failure;
use crate::chunks::{Store, write_whole};

/// Shades of each direction.
const SHADES: usize = 127;

/// From the first flips to the last: of b beyond pi, and of b beyond -pi.
const RAMPS: [[[u8; 3]; 3]; 2] = [
    [[255, 244, 194], [240, 128, 48], [84, 16, 40]],
    [[214, 246, 255], [52, 132, 210], [22, 24, 92]],
];
const NEVER: [u8; 3] = [8, 8, 12];

/// The colours by their numbers: of no flip, then the shades of both directions.
fn palette() -> Vec<u8> {
    let shades = RAMPS.iter().flat_map(|ramp| {
        (0..SHADES).flat_map(|shade| {
            let place = 2.0 * shade as f64 / (SHADES - 1) as f64;
            let half = usize::from(place >= 1.0);
            let (from, to, part) = (ramp[half], ramp[half + 1], place - half as f64);
            (0..3).map(move |i| {
                (f64::from(from[i]) * (1.0 - part) + f64::from(to[i]) * part).round() as u8
            })
        })
    });
    NEVER.into_iter().chain(shades).collect()
}

/// The number of the colour of a flip: its shade grows with the logarithm of its step.
fn colour(flip: i32, steps: u32) -> u8 {
    if flip == 0 {
        return 0;
    }
    let whole = f64::from(steps).ln().max(1.0);
    let part = f64::from(flip.unsigned_abs()).ln() / whole;
    let shade = (part * (SHADES - 1) as f64).round() as usize;
    (1 + shade.min(SHADES - 1) + if flip < 0 { SHADES } else { 0 }) as u8
}

/// The picture of all chunks.
pub(crate) fn write(store: &Store<'_>, path: &std::path::Path) -> Result<(), Failure> {
    let (size, steps) = (store.sweep.size, store.sweep.steps);
    let mut pixels = Vec::with_capacity(size as usize * size as usize);
    let mut missing = Vec::new();
    for part in store.parts() {
        match store.read(part)? {
            Some(flips) => pixels.extend(flips.into_iter().map(|flip| colour(flip, steps))),
            None => missing.push(part),
        }
    }
    if let Some(first) = missing.first() {
        return Err(format!(
            "{} of {} chunks are missing in {}; the first is {first}. `--chunk {first}` makes it, `--chunks N` joins \
             another number of chunks",
            missing.len(),
            store.chunks,
            store.folder.display(),
        )
        .into());
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size, size);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette());
    encoder.write_header()?.write_image_data(&pixels)?;
    write_whole(path, &bytes)
}
