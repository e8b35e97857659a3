//! Words from SymPy, MATLAB, Modelica, Julia, Python and Rust, and their replacements. This table is searched before
//! any guess by similarity.
//!
//! A row has a place, the words and the advice. `{}` in the advice is replaced by the word. Name patterns such as
//! `x_dot` are in [`super::derivatives`].

/// The place of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Before `(`, also after a dot.
    Function,
    /// In the place of a value.
    Value,
    /// After the `:` of a field.
    Role,
    /// At the start of a statement.
    Statement,
    /// In the place of a frame.
    Frame,
    /// After the dot of a frame.
    OfFrame,
    /// After the dot of a vector or matrix.
    Component,
    /// A field of a `body`.
    OfBody,
    /// A field of a `spring` or `damper`.
    OfLink,
    /// A field of an `actuator`.
    OfActuator,
    /// A field of a `contact`.
    OfContact,
}

use Place::{
    Component, Frame, Function, OfActuator, OfBody, OfContact, OfFrame, OfLink, Role, Statement,
    Value,
};

/// The kind of declaration that a word of other languages begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binding {
    /// `let`
    Private,
    /// `let mut`
    Mutable,
    /// `pub let`
    Public,
}

const LET: &str = "a name is given by `let n = ..;`";
const LET_MUT: &str = "a value that changes is declared by `let mut n = ..;`";
const PUB_LET: &str = "an output is `pub let n = ..;`";

type Row = (Place, &'static [&'static str], &'static str);

