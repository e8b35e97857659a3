mod array_defaults {
    //! mistake: the default that has another shape, or whose elements are not all finite

    use lagrangian::lagrangian;

    lagrangian! {
        struct Chain {
            q: coordinate,
            a: parameter[3] = [1, 2],
            b: parameter[2, 2] = [1, 2, 3, 4],
            c: parameter = [1, 2],
            d: parameter[2] = [1, exp(700)^2],
            f: parameter[2] = [1, 2 + 1],
        }
        T = a[0] * b[0, 0] * c * d[0] * f[0] * der(q)^2;
    }

    fn uses() {
        let Chain::<f64> { a: [_, _, _], b: [[_, _], _], .. } = Chain::default();
    }
}

mod array_sizes {
    //! mistake: the size that is no constant integer above 0, or too large

    use lagrangian::lagrangian;

    const LINKS: usize = 3;

    lagrangian! {
        struct Chain {
            q: coordinate[2],
            a: parameter[LINKS],
            b: parameter[1 / 2, 2],
            c: parameter[1 - 1],
            d: parameter[2, 100_000],
            e: input[200, ],
            f: input[57],
        }
        T = der(q)^2 / 2;
    }

    fn uses() {
        let _ = LINKS;
    }
}

mod assigned_shape {
    //! mistake: the new value that changes the shape of its name, or the operator that fits no such shapes

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let mut a = [x, m];
        a = x;
        let mut b = x;
        b += [x, m];
        let mut c = x;
        c *= [x, m];
        let mut d = x;
        d /= [x, m];
        T = m * der(x)^2 / 2;
    }
}

mod default_values {
    //! mistake: the default that is no constant, of another shape, or beyond every number

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart {
            x: coordinate,
            m: parameter,
            a: parameter = 2 * m,
            b: parameter = x,
            c: parameter = [1, 2],
            d: parameter = 1 / 0,
            e: parameter = 1e999,
            f: parameter = sqrt(-1),
            g: parameter = undeclared,
        }
        T = (m + a + b + c + d + e + f + g) * der(x)^2 / 2;
    }
}

mod hessian {
    //! mistake: each `#[hessian]`; only a scalar has a Hessian

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        #[hessian]
        pub let place = [x, 2 * x];
        #[hessian]
        pub let table = [[x, 1], [2, x]];
        T = m * der(x)^2 / 2;
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let (q, v) = ([1.0].into(), [2.0].into());
        let _ = (cart.place_rate(&q, &v), cart.place_jacobian(&q), cart.table(&q));
    }
}

mod indices {
    //! mistake: the index or component that is not there, is no constant, or is one too many

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let v = [x, m];
        let n = [[1, 2, x], [3, 4, m]];
        let a = v[2];
        let b = v[-1];
        let c = v[x];
        let d = v[0.5];
        let e = v[0, 1];
        let f = n[2];
        let g = n[0, 3];
        let h = n[0, 1, 2];
        let i = x[0];
        let j = v.z;
        let k = x.y;
        let l = n.x;
        let o = [1, 2, 3, x].z;
        T = m * der(x)^2 / 2;
    }
}

mod loop_bounds {
    //! mistake: the bounds that are no constant integers, in the wrong order, or too far apart

    use lagrangian::lagrangian;

    lagrangian! {
        struct Chain { q: coordinate[3], m: parameter }
        T = m * der(q)^2 / 2;
        for i in 3..0 { V += q[i]; }
        for i in 0..m { V += q[i]; }
        for i in 0..2.5 { V += q[i]; }
        for i in 0..1000000000 { V += q[i]; }
        for i in 0..3 { for j in i + 1..3 { V += q[i] * q[j]; } }
        D = sum(i in 0..0, der(q[i])^2);
    }
}

mod many_mistakes {
    //! mistakes: the `+`, the third component, the surplus `2`, `v` of the cosine, `force`, the division by zero, the index: one message each

    use lagrangian::lagrangian;

    lagrangian! {
        pub struct Cart {
            x, y: coordinate,
            m: parameter,
            u: input,
        }
        pub let place = [x, y];
        let v = der(place);
        let a = place + 1;
        let b = a.x + place.z;
        T = m * v^2 / 2 + sin(x, 2) + b;
        V = m * cos(v) / 0;
        force [u, 0, 0] at place;
        Q.x = place[2];
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let _ = cart.place(&lagrangian::vector![1.0, 2.0]);
        let _ = (Cart::<f64>::COORDINATES, Cart::<f64>::CYCLIC);
    }
}

mod too_large {
    //! mistake: `identity`; it has more entries than a declaration may take

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = identity(2000);
        T = m * der(x)^2 / 2;
    }
}

mod points_of_curves {
    //! mistake: the entry that does not increase, the missing file

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = spline(x, [0, 2, 1], [0, 1, 3]);
        Q.x = table(x, 0..1, csv("none.csv", "force"));
    }

    fn uses() {
        let _ = Cart { m: 1.0 }.potential_energy(&lagrangian::vector![0.0]);
    }
}

fn main() {}
