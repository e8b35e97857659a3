//! Advice for mistakes whose messages have none: one row for each kind of message, recognized by parts of its text.

/// Parts that the message must contain, and the advice. The first matching row applies.
#[rustfmt::skip]
static TABLE: &[(&[&str], &str)] = &[
    // Shapes.
    (&["the left side is", "the right side"], "give both sides one shape; the zero of a vector is `[0, 0]` or `[0, 0, 0]`"),
    (&["the force is", "its point"], "give both two components, or both three"),
    (&["gravity is", "the position of a body"], "give both two components, or both three; without `at` a body has three"),
    (&["`from` is", "`to`"], "give both ends two components, or both three, or make both scalars on a line"),
    (&["the parameter is", "its default"], "write one number for all entries, or as many as there are"),
    (&["the new value is"], "assign a value of the same shape, or give this one another name by `let`"),
    (&["this branch is"], "give every branch of an `if` one shape"),
    (&["this term is"], "give every term of a `sum` one shape"),
    (&["mismatched shapes in a list"], "a vector is a list of scalars, a matrix one of vectors of one length"),
    (&["the force on it"], "give the force as many components as the coordinate has"),
    (&["its move"], "give the move as many components as the coordinate has"),
    (&["mismatched shapes", "takes a scalar"], "take a component, `v.x` or `v[0]`"),
    (&["mismatched shapes", "takes a vector"], "a vector is written `[a, b]`"),
    (&["mismatched shapes", "takes a square matrix"], "give it as many rows as columns"),
    (&["mismatched shapes", "takes a matrix"], "a matrix is written `[[a, b], [c, d]]`"),
    (&["mismatched shapes", "takes vectors"], "write the vectors as `[a, b]` or `[a, b, c]`"),
    (&["mismatched shapes", "of vectors of length"], "give both vectors one length"),
    (&["mismatched shapes", " plus "], "add values of one shape; scalars of a vector are `v.x`, `v[0]` and `norm(v)`"),
    (&["mismatched shapes", " minus "], "subtract values of one shape; scalars of a vector are `v.x`, `v[0]` and `norm(v)`"),
    (&["mismatched shapes", " times "], "a matrix of n columns takes n rows to its right; `transpose(A)` exchanges them"),
    (&["cannot divide by"], "divide by a scalar, such as `norm(v)`, or write each component"),
    (&["an exponent is a scalar"], "write a scalar; powers of components are `[v.x^2, v.y^2]`"),
    (&["a list holds scalars or vectors"], "write a matrix as a list of its rows, `[[a, b], [c, d]]`"),
    (&["is a scalar, found"], "write a scalar: the square of a vector is `v^2`, a component `v.x`"),
    (&["only scalars can be compared"], "compare components, `v.x`, or lengths, `norm(v)`"),
    (&["is a vector of length 2 or 3, or a scalar"], "write `[a, b]` in the plane, `[a, b, c]` in space, or a position on a line"),
    (&["is a vector of length 2 or 3, found"], "write `[a, b]` in the plane, or `[a, b, c]` in space"),
    (&["a vector of length 3, found"], "write `[a, b, c]`"),
    (&["is `x`, `y`, `z` or a vector of length 3"], "write `x`, `y`, `z` or `[a, b, c]`"),
    (&["the orientation of a frame is a 3 x 3 matrix"], "write `[[a, b, c], [d, e, f], [g, h, i]]`, or turn the frame by `rotate(z, angle)`"),
    (&["has no component"], "the components are `.x`, `.y` and `.z`, as far as there are so many; others have an index, `v[0]`"),
    (&["has no index"], "remove the index: it is one number"),
    (&["has one index"], "write one index, `v[0]`"),
    (&["has one or two indices"], "write `m[0]` for a row, `m[0, 1]` for an entry"),
    (&["the size of `identity`"], "write for example `identity(3)`"),

    // Numbers.
    (&["is a constant integer"], "write a whole number, or a variable of a `for` or `sum`: it is needed at compile time"),
    (&["division by zero"], "write another divisor, or choose by `if` where it cannot be zero"),
    (&["this power has no real value"], "a root of a negative number is not real: change the base or the exponent"),
    (&["has no finite value here"], "give it an argument where it has one"),
    (&["beyond every number"], "write a smaller number: the largest one is near 1.8e308"),
    (&["literal out of range"], "write a smaller number: the largest one is near 1.8e308"),
    (&["no finite number"], "write a finite number"),
    (&["this default is not a finite number"], "write a finite number"),
    (&["an array has at"], "write a size from 1 to 16384"),
    (&["is not an integer in base"], "write the number in decimal"),
    (&["is no integer, but has the suffix"], "remove the suffix: every number is real"),
    (&["expected a number, found a string"], "a text belongs into a comment, `// ..`"),
    (&["expected a number"], "write a number such as `1`, `2.5` or `1e-3`"),
    (&["too large to unroll"], "make fewer iterations"),
    (&["too long to unroll"], "make fewer iterations"),
    (&["makes the system too large"], "declare a smaller system, or divide it into several"),
    (&["a system has at most"], "use fewer, or divide the system into several"),

    // Names.
    (&["is the variable of a loop"], "use it within the loop only"),
    (&["is a loop variable"], "carry a value from iteration to iteration by a `let mut` before the loop"),
    (&["has no value to assign"], "give the new value a name of its own by `let`"),
    (&["a dot makes the velocity of a coordinate"], "remove the dot: the derivative by time of anything is `der(e)`"),
    (&["unknown parameter"], "declare it among the fields: `k: parameter`"),
    (&["the robot has no"], "the names are those of the file"),
    (&["unknown coordinate"], "forces act on coordinates, declared as `x: coordinate`"),
    (&["unknown rotation"], "declare it among the fields: `att: rotation`"),
    (&["unknown frame"], "declare it before this: `frame B = world.rotate(z, angle);`"),
    (&["unknown component"], "the components are `.x`, `.y` and `.z`"),
    (&["unknown name"], "declare it among the fields, `k: parameter`, or before this by `let k = ..;`"),
    (&["expected a frame"], "a frame is `world`, a name declared by `frame`, or one of these turned or moved"),
    (&["takes 1 argument"], "write its argument between the parentheses"),
    (&["takes", "argument"], "write as many as that, separated by `,`"),

    // Mechanics.
    (&["not affine in the velocities"], "write it as an equation of first degree in the velocities, such as `der(x) = r * der(phi)`"),
    (&["is contradictory"], "change one side, so that it holds somewhere"),
    (&["it does not depend on a coordinate"], "write an equation between coordinates, or remove it"),
    (&["restricts no motion"], "write an equation whose sides change with the coordinates"),
    (&["a symmetry depends on positions and time only"], "write how far it moves the coordinate, a function of coordinates and time"),
    (&["depends on positions and time only"], "leave velocities to `T`, `D` and forces: a position is a function of coordinates"),
    (&["the axis of a rotation is not zero"], "write `x`, `y`, `z` or a vector that is not zero"),
    (&["not an inequality"], "write `=`; where two things may touch or part, write `contact name: lhs >= rhs;`"),

    // Forms.
    (&["missing `;` after this"], "write `;`"),
    (&["missing `,` after this"], "write `,`"),
    (&["nested more than"], "name a part of it with `let`"),
    (&["`crate` is given twice"], "remove one of them"),
    (&["expected the path of a crate"], "write the name of the crate: `crate = lagrangian`"),
    (&["expected an index"], "write an index between the brackets, `v[0]`"),
    (&["a range is allowed only"], "write `for i in a..b { .. }`, `sum(i in a..b, e)` or `v[a..b]`"),
    (&["a comparison is allowed only"], "write `if a < b { e } else { f }`"),
    (&["a field has at most two sizes"], "write `[n]` for a vector, `[r, c]` for a matrix"),
    (&["a state is a scalar or a vector"], "write `[n]`, or a name for each row"),
    (&["an input is a scalar or a vector"], "write `[n]`, or a name for each row"),
    (&["time is a scalar"], "write `t: time`"),
    (&["a vector has at least one element"], "write its entries, `[0, 0]`"),
    (&["a sum is written"], "write `sum(i in 0..3, v[i])`"),
    (&["a range is written"], "write `a..b`"),
    (&["macros are not part of the language"], "write it out; a vector is `[a, b]`"),
    (&["expected `struct`, found `lagrangian`"], "leave out `lagrangian! {` and its `}`: a system is `struct Name { .. }` and the statements after it"),
    (&["expected `struct`"], "a system is `struct Name { .. }` and the statements after it"),
    (&["missing `struct`"], "a system is `struct Name { .. }` and the statements after it"),
    (&["expected a statement, found `{`"], "a block belongs to a `for`, a `body`, a `spring` or a `damper`"),
    (&["expected a statement"], "a statement begins with a word such as `let`, `T`, `V`, `Q` or `force`"),
    (&["after this attribute or doc comment"], "write it before its item, or as a comment `// ..`"),
    (&["found `_`"], "write a name; one that nothing reads may begin with `_`"),
    (&["expected a name", "keyword"], "choose another name"),
    (&["expected the name of a field", "keyword"], "choose another name"),
    (&["expected the name of a field"], "a field is `names: role`"),
    (&["expected an expression"], "write a value, such as a number, a name or `(a + b)`"),
    (&["expected a component or a method"], "write `.x`, or a function after the dot: `x.sin()`"),
    (&["expected an operator or `;`, found `,`"], "a statement ends with `;`, and a vector is `[a, b]`"),
    (&["expected an operator or `,`, found `;`"], "the elements are separated by `,`; a matrix is a list of its rows, `[[a, b], [c, d]]`"),
    (&["expected `in`"], "a loop is `for i in 0..3 { .. }`"),
    (&["expected `..`"], "a range is `a..b`, with `b` excluded: `for i in 0..3 { .. }`"),
    (&["expected `:` or `,`"], "the fields of a block are `name: value`, separated by `,`"),
    (&["expected `,` and the expression"], "a sum is `sum(i in a..b, e)`"),
    (&["expected `{` and an expression"], "a choice is `if a < b { e } else { f }`"),
    (&["expected `{`"], "write the block between `{` and `}`"),
    (&["expected", "after this"], "write it here: the line ends too early"),
    (&["expected", "found"], "remove this, or write the expected part before it"),
    (&["unexpected"], "remove it"),
];

/// The prefix of advice.
pub(super) const MARK: &str = "\n\nhelp: ";

/// The advice for a message without its own advice.
pub(super) fn advice(message: &str) -> Option<&'static str> {
    if message.contains("help:") {
        return None;
    }
    let fits = |parts: &&[&str]| parts.iter().all(|part| message.contains(part));
    let (_, advice) = TABLE.iter().find(|(parts, _)| fits(parts))?;
    Some(advice)
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn what_has_advice_gets_no_other() {
        assert_eq!(advice("unknown name `x`\n\nhelp: did you mean `y`?"), None);
        assert!(advice("unknown name `x`").is_some());
        assert_eq!(advice("missing `;` after this"), Some("write `;`"));
    }
}
