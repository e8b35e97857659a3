//! mistake: each attribute on its own line; they would be dropped, and the term would act all the same

use lagrangian::lagrangian;

lagrangian! {
    struct Cart {
        #[cfg(windows)]
        x: coordinate,
        #[serde(skip)]
        u: input,
        #[cfg_attr(unix, allow(dead_code))]
        m: parameter,
    }
    #[cfg(feature = "friction")]
    D = m * der(x)^2;
    #[inline]
    T = m * der(x)^2 / 2;
    #[cfg(test)]
    pub let place = x;
    Q.x = u;
}

fn main() {}
