mod argument_count {
    //! mistake: the first surplus argument, or the closing `)` where one is missing

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = sin();
        let b = cos(x, m);
        let c = atan2(x);
        let d = atan2(x, m, 3);
        let e = der();
        let f = der(x, m);
        let g = diag();
        let h = x.sin(2);
        let i = x.powi();
        let j = dot([x, m]);
        let k = min(x, m, 3);
        T = m * der(x)^2 / 2;
    }
}

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

mod branches {
    //! mistake: `[x, m]` and `x` of the other branches, whose shapes differ from the first

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = if x < 0 { x } else { [x, m] };
        let b = if x < 0 { [x, m] } else if x > 1 { [m, x] } else { x };
        T = m * der(x)^2 / 2;
    }
}

mod compared_vectors {
    //! mistake: `[x, m]`; only scalars can be compared

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = if [x, m] < 2 { x } else { m };
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

mod division_by_zero {
    //! mistake: each divisor, and the bases of the negative powers; they are zero

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = x / 0;
        let b = x / (2 - 2);
        let c = 1 / 0.0;
        let d = 0^-1;
        let e = recip(0);
        let f = [x, m] / 0;
        let mut g = x;
        g /= 0;
        T = m * der(x)^2 / 2;
    }
}

mod energies {
    //! mistake: the value of each energy; an energy is a scalar

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = [m * der(x)^2 / 2, 0];
        V = [x, m];
        D = [[1, 2], [3, x]];
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let _ = cart.energy(&Default::default(), &Default::default());
    }
}

mod force_and_point {
    //! mistake: the force and its point where their lengths differ, else the one that is no vector of the plane or space

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        force [u, 0, 0] at [x, 0];
        force u at [x, 0];
        force [u, 0] at x;
        force [u, 0, 0, 0] at [x, 0, 0, 0];
    }
}

mod force_on_coordinate {
    //! mistake: `[u, 0]`; the force on a scalar coordinate is a scalar

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        Q.x = [u, 0];
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

mod lagrangian {
    //! mistake: the value of `L`; the Lagrangian is a scalar

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        L = m * [x, der(x)];
    }
}

mod lists {
    //! mistake: the first element that does not fit those before it, the matrix, and the empty list

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = [x, [1, 2]];
        let b = [[1, 2], [1, 2, 3]];
        let c = [[1, 2], x];
        let d = [[[1, x], [2, m]]];
        let e = [];
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

mod mistakes_in_loops {
    //! mistake: the index, the divisor and the term that are wrong in some iterations, each once

    use lagrangian::lagrangian;

    lagrangian! {
        struct Chain { q: coordinate[3], m: parameter }
        T = m * der(q)^2 / 2;
        for i in 0..3 {
            V += (q[i + 1] - q[i])^2;
            V += q[i] / (i - 1);
            for j in 0..2 { V += q[i * 2 + j]; }
        }
        D = sum(i in 0..2, if i < 1 { der(q[0]) } else { der(q[1]) } * [1, m, 3][i + 2]);
    }
}

mod operators {
    //! mistake: the operator of each line, except the exponents of `f`, `g` and `h`; both shapes are named

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let v = [x, m];
        let w = [x, m, 1];
        let n = [[1, 2, x], [3, 4, m]];
        let a = v + w;
        let b = n - w;
        let c = v * w;
        let d = n * v;
        let e = x / v;
        let f = v^3;
        let g = x^v;
        let h = v^x;
        let i = n^2;
        let j = n * n;
        T = m * der(x)^2 / 2;
    }
}

mod outside_domain {
    //! mistake: the argument of each call, and the `^`; they have no finite value there

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = ln(0);
        let b = sqrt(-1);
        let c = asin(2);
        let d = ln(1 - 1);
        let e = (-1)^0.5;
        T = m * der(x)^2 / 2;
    }
}

mod overflow {
    //! mistake: the literal, the exponent, or the operation whose constant is beyond every number

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = 1e999;
        let b = 1e300 * 1e300;
        let c = 10^400;
        let d = x^99999999999;
        let e = exp(1000);
        let f = 1e308 + 1e308;
        let g = 3 * x * 1e200 * 1e200;
        let h = x^1e10;
        T = m * der(x)^2 / 2;
    }
}

mod part_of_coordinate {
    //! mistake: `y` and `[0]`; a scalar coordinate has no parts

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x, z: coordinate, m: parameter, u: input }
        T = m * (der(x)^2 + der(z)^2) / 2;
        Q.x.y = u;
        Q.z[0] = u;
    }
}

mod powi_exponent {
    //! mistake: `m` and `0.5`; the exponent of `powi` is a constant integer

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = x.powi(m) + powi(x, 0.5);
    }
}

mod scalar_functions {
    //! mistake: the vector or matrix argument of each call; these functions take scalars

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let v = [x, m];
        let n = [[1, x], [2, m]];
        let a = sin(v);
        let b = sqrt(n);
        let c = abs(v);
        let d = atan2(x, v);
        let e = min(v, x);
        let f = hypot(v, n);
        let g = pow(x, v);
        let h = recip(v);
        let i = n.exp();
        let j = x.max(v);
        T = m * der(x)^2 / 2;
    }
}

mod sum_of_shapes {
    //! mistake: the `+`; a vector of length 2 plus a scalar

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let p = [x, m] + x;
        T = m * der(p)^2 / 2;
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let _ = cart.mass_matrix(&lagrangian::vector![0.0]);
    }
}

mod symmetry_shape {
    //! mistake: `1` for a vector; it moves by a vector

    use lagrangian::lagrangian;

    lagrangian! {
        struct Point { r: coordinate[3], m: parameter }
        T = m * der(r)^2 / 2;
        symmetry along: r -> 1;
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

mod too_many_iterations {
    //! mistake: the bounds of the loop with which all loops together are too long

    use lagrangian::lagrangian;

    lagrangian! {
        struct Chain { q: coordinate, m: parameter }
        T = m * der(q)^2 / 2;
        for i in 0..1000 {
            for j in 0..1000 {
                V += q;
            }
        }
    }
}

mod vector_functions {
    //! mistake: the argument of the wrong shape, or the function where two arguments do not fit each other

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let v = [x, m];
        let w = [x, m, 1];
        let n = [[1, 2, x], [3, 4, m]];
        let a = dot(v, w);
        let b = dot(v, x);
        let c = cross(v, w);
        let d = cross([x, 1, 2, 3], [1, 2, 3, x]);
        let e = norm(x);
        let f = transpose(x);
        let g = trace(n);
        let h = trace(v);
        let i = diag(n);
        let j = diag(x, v);
        let k = identity(x);
        let l = identity(0);
        let o = outer(v, x);
        let p = norm(n);
        T = m * der(x)^2 / 2;
    }
}

mod in_the_body_of_a_function {
    //! mistake: the `+` in the body, and the call; of the others, which have a value, nothing

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x, y: coordinate, m: parameter }
        let shifted(s) = s + [1, 2];
        let energy(v) = m * v^2 / 2;
        T = energy(der(x)) + energy(der(y));
        V = norm(shifted([x, y])) + shifted(x);
    }
}

fn main() {}
