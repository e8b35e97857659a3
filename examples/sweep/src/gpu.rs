//! The trajectories on a GPU, one in each of its threads. NVRTC compiles the exported CUDA text and the kernel of
//! `flips.cu`. CUDA's libraries are loaded when the program runs.

#[cfg(test)]
mod tests;

#[cfg(feature = "gpu")]
pub(crate) use with_cuda::Gpu;
#[cfg(not(feature = "gpu"))]
pub(crate) use without_cuda::Gpu;

/// The text that NVRTC compiles.
#[cfg(any(feature = "gpu", test))]
fn source() -> String {
    let exported = crate::pendulum::DoublePendulum::<f64>::CUDA;
    [exported, include_str!("flips.cu")].concat()
}

#[cfg(feature = "gpu")]
mod with_cuda {
    use std::ops::Range;
    use std::sync::Arc;

    use cudarc::driver::{CudaContext, CudaFunction, CudaStream, LaunchConfig, PushKernelArg};
    use cudarc::{driver, nvrtc};

    use crate::Failure;
    use crate::chunks::Sweep;
    use crate::pendulum::DoublePendulum;

    /// Threads of a block.
    const BLOCK: u32 = 128;

    pub(crate) struct Gpu {
        stream: Arc<CudaStream>,
        kernel: CudaFunction,
    }

    /// True if the driver and NVRTC are installed. Without them cudarc would panic.
    fn libraries() -> [bool; 2] {
        #[expect(unsafe_code, reason = "a library runs code when it is loaded")]
        // SAFETY: the libraries that are loaded are CUDA's own.
        unsafe {
            [
                driver::sys::is_culib_present(),
                nvrtc::sys::is_culib_present(),
            ]
        }
    }

    /// The kernel by NVRTC, which needs no GPU.
    pub(super) fn compiled() -> Result<nvrtc::Ptx, Failure> {
        let [_, has_compiler] = libraries();
        if !has_compiler {
            return Err("`--gpu`: the CUDA toolkit's NVRTC is not installed (libnvrtc)".into());
        }
        let compiled = nvrtc::compile_ptx(super::source());
        Ok(compiled.map_err(|error| format!("`--gpu`: NVRTC: {error}"))?)
    }

    impl Gpu {
        /// The first GPU, and the kernel for it.
        pub(crate) fn open() -> Result<Gpu, Failure> {
            let [has_driver, _] = libraries();
            if !has_driver {
                return Err("`--gpu`: there is no driver of an NVIDIA GPU (libcuda)".into());
            }
            let compiled = compiled()?;
            let opened = CudaContext::new(0).and_then(|context| {
                let kernel = context.load_module(compiled)?.load_function("flips")?;
                let stream = context.default_stream();
                Ok(Gpu { stream, kernel })
            });
            opened.map_err(|error| format!("`--gpu`: {error}").into())
        }

        /// The results of [`Sweep::row`] for these rows.
        pub(crate) fn rows(&self, sweep: &Sweep, rows: Range<u32>) -> Result<Vec<i32>, Failure> {
            let count = rows.len() as u32 * sweep.size;
            let first = rows.start * sweep.size;
            let steps = sweep.steps as i32;
            let DoublePendulum { m1, m2, l1, l2, g } = DoublePendulum::<f64>::new();
            let mut results = self.stream.alloc_zeros::<i32>(count as usize)?;
            let mut launch = self.stream.launch_builder(&self.kernel);
            launch.arg(&m1).arg(&m2).arg(&l1).arg(&l2).arg(&g);
            launch.arg(&sweep.size).arg(&first).arg(&count).arg(&steps);
            launch.arg(&sweep.time_step).arg(&mut results);
            let grid = LaunchConfig {
                grid_dim: (count.div_ceil(BLOCK), 1, 1),
                block_dim: (BLOCK, 1, 1),
                shared_mem_bytes: 0,
            };
            #[expect(unsafe_code, reason = "nothing checks the arguments of a kernel")]
            // SAFETY: these are the parameters of `flips.cu`, which writes `count` results.
            unsafe { launch.launch(grid) }?;
            Ok(self.stream.clone_dtoh(&results)?)
        }
    }
}

/// No GPU.
#[cfg(not(feature = "gpu"))]
mod without_cuda {
    use std::ops::Range;

    use crate::Failure;
    use crate::chunks::Sweep;

    pub(crate) enum Gpu {}

    impl Gpu {
        pub(crate) fn open() -> Result<Gpu, Failure> {
            Err("`--gpu`: built without `--features gpu`".into())
        }

        pub(crate) fn rows(&self, _: &Sweep, _: Range<u32>) -> Result<Vec<i32>, Failure> {
            match *self {}
        }
    }
}
