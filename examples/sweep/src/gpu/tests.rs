//! The kernel as C++, with the words of CUDA defined away and the functions of a device, and by NVRTC where it is
//! installed.

use std::fs;
use std::process::Command;

use crate::chunks::Sweep;

const SWEEP: Sweep = Sweep {
    size: 22,
    steps: 600,
    time_step: 0.005,
};

const SHIM: &str = "\
#define __host__
#define __device__
#define __global__
#define DOUBLE_PENDULUM_DEVICE_MATH
struct coordinates { unsigned int x, y, z; };
static coordinates blockIdx = {0, 0, 0}, threadIdx = {0, 0, 0}, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
";

/// Prints the results of all rows but the first; a thread more than there are results.
const MAIN: &str = "\
#include <stdio.h>
int main()
{
    static int results[22 * 21];
    for (threadIdx.x = 0; threadIdx.x <= 22 * 21; threadIdx.x++)
        flips(1, 1, 1, 1, 9.81, 22, 22, 22 * 21, 600, 0.005, results);
    for (int result : results) printf(\"%d\\n\", result);
    return 0;
}
";

#[test]
fn kernel_has_the_results_of_the_lanes() {
    let folder = std::env::temp_dir().join(format!("sweep_kernel_{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join("flips.cpp"), folder.join("flips"));
    fs::write(&source, format!("{SHIM}{}{MAIN}", super::source())).unwrap();
    let mut compiler = Command::new("g++");
    match compiler
        .args(["-O1", "-o"])
        .args([&program, &source])
        .status()
    {
        Ok(status) => assert!(status.success()),
        Err(_) => return eprintln!("skipped: no g++"),
    }
    let output = Command::new(&program).output().unwrap().stdout;
    fs::remove_dir_all(&folder).unwrap();
    let words = String::from_utf8(output).unwrap();
    let computed: Vec<i32> = words.lines().map(|word| word.parse().unwrap()).collect();
    let expected = (1..SWEEP.size)
        .map(|row| SWEEP.row(row))
        .collect::<Vec<_>>();
    assert_eq!(computed, expected.concat());
}

#[cfg(feature = "gpu")]
#[test]
fn nvrtc_compiles_the_kernel() {
    match super::with_cuda::compiled() {
        Ok(compiled) => assert!(compiled.to_src().contains(".entry flips")),
        Err(error) if error.to_string().contains("not installed") => {
            eprintln!("skipped: {error}");
        }
        Err(error) => panic!("{error}"),
    }
}
