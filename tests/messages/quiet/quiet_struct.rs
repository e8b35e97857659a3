//! No warning: `allow` on the struct holds for all its names, and naming is the user's.

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    #[allow(unused_variables)]
    pub(crate) struct cart_2 {
        X: coordinate,
        Mass, spare: parameter,
        Push: input,
    }
    let Height = 2 * X;
    pub let TIP = [X, 0];
    T = Mass * der(X)^2 / 2;
}
