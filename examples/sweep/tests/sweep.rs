//! The program as a user runs it: the same picture in every way, restarts, and mistakes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A small picture in which many trajectories flip.
const SMALL: [&str; 4] = ["--size", "64", "--steps", "400"];

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_sweep");
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

/// The output of a run, which succeeds.
fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, &[&SMALL[..], arguments].concat());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        text(output.stderr)
    );
    text(output.stdout)
}

/// The picture by one thread.
fn picture(name: &str) -> Vec<u8> {
    let folder = folder(name);
    succeed(&folder, &["--threads", "1"]);
    fs::read(folder.join("sweep.png")).unwrap()
}

#[test]
fn threads_and_chunks_draw_the_same_bytes() {
    let expected = picture("threads_1");
    let threads = folder("threads_3");
    succeed(&threads, &["--threads", "3", "--chunks", "5"]);
    assert!(fs::read(threads.join("sweep.png")).unwrap() == expected);

    let chunks = folder("chunks");
    for chunk in ["2/3", "0/3", "1/3"] {
        succeed(&chunks, &["--chunk", chunk]);
        assert!(!chunks.join("sweep.png").exists());
    }
    succeed(&chunks, &["--join", "--chunks", "3"]);
    assert!(fs::read(chunks.join("sweep.png")).unwrap() == expected);
}

/// By MPI where it is installed. The options have more processes than cores, and an administrator's, as in containers.
#[cfg(feature = "mpi")]
#[test]
fn processes_draw_the_same_bytes() {
    let folder = folder("processes");
    let mpirun = |arguments: &[&str]| {
        let options = ["--oversubscribe", "--allow-run-as-root", "-n", "4"];
        let mut command = Command::new("mpirun");
        command
            .current_dir(&folder)
            .args(options)
            .arg(env!("CARGO_BIN_EXE_sweep"));
        command
            .args(SMALL)
            .args(["--threads", "1"])
            .args(arguments)
            .output()
            .unwrap()
    };
    let output = mpirun(&["--chunks", "6"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout, b"0 of 6 chunks are there\nsweep.png\n");
    assert!(fs::read(folder.join("sweep.png")).unwrap() == picture("for_processes"));

    let output = mpirun(&["--chunk", "0/4"]);
    assert!(!output.status.success());
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("error: `--chunk` is for one process")
    );
}

#[cfg(not(feature = "mpi"))]
#[test]
fn a_program_without_mpi_refuses_mpirun() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sweep"));
    let output = command.env("OMPI_COMM_WORLD_SIZE", "4").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("built without `--features mpi`"));
}

/// With the feature, but without a GPU or CUDA, too.
#[test]
fn a_gpu_draws_the_same_bytes_or_is_missed() {
    let folder = folder("gpu");
    let output = run(&folder, &[&SMALL[..], &["--gpu"]].concat());
    if output.status.success() {
        assert!(fs::read(folder.join("sweep.png")).unwrap() == picture("for_gpu"));
    } else {
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.starts_with("error: `--gpu`: "), "{message}");
        eprintln!("skipped: {message}");
    }
}

#[test]
fn a_second_run_computes_the_missing_chunks_alone() {
    let folder = folder("restart");
    let arguments = ["--chunks", "4"];
    assert!(succeed(&folder, &arguments).starts_with("0 of 4 chunks are there"));
    let file = |part: &str| folder.join("sweep.chunks").join(part);
    let second = fs::read(file("1_of_4")).unwrap();
    fs::remove_file(file("1_of_4")).unwrap();
    // The files of an interrupted run.
    fs::write(file("1_of_4.1.part"), &second[..100]).unwrap();
    let mut third = fs::read(file("2_of_4")).unwrap();
    third[1000] ^= 1;
    fs::write(file("2_of_4"), &third).unwrap();

    assert!(succeed(&folder, &arguments).starts_with("3 of 4 chunks are there"));
    assert!(fs::read(file("1_of_4")).unwrap() == second);
    assert!(fs::read(file("2_of_4")).unwrap() == third, "computed again");
    let output = succeed(&folder, &["--chunk", "3/4"]);
    assert!(output.starts_with("1 of 1 chunks are there"), "{output}");
}

#[test]
fn mistakes_are_named() {
    let folder = folder("mistakes");
    succeed(&folder, &["--chunk", "0/2"]);
    fs::write(folder.join("file"), "").unwrap();
    let cases: [(&[&str], &str); 13] = [
        (&["--size", "0"], "0 is not in 1..=20000"),
        (&["--steps", "0"], "0 is not in 1..=1000000000"),
        (&["--time-step", "0"], "not a number above 0"),
        (&["--time-step", "nan"], "not a number above 0"),
        (&["--threads", "0"], "0 is not in 1..=4096"),
        (&["--chunk", "5/4"], "chunks count from 0: the last is 3/4"),
        (&["--chunk", "0/0"], "there are no chunks of 0"),
        (&["--chunk=-1/4"], "not two numbers as in 0/100"),
        (&["--chunk", "0/65", "--size", "64"], "65 chunks of 64 rows"),
        (
            &["--chunks", "2", "--size", "64"],
            "0_of_2 is not the chunk of this sweep of 64 x 64",
        ),
        (
            &["--join"],
            "100 of 100 chunks are missing in sweep.chunks; the first is 0/100",
        ),
        (&["--folder", "file/below"], "file/below: "),
        (&["--join", "--chunk", "0/4"], "cannot be used with"),
    ];
    for (arguments, expected) in cases {
        let output = run(&folder, arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(message.starts_with("error: "), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}
