//! Declarations with every kind of name, for `tests/editor/run`.
//!
//! `//~` at the end of a line, or alone below it, has its names in order: equal marks are one name everywhere, and `!`
//! marks its declaration. A number tells one from another of the same letters, `-` leaves out a word that is no name,
//! `+` allows other answers beside the right one, where a token is two items. `//=` has the text that an editor shows
//! for the name above, and `//+` the names that are renamed with it.

#![allow(mixed_script_confusables)]

use lagrangian::lagrangian;

/// Coordinates, parameters, an input, `let`s that hide one another, an output; and in Rust.
pub mod cart {
    use super::lagrangian;

    lagrangian! {
        /// A cart that carries a pole.
        #[derive(Clone, Debug)]
        pub struct CartPole { //~ CartPole!+
            /// Position of the cart.
            x: coordinate, //~ x!
            //= coordinate | x: scalar | A coordinate: a scalar, entry 0 of q and of v. | Position of the cart.
            /// Angles of the joints.
            θ: coordinate[2], //~ θ!
            //= coordinate | θ: vector<2> | entries 1 to 2 of q and of v. | Angles of the joints.
            /// Mass of the cart.
            m_c: parameter, //~ m_c!
            //= CartPole | m_c: S | A parameter: a scalar. | Mass of the cart.
            r#type, l: parameter = 2, //~ type! l!
            //= CartPole | l: S | A parameter: a scalar. | Default: `2`.
            /// The motor's force.
            u: input, //~ u!
            //= input | u: scalar | An input: a scalar, entry 0 of u. | The motor's force.
        }

        /// Tip of the pole.
        pub let bob = [x + l * sin(θ[0]), l * cos(θ[0])]; //~ bob! x l θ l θ
        //= fn bob | Tip of the pole. | The output `bob`. | a vector of 2
        //+ bob_jacobian bob_rate
        let speed = der(x); //~ speed! x
        //= variable | speed: scalar | A `let`: a scalar.
        let square = speed^2; //~ square#1! speed
        //= variable | square: scalar | A `let`: a scalar.
        let square = [r#type * square, θ̇[0]^2]; //~ square#2! type square#1 θ̇
        //= variable_2 | square: vector<2> | A `let`: a vector of length 2.
        let weight(s) = s * l; //~ weight! s! s l
        //= argument | s: given | An argument of the function `weight`.
        T = m_c * square.x + square.y + der(bob)^2 + der(θ[1])^2; //~ m_c square#2 square#2 bob θ
        V = l * bob.y + l.powi(2) * x.sin(); //~ l bob l x
        V += weight(x) * weight(l); //~ weight x weight l
        Q.x = u; //~ x u
        Q.θ[1] += 1; //~ θ
        /// All at once.
        bundle all { mass_matrix, bob, bob_jacobian } //~ all! bob+ bob_jacobian+
        //= fn all | All at once.
        regressor masses { m_c } //~ masses! m_c
        //= fn masses
    }

    /// Names of fields and methods.
    pub fn reached(system: &CartPole) -> f64 {
        //~ CartPole
        let q = lagrangian::nalgebra::Vector3::new(1.0, 2.0, 3.0);
        let same = CartPole {
            //~ CartPole
            m_c: system.m_c,      //~ m_c m_c
            ..CartPole::new(1.0)  //~ CartPole
        };
        let (tip, rate) = (same.bob(&q), system.bob_rate(&q, &q)); //~ bob bob_rate+
        let (all, masses) = (system.all(&q), system.masses(&q, &q, &q)); //~ -all -masses all masses
        tip.x + rate.x + same.r#type * same.l + all.bob_jacobian[0] + masses[0] //~ type l bob_jacobian+
    }
}

/// Frames, bodies, constraints, loops and time.
pub mod arm {
    use super::lagrangian;

    lagrangian! {
        struct Arm {
            q: coordinate[3], //~ q#1!
            /// Where the base points.
            base: rotation, //~ base!
            //= coordinate | base: quaternion | A rotation: a unit quaternion | Where the base points.
            m: parameter, //~ m!
            t: time, //~ t!
            //= time | t: scalar | The time: a scalar
        }

        let reach = 1; //~ reach#1!
        let mut height = 0; //~ height!
        //= variable | height: scalar | A `let mut`: a scalar.
        frame mut F = world.rotate(base); //~ F! base
        //= frame | F: pose | A frame: a pose in the world.
        body foot { frame: F, mass: m, inertia: diag(m, m, m) } //~ foot! F m m m m
        for i in 0..3 { //~ i#1!
        //= index | i: integer | A loop variable
            let reach = reach + i; //~ reach#2! reach#1 i#1
            F = F.rotate(x, q[i]).translate([reach, 0, 0]); //~ F F q#1 i#1 reach#2
            /// One of three links.
            body link { frame: F, mass: m, inertia: diag(m, m, m) } //~ link! F m m m m
            //= body | link: rigid | A body. | One of three links.
            height += q[i] * reach; //~ height q#1 i#1 reach#2
        }
        for i in 1..3 { //~ i#2!
            V += q[i] + sum(j in 0..i, j * q[j]); //~ q#1 i#2 j! i#2 j q#1 j
            //= index | j: integer | A loop variable
        }
        /// The hand.
        pub frame hand = F.translate([reach, 0, sin(t)]); //~ hand! F reach#1 t
        //= fn hand | The hand. | The pose of the frame `hand` in the world
        //+ hand_velocity hand_jacobian hand_bias
        V += height * reach + hand.origin.z; //~ height reach#1 hand
        /// It stays above the ground.
        holonomic q: hand.origin.z = 1; //~ q#2! hand
        //= constraint | q: equations<1> | A holonomic constraint: 1 equation. | It stays above the ground.
        #[allow(deprecated)]
        force [0, 0, m] at hand.point([q[0], 0, 0]); //~ m hand q#1
    }

    /// Names of fields and methods.
    pub fn reached(m: f64) -> f64 {
        let q = lagrangian::nalgebra::SVector::<f64, 7>::zeros();
        let system = Arm::new(m);
        system.m + system.hand(0.0, &q).origin.x //~ m hand
    }
}

/// Two systems in one module, one of them a macro's and one in a function.
pub mod places {
    use super::lagrangian;

    macro_rules! system {
        ($name:ident, $stiffness:ident, $position:ident, $energy:expr) => {
            lagrangian! {
                pub struct $name { $position: coordinate, $stiffness: parameter }
                T = der($position)^2;
                V = $energy;
            }
        };
    }

    system!(Spring, stiffness, position, stiffness * position); //~ stiffness! position! stiffness position

    /// Names of a system in a function.
    pub fn reached() -> f64 {
        lagrangian! {
            #[derive(Debug)]
            struct Inner { y, z: coordinate, k: parameter = 3 } //~ Inner!+ y! z! k!
            T = k * (der(y)^2 + der(z)^2); //~ k y z
            V = exp(y - z); //~ y z
            symmetry slide: y -> 1, z -> 1; //~ slide! y z
            //= fn slide
        }
        let (inner, spring) = (Inner::<f64>::default(), Spring::new(1.0_f64)); //~ Inner
        let q = lagrangian::nalgebra::Vector2::zeros();
        inner.k + spring.stiffness + inner.slide(&q, &q) //~ k stiffness slide
    }
}
