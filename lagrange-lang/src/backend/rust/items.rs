//! All items except the struct, for systems with and without errors.

use proc_macro2::TokenStream;

use super::constants::Constants;
use super::function::{self, Function};
use super::skeleton::Skeleton;
use super::{constructor, once, robots, system_trait, types};

/// The items and the additional structs. Each struct name gets them once.
pub(super) fn items(
    skeleton: &Skeleton,
    functions: &[Function],
    constants: &Constants,
    tables: TokenStream,
    structures: &TokenStream,
) -> TokenStream {
    let parts = [
        types::default(skeleton),
        constructor::constructor(skeleton),
        function::implementations(skeleton, functions),
        constants.inherent(skeleton),
        system_trait::implementations(skeleton, constants),
        robots::files(skeleton.head),
        tables,
    ];
    once::once(skeleton, &parts.into_iter().collect(), structures)
}