#[rustfmt::skip]
static TABLE: &[Row] = &[
    // Derivatives and velocities.
    (Function, &["diff", "Diff", "Derivative", "derivative", "differentiate", "Differential", "D", "Dt", "d", "ddt", "d_dt", "dt", "time_derivative", "prime", "deriv", "rate", "dot_t", "xdot", "qdot", "vel", "speed", "deriv_t"],
        "the derivative by time is `der(x)`"),
    (Function, &["ddot", "der2", "dder", "d2", "d2dt2", "d2_dt2", "acc", "accel", "acceleration", "ddt2", "dtt"],
        ACCELERATION),
    (Function, &["grad", "gradient", "jacobian", "jac", "Jacobian", "hessian", "pdiff", "partial", "pder", "∂"],
        "derivatives by coordinates are formed by the macro: an output `pub let p = ..;` has a method `p_jacobian`"),
    (Function, &["integrate", "integral", "int", "quad", "cumtrapz"],
        "there are no integrals: write the result, or declare a coordinate for it"),
    (Value, &["q_dot", "qdot", "qd", "dq", "dx", "xdot", "v", "vel", "velocity", "speed", "omega", "ω", "w", "thetadot", "rate"],
        "a velocity is the derivative of a coordinate, `der(x)`"),
    (Value, &["q_ddot", "qddot", "qdd", "ddq", "xddot", "acc", "accel", "acceleration"],
        ACCELERATION),

    (Function, &["multipliers", "lambda", "λ", "reaction", "reaction_force", "constraint_force", "constraint_forces", "contact_force", "normal_force"],
        MULTIPLIER),

    // Elementary functions.
    (Function, &["log", "Log", "loge", "natural_log"], "the natural logarithm is `ln(x)`"),
    (Function, &["log10", "lg", "Log10"], "write `ln(x) / ln(10)`"),
    (Function, &["log2", "lb", "ld"], "write `ln(x) / ln(2)`"),
    (Function, &["log1p", "ln_1p"], "write `ln(1 + x)`"),
    (Function, &["expm1", "exp_m1"], "write `exp(x) - 1`"),
    (Function, &["exp2"], "write `2^x`"),
    (Function, &["exp10"], "write `10^x`"),
    (Function, &["sqr"], "a square is written `x^2`, a root `sqrt(x)`"),
    (Function, &["square", "Square", "squared", "sq", "pow2", "abs2"], "a square is written `x^2`"),
    (Function, &["norm2", "norm_sq", "norm_squared", "normsq", "magnitude_squared", "length_squared", "sumsqr", "squared_norm", "squaredNorm"],
        "the square of the length of a vector is `v^2`"),
    (Function, &["cube", "pow3"], "write `x^3`"),
    (Function, &["cbrt"], "write `x^(1/3)`"),
    (Function, &["power", "Power", "Pow", "expt", "mpower"], "a power is written `x^n`"),
    (Function, &["Sqrt", "root", "squareroot", "√"], "the square root is `sqrt(x)`"),
    (Function, &["fabs", "Abs", "absolute", "mod_abs"], "the absolute value is `abs(x)`"),
    (Function, &["sgn", "Sign", "signum0"], "the sign is `sign(x)`"),
    (Function, &["arcsin", "asn", "arcsine", "Asin"], "write `asin(x)`"),
    (Function, &["arccos", "acs", "Acos"], "write `acos(x)`"),
    (Function, &["arctan", "arctg", "atn", "Atan"], "write `atan(x)`"),
    (Function, &["arctan2", "atan_2", "Atan2", "angle", "arg"], "write `atan2(y, x)`"),
    (Function, &["tg", "Tan", "tangent"], "write `tan(x)`"),
    (Function, &["Sin", "sine", "sen"], "write `sin(x)`"),
    (Function, &["Cos", "cosine"], "write `cos(x)`"),
    (Function, &["Exp"], "write `exp(x)`"),
    (Function, &["cot", "ctg", "cotan"], "write `1 / tan(x)`"),
    (Function, &["sec"], "write `1 / cos(x)`"),
    (Function, &["csc", "cosec"], "write `1 / sin(x)`"),
    (Function, &["asinh", "arcsinh"], "write `ln(x + sqrt(x^2 + 1))`"),
    (Function, &["acosh", "arccosh"], "write `ln(x + sqrt(x^2 - 1))`"),
    (Function, &["atanh", "arctanh"], "write `ln((1 + x) / (1 - x)) / 2`"),
    (Function, &["sin_cos", "sincos"], "write `sin(x)` and `cos(x)`"),
    (Function, &["mul_add", "fma"], "write `a * b + c`"),
    (Function, &["sind", "cosd", "tand", "deg2rad", "radians", "to_radians", "rad", "deg", "degrees", "Deg", "from_deg"],
        "angles are in radians: write `x * pi / 180`"),
    (Function, &["rad2deg", "to_degrees", "Rad"], "write `x * 180 / pi`"),
    (Function, &["Min", "minimum", "fmin"], "write `min(a, b)`"),
    (Function, &["Max", "maximum", "fmax"], "write `max(a, b)`"),
    (Function, &["clamp", "clip", "saturate", "sat", "limit", "limiter"], "write `min(max(x, a), b)`"),
    (Function, &["Piecewise", "piecewise", "ifelse", "cond", "select", "where_", "iff", "heaviside", "Heaviside", "step", "unit_step", "smoothstep"],
        "write `if a < b { e } else { f }`"),
    (Function, &["mod", "fmod", "rem", "remainder", "rem_euclid", "floor", "ceil", "round", "trunc", "fract", "wrap", "wrapToPi", "modulo"],
        "functions that jump are not part of the language; an angle need not be brought into a range"),
    (Function, &["Rational", "Fraction", "Float", "Integer", "S", "R", "float", "f64", "f32", "Number", "nsimplify", "double"],
        "numbers are written as they are: `1 / 2`"),
    (Function, &["simplify", "expand", "trigsimp", "factor", "collect", "subs", "evalf", "doit", "lambdify", "together", "cancel"],
        "the macro simplifies by itself: remove it"),
    (Function, &["clone", "to_owned", "into", "as_ref", "copied", "copy", "deepcopy", "unwrap", "noEvent", "smooth", "value"],
        "remove it: the value itself is before or between its parentheses"),
    (Function, &["dynamicsymbols", "symbols", "Symbol", "symbol", "Function", "syms", "variable", "var", "sym"],
        "names are declared among the fields of the struct: `x: coordinate`, `m: parameter`"),

    // Vectors and matrices.
    (Function, &["eye", "Eye", "ident", "identity_matrix", "Identity", "I", "speye"], "write `identity(n)`"),
    (Function, &["zeros", "Zeros", "ones", "zero", "full"], "write the entries: `[0, 0, 0]`"),
    (Function, &["Matrix", "matrix", "mat", "ImmutableMatrix", "array", "Array", "vec", "Vec", "Vector", "Vector2", "Vector3", "vec2", "vec3", "Vec2", "Vec3", "SVector", "SMatrix", "tuple", "list", "hstack", "vstack", "MX", "SX", "DM"],
        "a vector is written `[a, b]`, a matrix `[[a, b], [c, d]]`"),
    (Function, &["diagonal", "diagm", "Diag", "diagmat", "blkdiag", "Diagonal"], "write `diag(ixx, iyy, izz)`"),
    (Function, &["inv", "inverse", "pinv", "try_inverse", "linsolve", "lu_solve", "LUsolve", "solve", "mldivide"],
        "no matrix is inverted here: the methods of the system solve the equations of motion"),
    (Function, &["det", "determinant", "Det"], "write it out; of three rows it is `dot(a, cross(b, c))`"),
    (Function, &["tr", "Trace", "matrix_trace"], "write `trace(A)`"),
    (Function, &["transposed", "Transpose", "adjoint", "ctranspose", "permutedims", "t"], "write `transpose(A)`"),
    (Function, &["inner", "innerproduct", "inner_product", "vdot", "dotproduct", "dot_product", "scalar_product", "Dot", "ddot_product"], "write `dot(a, b)`"),
    (Function, &["crossproduct", "cross_product", "Cross", "vecmul", "wedge"], "write `cross(a, b)`"),
    (Function, &["outerproduct", "outer_product", "kron", "Outer", "tensor"], "write `outer(a, b)`"),
    (Function, &["skew", "hat", "tilde", "skew_symmetric", "vee", "cross_matrix"], "write `cross(a, b)` for the product of its matrix with b"),
    (Function, &["magnitude", "mag", "length", "len", "Norm", "vecnorm", "euclidean", "abs_vector"], "the length of a vector is `norm(v)`"),
    (Function, &["normalize", "normalized", "unit", "unit_vector", "normalise"], "write `v / norm(v)`"),
    (Function, &["Sum", "summation", "fold", "mapreduce", "cumsum", "total"], "write `sum(i in a..b, e)`"),
    (Function, &["prod", "product", "Product"], "write the factors with `*`"),
    (Function, &["matmul", "mtimes", "times", "mul", "multiply"], "write `a * b`"),
    (Function, &["add", "plus"], "write `a + b`"),
    (Function, &["sub", "minus", "subtract"], "write `a - b`"),
    (Function, &["div", "divide", "rdivide"], "write `a / b`"),
    (Function, &["neg", "uminus"], "write `-a`"),
    (Function, &["rotx", "roty", "rotz", "Rx", "Ry", "Rz", "R_x", "R_y", "R_z", "rot_x", "rot_y", "rot_z", "rotation_x", "rotation_y", "rotation_z", "rotate", "rotation", "rot", "axis_angle", "from_axis_angle", "from_euler_angles", "euler", "rotation_matrix", "Rot", "rot2", "rotation2"],
        "turn a frame, `frame B = world.rotate(z, angle);`, and read `B.rotation` or `B.vector(v)`"),
    (Function, &["position", "pos", "pos_from", "locatenew"], "a point of a frame is `B.point([a, b, c])`, its origin `B.origin`"),
    (Function, &["print", "println", "disp", "display", "printf", "plot", "assert", "dbg"],
        "to see a value, make it an output: `pub let n = ..;`"),

    // Values.
    (Value, &["PI", "Pi", "π", "M_PI", "Math_PI", "PI_F64"], "the constant is `pi`"),
    (Value, &["FRAC_PI_2"], "write `pi / 2`"),
    (Value, &["FRAC_PI_3"], "write `pi / 3`"),
    (Value, &["FRAC_PI_4"], "write `pi / 4`"),
    (Value, &["FRAC_PI_6"], "write `pi / 6`"),
    (Value, &["SQRT_2"], "write `sqrt(2)`"),
    (Value, &["FRAC_1_SQRT_2"], "write `1 / sqrt(2)`"),
    (Value, &["LN_2"], "write `ln(2)`"),
    (Value, &["TAU", "two_pi", "twopi", "TWO_PI", "2pi"], "write `2 * pi`"),
    (Value, &["e", "E", "ℯ", "euler"], "Euler's number is `exp(1)`"),
    (Value, &["inf", "Inf", "INF", "INFINITY", "oo", "NaN", "NAN", "nan", "eps", "EPSILON"], "every constant is a finite number: write one, or make it a parameter"),
    (Value, &["True", "False", "true", "false", "None", "null", "nil", "nothing", "undef"], "every value is a number: write one"),
    (Value, &["im", "I", "1j", "j"], "every number is real; an index is the variable of a `for` or `sum`"),
    (Value, &["deg", "degree", "degrees", "DEG", "grad"], "angles are in radians: write `30 * pi / 180`"),
    (Value, &["rad", "radian", "radians"], "angles are in radians: write the number alone"),
    (Value, &["KE", "E_kin", "Ekin", "kinetic_energy", "kinetic"], "name the kinetic energy by `let`, and give it as `T = ..;`"),
    (Value, &["PE", "E_pot", "Epot", "potential_energy", "potential", "U"], "name the potential energy by `let`, and give it as `V = ..;`"),

    // Roles.
    (Role, &["states", "State", "dynamic_state"],
        "write `{n}: coordinate`, or `{n}: state` for a quantity without inertia whose rate is given"),
    (Role, &["current", "charge", "flux", "temperature", "concentration", "filter", "integral", "integrator", "bristle", "internal", "first_order", "memory", "hidden"],
        "write `{n}: state`, and give its rate by `der({n}) = ..;`"),
    (Role, &["dof", "DOF", "dofs", "generalized", "generalized_coordinate", "gencoord", "variable", "var", "Var", "unknown", "position", "pos", "angle", "joint", "displacement", "q", "dynamic", "dynamicsymbol", "dynamicsymbols", "degree_of_freedom", "coord", "coords", "coordinates", "independent", "prismatic", "revolute"],
        "write `{n}: coordinate`"),
    (Role, &["velocity", "vel", "speed", "rate", "derivative", "omega", "angular_velocity", "der"],
        "velocities are not declared: the one of a coordinate `x` is `der(x)`"),
    (Role, &["const", "constant", "Constant", "constants", "Const", "static", "param", "params", "parameters", "Parameter", "fixed", "mass", "length", "inertia", "stiffness", "damping", "property", "scalar", "symbol", "Symbol", "symbols", "number", "data", "config", "given", "known"],
        "write `{n}: parameter`"),
    (Role, &["control", "controls", "ctrl", "actuator", "actuation", "force", "torque", "u", "signal", "disturbance", "external", "inputs", "Input", "effort", "command", "setpoint", "specified", "exogenous", "prescribed"],
        "write `{n}: input`"),
    (Role, &["Time", "t", "clock", "seconds", "explicit_time"],
        "write `{n}: time`"),
    (Role, &["output", "out", "outputs", "observable", "measurement", "sensor"],
        "an output is a statement: `pub let {n} = ..;`"),
    (Role, &["multiplier", "lambda", "constraint"],
        "a constraint is a statement, `holonomic name: lhs = rhs;`, and its multiplier is not declared"),
    (Role, &["attitude", "free_flyer", "freeflyer", "FreeFlyer", "orientation", "quat", "quaternion", "Quaternion", "rotation_matrix", "so3", "SO3", "spherical", "Spherical", "unit_quaternion", "unitquaternion", "UnitQuaternion"],
        "an orientation is a `rotation`: write `{n}: rotation`"),
    (Role, &["free", "as_given", "smooth", "ignore"], OPTIONS_OF_ROBOT),
    (Role, &["frame", "body", "spring", "damper", "let", "link"],
        "`{}` begins a statement, after the struct"),

    // Statements.
    (Statement, &["mut"], LET_MUT),
    (Statement, &["KE", "Ek", "E_k", "EK", "Ekin", "E_kin", "K", "kinetic", "kinetic_energy", "T_kin", "Tkin", "E_c", "Ec", "T_total", "T1"],
        "the kinetic energy is `T = ..;`"),
    (Statement, &["PE", "Ep", "E_p", "EP", "Epot", "E_pot", "U", "W", "P", "potential", "potential_energy", "V_pot", "Vpot", "V_total", "V1", "Pot"],
        "the potential energy is `V = ..;`"),
    (Statement, &["Lagrangian", "lagrangian", "Lag", "LL", "ℒ", "Lagrange"],
        "the Lagrangian is `L = ..;`"),
    (Statement, &["R", "Rayleigh", "rayleigh", "F_d", "Fd", "dissipation", "D_r", "DD", "P_d", "friction"],
        "Rayleigh's dissipation function is `D = ..;`, and a force on a coordinate `Q.x = ..;`"),
    (Statement, &["tau", "F", "f", "tau_x", "Qx", "generalized_force", "generalized_forces", "forces", "F_ext", "external_force", "u"],
        "the force on a coordinate `x` is `Q.x = ..;`, the one at a point `force F at p;`"),
    (Statement, &["constraint", "constraints", "constrain", "eq", "equation", "eqn", "Eq", "subject_to", "st", "such_that", "holonomic_constraint", "closure", "loop_closure", "loop", "connect", "weld", "pin", "fix", "distance"],
        "a constraint is `holonomic name: lhs = rhs;`, on velocities `nonholonomic name: lhs = rhs;`"),
    (Statement, &["nonholonomic_constraint", "velocity_constraint", "pfaffian", "rolling", "nonhol", "nh", "no_slip"],
        "a constraint on velocities is `nonholonomic name: lhs = rhs;`"),
    (Statement, &["const", "static", "var", "val", "local", "auto", "double", "float", "real", "Real", "f64", "f32", "set", "define", "def_const", "global", "final", "constant", "Constant", "lets", "where", "alias"],
        LET),
    (Statement, &["def", "fn", "function", "func", "lambda", "fun", "sub", "proc", "method", "subroutine", "inline"],
        "write `let f(s) = ..;`"),
    (Statement, &["while", "repeat", "do", "until", "forall", "parfor", "foreach", "each"],
        "repeat by `for i in a..b { .. }`, whose bounds are constant"),
    (Statement, &["output", "out", "outputs", "observe", "measure", "export", "report", "yield", "print", "println", "disp", "display", "plot", "return", "public"],
        PUB_LET),
    (Statement, &["param", "parameter", "parameters", "params", "coordinate", "coordinates", "state", "states", "dof", "input", "inputs", "control", "variable", "time", "rotation", "quaternion", "symbols", "syms", "Parameter", "parameter_"],
        "names with a role are declared among the fields of the struct: `x: coordinate`, `m: parameter`"),
    (Statement, &["moment", "couple", "wrench", "actuate"],
        "a torque on a frame is `torque t on F;`"),
    (Statement, &["mass", "particle", "point_mass", "pointmass", "PointMass", "Particle", "link", "rigid_body", "rigidbody", "RigidBody", "rigid", "solid", "Body", "bob", "inertia"],
        "a body is `body name { frame: F, mass: m, at: p, inertia: diag(ixx, iyy, izz) }`"),
    (Statement, &["gravitation", "gravity_vector", "weight", "acceleration_of_gravity", "Gravity", "g"],
        "gravity is `gravity [0, 0, -g];`"),
    (Statement, &["dashpot", "dash_pot", "shock", "viscous", "Damper"],
        "a damper is `damper { c: c, from: p, to: r }`"),
    (Statement, &["motor", "servo", "gearbox", "drive", "transmission", "armature", "Actuator"],
        "a motor behind a gear is `actuator name { joint: q, gear: 100, rotor: i, torque: u }`"),
    (Statement, &["Spring", "elastic", "bushing"],
        "a spring is `spring { k: k, rest: l, from: p, to: r }`"),
    (Statement, &["ReferenceFrame", "reference_frame", "coordinate_system", "joint", "revolute", "prismatic", "pose", "transform", "Frame", "hinge", "slider", "spherical", "ball_joint"],
        "a frame is `frame B = A.rotate(z, q);` or `frame B = A.translate([q, 0, 0]);`"),
    (Statement, &["import", "use", "include", "using", "from", "package", "mod", "extern", "require", "library"],
        "remove it: the language sees nothing from outside, and its functions need no import"),
    (Statement, &["end", "endfor", "endif", "fi", "done", "begin", "then", "endfunction"],
        "remove it: a block is between `{` and `}`, and nothing else begins or ends it"),
    (Statement, &["elif", "elseif", "else", "switch", "match", "case", "when", "try", "with", "unless"],
        "a choice is an expression: `let n = if a < b { e } else { f };`"),
    (Statement, &["model", "class", "system", "struct", "record", "block", "equations", "algorithm", "initial", "module", "type", "enum", "impl", "trait"],
        "a declaration is one struct and the statements after it"),
    (Statement, &["assert", "require_", "check", "break", "continue", "pass", "unsafe", "async", "await", "macro_rules"],
        "remove it: the statements describe the system and are not executed"),

    // Frames.
    (Frame, &["N", "W", "I", "inertial", "Inertial", "ground", "Ground", "World", "WORLD", "base", "global", "fixed", "origin", "O", "newtonian"],
        "the frame at rest is `world`"),
    (OfFrame, &["orientnew", "orient_axis", "orientaxis", "orient_new", "rot", "rotated", "rotation", "turn", "rotate_axis", "rotate_by", "Axis", "revolute", "orient_body_fixed", "orient_explicit"],
        "write `.rotate(z, angle)`"),
    (OfFrame, &["rotx", "rotate_x", "rotateX", "rot_x", "rx"], "write `.rotate(x, angle)`"),
    (OfFrame, &["roty", "rotate_y", "rotateY", "rot_y", "ry"], "write `.rotate(y, angle)`"),
    (OfFrame, &["rotz", "rotate_z", "rotateZ", "rot_z", "rz"], "write `.rotate(z, angle)`"),
    (OfFrame, &["translated", "trans", "move", "moved", "shift", "offset", "locatenew", "locate_new", "set_pos", "displace", "prismatic", "at", "displaced"],
        "write `.translate([a, b, c])`"),
    (OfFrame, &["pos", "position", "center", "centre", "o", "p", "t", "translation", "com", "pos_from", "location", "xyz", "point_at"],
        "the origin is `.origin`, another point `.point([a, b, c])`"),
    (OfFrame, &["R", "dcm", "rotation_matrix", "orientation", "matrix", "attitude", "rot_matrix", "basis"],
        "the rotation matrix is `.rotation`"),
    (OfFrame, &["x", "y", "z", "i", "j", "k", "ex", "ey", "ez", "x_axis", "y_axis", "z_axis", "axis", "unit_x", "unit_y", "unit_z"],
        "an axis in the world is `.vector([1, 0, 0])`"),
    (OfFrame, &["transform", "transform_point", "to_world", "to_global", "apply", "local_to_world"],
        "a point of the frame in the world is `.point([a, b, c])`, a direction `.vector([a, b, c])`"),
    (OfFrame, &["express", "transform_vector", "direction", "vec"],
        "a direction of the frame in the world is `.vector([a, b, c])`"),
    (OfFrame, &["vel", "v", "lin_vel", "linear_velocity", "speed", "v1pt_theory", "v2pt_theory"],
        "the velocity of the origin of a frame `B` is `velocity(B)`"),
    (OfFrame, &["omega", "w", "ang_vel", "ang_vel_in", "angular_rate", "rate", "angvel"],
        "the angular velocity of a frame `B` is `angular_velocity(B)`"),

    // Components.
    (Component, &["T", "t", "H"], "a transposed matrix is `transpose(A)`"),
    (Component, &["I", "inv"], "no matrix is inverted here: the methods of the system solve the equations of motion"),
    (Component, &["len", "length", "size", "shape", "rows", "columns"], "sizes are numbers that you know: write them"),
    (Component, &["norm", "magnitude", "mag"], "the length of a vector is `norm(v)`"),
    (Component, &["w", "a", "b", "c", "r", "i", "j", "k", "first", "last", "X", "Y", "Z", "e1", "e2", "e3"], "the components are `.x`, `.y` and `.z`; others have an index, `v[0]`"),
    (Component, &["dot", "dt", "diff", "der", "ddot", "derivative"], "the derivative by time is `der(v)`"),

    // Fields of blocks.
    (OfBody, &["m", "masse", "weight", "M", "density"], "write `mass: ..`"),
    (OfBody, &["I", "J", "i", "j", "tensor", "inertia_tensor", "Inertia", "moment", "moments", "moment_of_inertia", "Ixx", "Iyy", "Izz", "ixx", "iyy", "izz", "I_zz", "rotational_inertia"],
        "write `inertia: diag(ixx, iyy, izz)`, about the centre of mass in the frame's axes"),
    (OfBody, &["pos", "position", "p", "r", "com", "center", "centre", "center_of_mass", "cm", "point", "origin", "offset", "location", "masscenter"],
        "write `at: ..`, the centre of mass in the frame"),
    (OfBody, &["pose", "in", "parent", "orientation", "link", "on", "attached", "reference_frame"],
        "write `frame: ..`"),
    (OfLink, &["stiffness", "K", "spring_constant", "rate", "constant", "kappa"], "write `k: ..`, the stiffness of a spring"),
    (OfLink, &["l0", "l", "length", "rest_length", "natural_length", "natural", "free_length", "L0", "l_0", "s0", "unstretched"],
        "write `rest: ..`, the length of the spring without force"),
    (OfLink, &["c", "d", "b", "damping", "C", "coefficient", "viscosity"], "a `damper` has `c: ..`, a `spring` has none"),
    (OfLink, &["k"], "a `spring` has `k: ..`, a `damper` has none"),
    (OfLink, &["a", "start", "p", "p1", "begin", "point1", "first", "anchor", "body1", "source", "at"], "write `from: ..`, a point"),
    (OfLink, &["end", "p2", "point2", "second", "body2", "target", "until", "r"], "write `to: ..`, a point"),
    (OfActuator, &["q", "coordinate", "angle", "of", "dof", "target", "joint1"], "write `joint: q`, a coordinate"),
    (OfActuator, &["ratio", "gear_ratio", "gearing", "n", "N", "reduction", "mechanicalReduction", "transmission"],
        "write `gear: ..`, the turns of the motor for one of the joint"),
    (OfActuator, &["armature", "inertia", "rotor_inertia", "rotorInertia", "motor_inertia", "J", "Jm", "I", "Im", "reflected_inertia"],
        "write `rotor: ..`, the moment of the rotor about its axis, which `gear` multiplies by its square"),
    (OfActuator, &["damping", "d", "b", "viscosity", "viscous_friction"], "write `viscous: ..`, a torque for each unit of speed"),
    (OfActuator, &["friction", "dry", "coulomb_friction", "frictionloss", "static_friction"],
        "write `coulomb: ..`, a dry friction that sticks, or `coulomb: .., smooth: ..` with the speed over which it changes its sign"),
    (OfActuator, &["stiffness", "k", "K", "spring", "compliance"], "write `elastic: ..`, the stiffness of the gear behind it"),
    (OfActuator, &["u", "input", "tau", "effort", "ctrl", "control", "force", "command"], "write `torque: ..`, on the side of the motor"),
    (OfContact, &["mu", "μ", "coefficient", "friction_coefficient", "coulomb", "static_friction", "dynamic_friction", "mu_s", "mu_k"],
        "write `friction: ..`, the coefficient of Coulomb's friction"),
    (OfContact, &["e", "cor", "bounce", "bounciness", "elasticity", "epsilon", "restitution_coefficient", "newton"],
        "write `restitution: ..`, the coefficient of Newton's law"),
    (OfContact, &["sliding", "slide", "velocity", "tangent", "tangential", "sliding_velocity", "speed", "direction"],
        "write `slip: ..`, the sliding velocity"),
    (OfActuator, &["frame", "body", "link", "base", "parent", "stator", "housing"], "write `on: F, axis: z`, the frame that carries the rotor"),
];

