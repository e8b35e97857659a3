//! The processes that `mpirun` starts together. They share the folder of the chunks. By MPI they agree on who computes
//! which chunk, and wait for each other.

#[cfg(feature = "mpi")]
pub(crate) use with_mpi::Processes;
#[cfg(not(feature = "mpi"))]
pub(crate) use without_mpi::Processes;

#[cfg(feature = "mpi")]
mod with_mpi {
    use mpi::environment::Universe;
    use mpi::topology::SimpleCommunicator;
    use mpi::traits::{Communicator, CommunicatorCollectives, Root};
    use mpi::{Rank, Threading};

    use crate::Failure;
    use crate::chunks::Part;

    pub(crate) struct Processes {
        universe: Universe,
    }

    impl Processes {
        pub(crate) fn start() -> Result<Processes, Failure> {
            // The threads that compute do not communicate.
            match mpi::initialize_with_threading(Threading::Funneled) {
                Some((universe, _)) => Ok(Processes { universe }),
                None => Err("MPI does not start".into()),
            }
        }

        fn world(&self) -> SimpleCommunicator {
            self.universe.world()
        }

        pub(crate) fn is_alone(&self) -> bool {
            self.world().size() == 1
        }

        pub(crate) fn is_first(&self) -> bool {
            self.world().rank() == 0
        }

        /// The share of this process in the chunks that the first process finds missing: a chunk for each in turn,
        /// because the cost of rows varies slowly over the picture.
        pub(crate) fn share(&self, missing: &[Part], chunks: u32) -> Vec<Part> {
            let mut is_missing = vec![false; chunks as usize];
            for part in missing {
                is_missing[part.index as usize] = true;
            }
            let world = self.world();
            world.process_at_rank(0).broadcast_into(&mut is_missing[..]);
            let missing = (0..chunks)
                .map(|index| Part { index, of: chunks })
                .filter(|part| is_missing[part.index as usize]);
            let [rank, size]: [Rank; 2] = [world.rank(), world.size()];
            missing.skip(rank as usize).step_by(size as usize).collect()
        }

        /// Waits for the others.
        pub(crate) fn wait(&self) {
            self.world().barrier();
        }

        /// Ends all processes, as they wait for this one.
        pub(crate) fn fail(&self) {
            if !self.is_alone() {
                self.world().abort(1);
            }
        }
    }
}

/// One process.
#[cfg(not(feature = "mpi"))]
mod without_mpi {
    use crate::Failure;
    use crate::chunks::Part;

    pub(crate) struct Processes;

    impl Processes {
        pub(crate) fn start() -> Result<Processes, Failure> {
            match std::env::var("OMPI_COMM_WORLD_SIZE") {
                Ok(size) if size != "1" => {
                    Err("started by `mpirun`, and built without `--features mpi`".into())
                }
                _ => Ok(Processes),
            }
        }

        pub(crate) fn is_alone(&self) -> bool {
            true
        }

        pub(crate) fn is_first(&self) -> bool {
            true
        }

        pub(crate) fn share(&self, missing: &[Part], _: u32) -> Vec<Part> {
            missing.to_vec()
        }

        pub(crate) fn wait(&self) {}

        pub(crate) fn fail(&self) {}
    }
}