/// Modules of other languages that people write before a function or constant, with a dot.
pub(crate) const MODULES: &str = "np numpy math Math sp sympy sm me mt ca casadi torch jnp jax scipy cs na nalgebra \
    Modelica LinearAlgebra cmath tf std smp sy sym cas mechanics";

/// The replacement for all references to multipliers.
pub(crate) const MULTIPLIER: &str = "the multiplier of a constraint or contact `floor` is `multiplier(floor)`, linearly in `Q`, `force` and `torque`";

/// The form of a robot with options.
pub(crate) const OPTIONS_OF_ROBOT: &str = "options are in the braces after the file of a robot: `robot = \"arm.urdf\" { base: free, lock: { finger: 0.04 } }`";

/// The replacement for all references to accelerations.
pub(crate) const ACCELERATION: &str =
    "the equations of motion determine accelerations, no expression contains them";

/// The advice for a word in this place.
pub(crate) fn advice(place: Place, word: &str) -> Option<String> {
    let (.., advice) = TABLE
        .iter()
        .find(|(of, words, _)| *of == place && words.contains(&word))?;
    Some(advice.replace("{}", word))
}

/// The kind of declaration that a statement with this word begins, if it is one.
pub(crate) fn binding(word: &str) -> Option<Binding> {
    match advice(Statement, word)?.as_str() {
        LET => Some(Binding::Private),
        LET_MUT => Some(Binding::Mutable),
        PUB_LET => Some(Binding::Public),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_has_one_meaning_in_a_place() {
        let mut seen = std::collections::HashSet::new();
        for (place, words, _) in TABLE {
            for word in *words {
                let is_new = seen.insert((format!("{place:?}"), *word));
                assert!(is_new, "{word} in two rows of {place:?}");
            }
        }
    }

    #[test]
    fn a_word_is_answered_where_it_stands() {
        let log = advice(Function, "log").unwrap();
        assert!(log.contains("`ln(x)`"));
        assert_eq!(advice(Value, "log"), None);
    }
}
