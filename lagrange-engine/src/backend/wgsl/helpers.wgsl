// [sign]
fn NAME_helper_sign(x: f32) -> f32 {
    return select(select(0.0f, -1.0f, x < 0.0f), 1.0f, x > 0.0f);
}

// [polynomial]
fn NAME_helper_polynomial(x: f32, order: i32, c: vec4<f32>) -> f32 {
    switch order {
        case 0: { return ((c.w * x + c.z) * x + c.y) * x + c.x; }
        case 1: { return (3.0f * c.w * x + 2.0f * c.z) * x + c.y; }
        case 2: { return 2.0f * (3.0f * c.w * x + c.z); }
        case 3: { return 6.0f * c.w; }
        default: { return 0.0f; }
    }
}

// [controls]
fn NAME_helper_by_controls(c: vec4<f32>, scale: f32, is_inside: bool) -> vec4<f32> {
    let line = vec2<f32>((c.x + 4.0f * c.y + c.z) / 6.0f, (c.z - c.x) / 2.0f * scale);
    if (!is_inside) { return vec4<f32>(line, 0.0f, 0.0f); }
    let second = (c.x - 2.0f * c.y + c.z) / 2.0f * scale * scale;
    let third = (c.w - c.x + 3.0f * (c.y - c.z)) / 6.0f * scale * scale * scale;
    return vec4<f32>(line, second, third);
}

// [powi]
fn NAME_helper_powi(base: f32, n: i32) -> f32 {
    var power = 1.0f;
    var x = base;
    for (var rest = abs(n); rest > 0; rest = rest / 2) {
        if (rest % 2 == 1) { power *= x; }
        x *= x;
    }
    return select(power, 1.0f / power, n < 0);
}

// [sin_cos]
// Sine and cosine, to rounding for angles below 8000: those of the language may be off by 2^-11. Three parts of pi/2 are
// taken away, and the polynomials of Cephes take over.
fn NAME_helper_sin_cos(x: f32) -> vec2<f32> {
    let turns = round(x * 0.636619772f);
    let quadrant = i32(turns);
    let r = ((x - turns * 1.5703125f) - turns * 4.837512969970703125e-4f) - turns * 7.54978995489188216e-8f;
    let z = r * r;
    let s = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * r + r;
    let c = ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z - 0.5f * z + 1.0f;
    let is_odd = (quadrant & 1) != 0;
    let sine = select(s, c, is_odd);
    let cosine = select(c, s, is_odd);
    return vec2<f32>(
        select(sine, -sine, (quadrant & 2) != 0),
        select(cosine, -cosine, ((quadrant + 1) & 2) != 0),
    );
}

// [product]
// Quaternions are x, y, z, w.
fn NAME_helper_product(a: array<f32, 4>, b: array<f32, 4>) -> array<f32, 4> {
    return array<f32, 4>(
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    );
}

// [normalised]
fn NAME_helper_normalised(q: array<f32, 4>) -> array<f32, 4> {
    let size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return array<f32, 4>(q[0] / size, q[1] / size, q[2] / size, q[3] / size);
}

// [moved]
// q exp(d)
fn NAME_helper_moved(q: array<f32, 4>, d: array<f32, 3>) -> array<f32, 4> {
    let half = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / 2.0f;
    let turn = NAME_helper_sin_cos(half);
    var factor = 0.5f - half * half / 12.0f;
    if (half >= 1e-2f) { factor = turn.x / half / 2.0f; }
    let step = array<f32, 4>(d[0] * factor, d[1] * factor, d[2] * factor, turn.y);
    return NAME_helper_normalised(NAME_helper_product(q, step));
}

// [difference]
// The displacement between two orientations, at most pi long.
fn NAME_helper_difference(start: array<f32, 4>, end: array<f32, 4>) -> array<f32, 3> {
    let turn = NAME_helper_product(array<f32, 4>(-start[0], -start[1], -start[2], start[3]), end);
    let side = select(1.0f, -1.0f, turn[3] < 0.0f);
    let w = side * turn[3];
    let sine = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    let ratio = sine / w;
    var factor = (2.0f - ratio * ratio * 2.0f / 3.0f) / w;
    if (ratio >= 1e-2f || w <= 0.0f) { factor = 2.0f * atan2(sine, w) / sine; }
    return array<f32, 3>(side * turn[0] * factor, side * turn[1] * factor, side * turn[2] * factor);
}

// [matrix]
fn NAME_helper_matrix(q: array<f32, 4>) -> array<f32, 9> {
    let unit = NAME_helper_normalised(q);
    let x = unit[0];
    let y = unit[1];
    let z = unit[2];
    let w = unit[3];
    return array<f32, 9>(
        1.0f - 2.0f * (y * y + z * z), 2.0f * (x * y - z * w), 2.0f * (x * z + y * w),
        2.0f * (x * y + z * w), 1.0f - 2.0f * (x * x + z * z), 2.0f * (y * z - x * w),
        2.0f * (x * z - y * w), 2.0f * (y * z + x * w), 1.0f - 2.0f * (x * x + y * y),
    );
}

// [dense]
// Dense solution by iterative refinement: if K = J^T, with L D L^T of the scaled matrix without pivoting; otherwise, or if
// pivots are small or an equation is not met, with complete pivoting of [M -K; J 0].
struct NAME_helper_dense {
    n: i32,
    size: i32,
    is_independent: bool,
    is_quick: bool,
    k: array<f32, SIZE_K>,
    lu: array<f32, SIZE_K>,
    scale: array<f32, SIZE_S>,
    column_scale: array<f32, SIZE_S>,
    rows: array<i32, SIZE_S>,
    columns: array<i32, SIZE_S>,
}

struct NAME_helper_column {
    x: array<f32, SIZE_S>,
    error: f32,
}

// A power of two near 1 / x^(1/n).
fn NAME_helper_power(x: f32, n: f32) -> f32 {
    if (!(x > 0.0f)) { return 1.0f; }
    return exp2(-floor(log2(x) / n));
}

// Powers of two that bring the diagonal of M, the largest entry of each row of J and that of each column of K to about 1.
fn NAME_helper_scales(s: ptr<function, NAME_helper_dense>) {
    let n = (*s).n;
    let size = (*s).size;
    for (var i = 0; i < n; i++) {
        var largest = 0.0f;
        for (var j = 0; j < n; j++) { largest = max(largest, abs((*s).k[i * size + j])); }
        let entry = abs((*s).k[i * size + i]);
        (*s).scale[i] = select(NAME_helper_power(largest, 1.0f), NAME_helper_power(entry, 2.0f), entry > 0.0f);
    }
    for (var i = n; i < size; i++) {
        var largest = 0.0f;
        for (var j = 0; j < n; j++) { largest = max(largest, abs((*s).k[i * size + j] * (*s).scale[j])); }
        (*s).scale[i] = NAME_helper_power(largest, 1.0f);
    }
    for (var i = 0; i < size; i++) {
        var largest = 0.0f;
        for (var j = 0; j < n; j++) { largest = max(largest, abs((*s).k[j * size + i] * (*s).scale[j])); }
        (*s).column_scale[i] = select(NAME_helper_power(largest, 1.0f), (*s).scale[i], i < n);
    }
}

// Whether a row of J adds nothing to those above it: Gram-Schmidt, each row orthogonalised twice. Units do not matter,
// since each row has a scale of its own, and so has each coordinate by its inertia.
fn NAME_helper_is_dependent(s: ptr<function, NAME_helper_dense>) -> bool {
    var basis: array<f32, SIZE_J>;
    let n = (*s).n;
    let size = (*s).size;
    let c = size - n;
    let tau = f32(size) * 1.1920929e-7f;
    for (var row = 0; row < c; row++) {
        var largest = 0.0f;
        for (var i = 0; i < n; i++) { largest = max(largest, abs((*s).k[(n + row) * size + i] * (*s).scale[i])); }
        if (largest == 0.0f) { return true; }
        var before = 0.0f;
        for (var i = 0; i < n; i++) {
            let entry = (*s).k[(n + row) * size + i] * (*s).scale[i] / largest;
            basis[row * n + i] = entry;
            before += entry * entry;
        }
        for (var repeat = 0; repeat < 2; repeat++) {
            for (var other = 0; other < row; other++) {
                var along = 0.0f;
                for (var i = 0; i < n; i++) { along += basis[other * n + i] * basis[row * n + i]; }
                for (var i = 0; i < n; i++) { basis[row * n + i] -= along * basis[other * n + i]; }
            }
        }
        var after = 0.0f;
        for (var i = 0; i < n; i++) { after += basis[row * n + i] * basis[row * n + i]; }
        after = sqrt(after);
        if (!(after > 4.0f * tau * sqrt(before))) { return true; }
        for (var i = 0; i < n; i++) { basis[row * n + i] /= after; }
    }
    return false;
}

// L D L^T of [M J^T; J 0] by the lower triangle; whether the pivots of M and of J M^-1 J^T are regular.
fn NAME_helper_factor_quickly(s: ptr<function, NAME_helper_dense>) -> bool {
    let n = (*s).n;
    let size = (*s).size;
    for (var i = 0; i < size; i++) {
        // Pivots of J M^-1 J^T have the other sign.
        let sign = select(-1.0f, 1.0f, i < n);
        let share = sqrt(f32(select(size - n, n, i < n)) * 1.1920929e-7f);
        var pivot = (*s).k[i * size + i] * (*s).scale[i] * (*s).scale[i];
        var diagonal = pivot;
        for (var j = 0; j < i; j++) {
            var sum = (*s).k[i * size + j] * (*s).scale[i] * (*s).scale[j];
            for (var k = 0; k < j; k++) { sum -= (*s).lu[i * size + k] * (*s).lu[j * size + k]; }
            (*s).lu[i * size + j] = sum;
        }
        for (var k = 0; k < i; k++) {
            let product = (*s).lu[i * size + k];
            if (k == n) { diagonal = pivot; }
            (*s).lu[i * size + k] = product / (*s).lu[k * size + k];
            pivot -= product * (*s).lu[i * size + k];
        }
        if (i == n) { diagonal = pivot; }
        if (!(sign * pivot > share * sign * diagonal)) { return false; }
        (*s).lu[i * size + i] = pivot;
    }
    return true;
}

// Factors the matrix; whether it is regular. The rows of J come first: so a row of which only a small share is orthogonal to
// others has this share as its pivot, and not the square.
fn NAME_helper_factor(s: ptr<function, NAME_helper_dense>) -> bool {
    let n = (*s).n;
    let size = (*s).size;
    let c = size - n;
    let tolerance = 8.0f * f32(n) * 1.1920929e-7f;
    var regular = true;
    for (var i = 0; i < size; i++) {
        let row = select(i - c, n + i, i < c);
        (*s).rows[i] = row;
        (*s).columns[i] = i;
        for (var j = 0; j < size; j++) { (*s).lu[i * size + j] = (*s).k[row * size + j] * (*s).scale[row] * (*s).column_scale[j]; }
    }
    for (var k = 0; k < size; k++) {
        var row = k;
        var column = k;
        var most = -1.0f;
        for (var i = k; i < select(size, c, k < c); i++) {
            for (var j = k; j < size; j++) {
                if (abs((*s).lu[i * size + j]) > most) {
                    most = abs((*s).lu[i * size + j]);
                    row = i;
                    column = j;
                }
            }
        }
        if (!(most > select(tolerance, 0.0f, k < c))) { regular = false; }
        for (var j = 0; j < size; j++) {
            let entry = (*s).lu[k * size + j];
            (*s).lu[k * size + j] = (*s).lu[row * size + j];
            (*s).lu[row * size + j] = entry;
        }
        for (var i = 0; i < size; i++) {
            let entry = (*s).lu[i * size + k];
            (*s).lu[i * size + k] = (*s).lu[i * size + column];
            (*s).lu[i * size + column] = entry;
        }
        let swapped_row = (*s).rows[k];
        (*s).rows[k] = (*s).rows[row];
        (*s).rows[row] = swapped_row;
        let swapped_column = (*s).columns[k];
        (*s).columns[k] = (*s).columns[column];
        (*s).columns[column] = swapped_column;
        for (var i = k + 1; i < size; i++) {
            let factor = (*s).lu[i * size + k] / (*s).lu[k * size + k];
            (*s).lu[i * size + k] = factor;
            for (var j = k + 1; j < size; j++) { (*s).lu[i * size + j] -= factor * (*s).lu[k * size + j]; }
        }
    }
    return regular;
}

// Factors with pivoting; the error of the matrix.
fn NAME_helper_factor_carefully(s: ptr<function, NAME_helper_dense>, is_checked: bool) -> i32 {
    (*s).is_quick = false;
    if (is_checked && !(*s).is_independent && NAME_helper_is_dependent(s)) { return 2; }
    let regular = NAME_helper_factor(s);
    return select(0, 1, is_checked && !regular);
}

fn NAME_helper_substitute(s: ptr<function, NAME_helper_dense>, given: NAME_helper_column) -> NAME_helper_column {
    var right = given;
    var y: array<f32, SIZE_S>;
    var solved: NAME_helper_column;
    let size = (*s).size;
    if ((*s).is_quick) {
        for (var i = 0; i < size; i++) {
            y[i] = right.x[i] * (*s).scale[i];
            for (var j = 0; j < i; j++) { y[i] -= (*s).lu[i * size + j] * y[j]; }
        }
        for (var i = 0; i < size; i++) { y[i] /= (*s).lu[i * size + i]; }
        for (var i = size - 1; i >= 0; i--) {
            for (var j = 0; j < i; j++) { y[j] -= (*s).lu[i * size + j] * y[i]; }
        }
        for (var i = 0; i < size; i++) { solved.x[i] = select(-y[i], y[i], i < (*s).n) * (*s).scale[i]; }
        return solved;
    }
    for (var i = 0; i < size; i++) {
        y[i] = right.x[(*s).rows[i]] * (*s).scale[(*s).rows[i]];
        for (var j = 0; j < i; j++) { y[i] -= (*s).lu[i * size + j] * y[j]; }
    }
    for (var i = size - 1; i >= 0; i--) {
        for (var j = i + 1; j < size; j++) { y[i] -= (*s).lu[i * size + j] * y[j]; }
        y[i] /= (*s).lu[i * size + i];
    }
    for (var i = 0; i < size; i++) { solved.x[(*s).columns[i]] = y[i] * (*s).column_scale[(*s).columns[i]]; }
    return solved;
}

// What x leaves of the equations, nothing of those that are met to so many eps; `error` is the largest backward error.
fn NAME_helper_residual(s: ptr<function, NAME_helper_dense>, given: NAME_helper_column, at: NAME_helper_column, met: f32) -> NAME_helper_column {
    var right = given;
    var x = at;
    var residual: NAME_helper_column;
    let size = (*s).size;
    for (var i = 0; i < size; i++) {
        var left = right.x[i];
        var terms = abs(left) + 1e-30f;
        for (var j = 0; j < size; j++) {
            let term = (*s).k[i * size + j] * x.x[j];
            left -= term;
            terms += abs(term);
        }
        let error = abs(left) / (1.1920929e-7f * terms);
        if (!(error <= residual.error)) { residual.error = error; }
        residual.x[i] = select(left, 0.0f, error <= met);
    }
    return residual;
}

fn NAME_helper_refined(s: ptr<function, NAME_helper_dense>, given: NAME_helper_column) -> NAME_helper_column {
    var solved = NAME_helper_substitute(s, given);
    var residual = NAME_helper_residual(s, given, solved, -1.0f);
    solved.error = residual.error;
    let size = (*s).size;
    var last = 0.0f;
    for (var step = 0; step < 30 && !(solved.error <= 3.0f); step++) {
        var change = NAME_helper_substitute(s, residual);
        var next = solved;
        var length_of_change = 0.0f;
        var largest = 0.0f;
        for (var i = 0; i < size; i++) {
            next.x[i] += change.x[i];
            length_of_change = max(length_of_change, abs(change.x[i]));
            largest = max(largest, abs(next.x[i]));
        }
        let met = select(select(MOST_ERROR.0f / 2.0f, 3.0f, step == 1), -1.0f, step == 0);
        let left = NAME_helper_residual(s, given, next, met);
        let shrinks = step < 4 || length_of_change <= 1.1920929e-7f * largest || length_of_change <= last / 2.0f;
        if (!(left.error < solved.error || shrinks)) { break; }
        last = length_of_change;
        next.error = left.error;
        solved = next;
        residual = left;
    }
    return solved;
}

// [rows]
// Rows of J that may depend on each other: J^T P = Q R by Householder reflections. Each takes the row with the largest
// remainder, and puts its largest entry first.
struct NAME_helper_rows {
    n: i32,
    c: i32,
    rank: i32,
    is_clear: bool,
    order: array<i32, SIZE_S>,
    swaps: array<i32, SIZE_S>,
    row: array<f32, SIZE_J>,
    jacobian: array<f32, SIZE_J>,
    image: array<f32, SIZE_S>,
    factor: array<f32, SIZE_S>,
    scale: array<f32, SIZE_S>,
}

// A row is dependent if at most this share of its length is orthogonal to those before it. The rank is clear if each row has
// more than 1/256 of its length, or only rounding errors.
fn NAME_helper_reflect(q: ptr<function, NAME_helper_rows>, share: f32) {
    let n = (*q).n;
    let c = (*q).c;
    let rounding = 256.0f * f32(n + c) * 1.1920929e-7f;
    (*q).rank = 0;
    (*q).is_clear = true;
    for (var r = 0; r < c; r++) { (*q).order[r] = r; }
    for (var k = 0; k < c; k++) {
        var best = k;
        var most = 0.0f;
        for (var r = k; r < c; r++) {
            var left = 0.0f;
            for (var i = k; i < n; i++) { left += (*q).row[r * n + i] * (*q).row[r * n + i]; }
            if (left > most) {
                most = left;
                best = r;
            }
        }
        var whole = 0.0f;
        for (var i = 0; i < n; i++) { whole += (*q).row[best * n + i] * (*q).row[best * n + i]; }
        let fraction = sqrt(most / max(whole, 0.25f));
        (*q).is_clear = (*q).is_clear && (fraction > 0.00390625f || fraction <= rounding);
        if (!(fraction > share)) { break; }
        let swapped = (*q).order[k];
        (*q).order[k] = (*q).order[best];
        (*q).order[best] = swapped;
        var coordinate = k;
        for (var i = 0; i < n; i++) {
            let entry = (*q).row[k * n + i];
            (*q).row[k * n + i] = (*q).row[best * n + i];
            (*q).row[best * n + i] = entry;
            if (i >= k && abs((*q).row[k * n + i]) > abs((*q).row[k * n + coordinate])) { coordinate = i; }
        }
        for (var r = k; r < c; r++) {
            let entry = (*q).row[r * n + k];
            (*q).row[r * n + k] = (*q).row[r * n + coordinate];
            (*q).row[r * n + coordinate] = entry;
        }
        // The sign without cancellation.
        let image = select(-sqrt(most), sqrt(most), (*q).row[k * n + k] < 0.0f);
        (*q).row[k * n + k] -= image;
        var square = 0.0f;
        for (var i = k; i < n; i++) { square += (*q).row[k * n + i] * (*q).row[k * n + i]; }
        (*q).swaps[k] = coordinate;
        (*q).image[k] = image;
        (*q).factor[k] = 2.0f / square;
        for (var r = k + 1; r < c; r++) {
            var along = 0.0f;
            for (var i = k; i < n; i++) { along += (*q).row[k * n + i] * (*q).row[r * n + i]; }
            along *= (*q).factor[k];
            for (var i = k; i < n; i++) { (*q).row[r * n + i] -= along * (*q).row[k * n + i]; }
        }
        (*q).rank += 1;
    }
}

// [null_space]
// Q x
fn NAME_helper_rotated(q: ptr<function, NAME_helper_rows>, given: NAME_helper_column) -> NAME_helper_column {
    var x = given;
    let n = (*q).n;
    for (var k = (*q).rank - 1; k >= 0; k--) {
        var along = 0.0f;
        for (var i = k; i < n; i++) { along += (*q).row[k * n + i] * x.x[i]; }
        along *= (*q).factor[k];
        for (var i = k; i < n; i++) { x.x[i] -= along * (*q).row[k * n + i]; }
        let swapped = x.x[k];
        x.x[k] = x.x[(*q).swaps[k]];
        x.x[(*q).swaps[k]] = swapped;
    }
    return x;
}

// A direction of the null space of J, its largest entry positive.
fn NAME_helper_free_direction(q: ptr<function, NAME_helper_rows>, k: i32) -> NAME_helper_column {
    var unit: NAME_helper_column;
    unit.x[(*q).rank + k] = 1.0f;
    var x = NAME_helper_rotated(q, unit);
    var largest = x.x[0];
    for (var i = 1; i < (*q).n; i++) { if (abs(x.x[i]) > abs(largest)) { largest = x.x[i]; } }
    if (largest < 0.0f) { for (var i = 0; i < (*q).n; i++) { x.x[i] = -x.x[i]; } }
    return x;
}

// A column of the pseudo-inverse of the independent rows of J; zeros for the others.
fn NAME_helper_inverse_column(q: ptr<function, NAME_helper_rows>, k: i32) -> NAME_helper_column {
    var x: NAME_helper_column;
    let n = (*q).n;
    for (var at = 0; at < (*q).rank; at++) {
        var left = select(0.0f, (*q).scale[k], (*q).order[at] == k);
        for (var i = 0; i < at; i++) { left -= (*q).row[at * n + i] * x.x[i]; }
        x.x[at] = left / (*q).image[at];
    }
    return NAME_helper_rotated(q, x);
}

// [independent]
// Whether a row of J has, with each coordinate in units of the square root of its inertia, at most the dependent share of
// the size of the largest row.
fn NAME_helper_is_none(s: ptr<function, NAME_helper_dense>, row: i32) -> bool {
    let n = (*s).n;
    let size = (*s).size;
    var largest = 0.0f;
    var own = 0.0f;
    for (var r = 0; r < size - n; r++) {
        for (var i = 0; i < n; i++) {
            let entry = abs((*s).k[(n + r) * size + i] * (*s).scale[i]);
            largest = max(largest, entry);
            if (r == row) { own = max(own, entry); }
        }
    }
    return own <= 2.44140625e-4f * largest;
}

// The rows of J, measured with each coordinate in units of the square root of its inertia. A row that is none gets the scale
// of the largest row. A row is dependent if at most the given share of it is orthogonal to others.
fn NAME_helper_scaled_rows(s: ptr<function, NAME_helper_dense>, q: ptr<function, NAME_helper_rows>, share: f32) {
    let n = (*s).n;
    let size = (*s).size;
    (*q).n = n;
    (*q).c = size - n;
    var least = 0.0f;
    for (var r = 0; r < size - n; r++) {
        (*q).scale[r] = select((*s).scale[n + r], 0.0f, NAME_helper_is_none(s, r));
        if ((*q).scale[r] > 0.0f && (least == 0.0f || (*q).scale[r] < least)) { least = (*q).scale[r]; }
    }
    for (var r = 0; r < size - n; r++) {
        if ((*q).scale[r] == 0.0f) { (*q).scale[r] = select(1.0f, least, least > 0.0f); }
        for (var i = 0; i < n; i++) {
            (*q).jacobian[r * n + i] = (*s).k[(n + r) * size + i];
            (*q).row[r * n + i] = (*q).jacobian[r * n + i] * (*s).scale[i] * (*q).scale[r];
        }
    }
    NAME_helper_reflect(q, share);
}

// Whether right - J x are small beside the largest row times x, or the largest rate; or whether of velocities x the rates in
// `right` themselves are rounding errors of the largest row times x.
fn NAME_helper_hold(s: ptr<function, NAME_helper_dense>, q: ptr<function, NAME_helper_rows>, given: NAME_helper_column, at: NAME_helper_column, is_velocity: bool) -> bool {
    var right = given;
    var x = at;
    let n = (*q).n;
    var most = 0.0f;
    var sizes = 0.0f;
    var motion = 0.0f;
    for (var i = 0; i < n; i++) { motion = max(motion, abs(x.x[i]) / (*s).scale[i]); }
    for (var k = 0; k < (*q).c; k++) {
        // Rounding errors are at most 1/16 of the share of dependent rows.
        var left = right.x[n + k] * select(1.0f, 16.0f, is_velocity);
        var size = 0.0f;
        for (var i = 0; i < n; i++) {
            if (!is_velocity) { left -= (*q).jacobian[k * n + i] * x.x[i]; }
            size += abs((*q).jacobian[k * n + i]) * (*s).scale[i];
        }
        size = size * motion + select(abs(right.x[n + k]), 0.0f, is_velocity);
        most = max(most, abs(left) * (*q).scale[k]);
        sizes = max(sizes, size * (*q).scale[k]);
    }
    // Smaller terms count as this: those of an acceleration that should be zero.
    return most <= 2.44140625e-4f * (sizes + 1e-30f);
}

// [redundant]
// Puts the equation lambda = 0 in place of each dependent row.
fn NAME_helper_leave_out(s: ptr<function, NAME_helper_dense>, q: ptr<function, NAME_helper_rows>) {
    let size = (*s).size;
    (*s).is_independent = true;
    for (var at = (*q).rank; at < (*q).c; at++) {
        let k = (*s).n + (*q).order[at];
        for (var i = 0; i < size; i++) {
            (*s).k[k * size + i] = 0.0f;
            (*s).k[i * size + k] = 0.0f;
        }
        (*s).k[k * size + k] = -1.0f;
        (*s).scale[k] = 1.0f;
        (*s).column_scale[k] = 1.0f;
    }
}

// [combine]
// T: a dependent row is the sum of independent rows times its entries, all of them multiplied by their scales.
fn NAME_helper_combine(q: ptr<function, NAME_helper_rows>, d: i32) -> NAME_helper_column {
    var t: NAME_helper_column;
    let n = (*q).n;
    for (var k = (*q).rank - 1; k >= 0; k--) {
        var left = (*q).row[d * n + k];
        for (var i = k + 1; i < (*q).rank; i++) { left -= t.x[i] * (*q).row[i * n + k]; }
        t.x[k] = left / (*q).image[k];
    }
    return t;
}

// [undetermined]
// Whether the multiplier of a row has a force of its own: a column of K that is not the one of J^T.
fn NAME_helper_has_force(s: ptr<function, NAME_helper_dense>, row: i32) -> bool {
    let n = (*s).n;
    let size = (*s).size;
    for (var i = 0; i < n; i++) {
        if ((*s).k[i * size + n + row] != -(*s).k[(n + row) * size + i]) { return true; }
    }
    return false;
}

// Whether the rows leave a multiplier with a force of its own undetermined.
fn NAME_helper_is_undetermined(s: ptr<function, NAME_helper_dense>, q: ptr<function, NAME_helper_rows>) -> bool {
    for (var d = (*q).rank; d < (*q).c; d++) {
        if (NAME_helper_has_force(s, (*q).order[d])) { return true; }
        var t = NAME_helper_combine(q, d);
        for (var k = 0; k < (*q).rank; k++) {
            if (abs(t.x[k]) > 2.44140625e-4f && NAME_helper_has_force(s, (*q).order[k])) { return true; }
        }
    }
    return false;
}

// [share_out]
// If it `spreads` multipliers mu of the independent rows over all rows, the least ones with the same J^T lambda: with T J_1
// for the dependent rows, (I + T^T T)^-1 mu, and T times these. Otherwise gathers the rates of all rows in those of the
// independent rows, for which all rows are met in least squares: (I + T^T T)^-1 (gamma_1 + T^T gamma_2).
fn NAME_helper_share_out(q: ptr<function, NAME_helper_rows>, given: NAME_helper_column, spreads: bool) -> NAME_helper_column {
    var values = given;
    var t: array<f32, SIZE_K>;
    var lower: array<f32, SIZE_K>;
    var x: array<f32, SIZE_S>;
    let n = (*q).n;
    let c = (*q).c;
    let rank = (*q).rank;
    for (var k = 0; k < rank; k++) { x[k] = values.x[n + (*q).order[k]]; }
    for (var d = rank; d < c; d++) {
        var combined = NAME_helper_combine(q, d);
        for (var k = 0; k < rank; k++) {
            t[d * c + k] = combined.x[k] * (*q).scale[(*q).order[k]] / (*q).scale[(*q).order[d]];
            if (!spreads) { x[k] += t[d * c + k] * values.x[n + (*q).order[d]]; }
        }
    }
    // L L^T = I + T^T T
    for (var i = 0; i < rank; i++) {
        for (var k = 0; k <= i; k++) {
            var sum = select(0.0f, 1.0f, i == k);
            for (var d = rank; d < c; d++) { sum += t[d * c + i] * t[d * c + k]; }
            for (var d = 0; d < k; d++) { sum -= lower[i * c + d] * lower[k * c + d]; }
            if (i == k) { lower[i * c + k] = sqrt(sum); } else { lower[i * c + k] = sum / lower[k * c + k]; }
        }
        for (var k = 0; k < i; k++) { x[i] -= lower[i * c + k] * x[k]; }
        x[i] /= lower[i * c + i];
    }
    for (var i = rank - 1; i >= 0; i--) {
        for (var k = i + 1; k < rank; k++) { x[i] -= lower[k * c + i] * x[k]; }
        x[i] /= lower[i * c + i];
    }
    for (var k = 0; k < rank; k++) { values.x[n + (*q).order[k]] = x[k]; }
    for (var d = rank; d < c; d++) {
        var sum = 0.0f;
        for (var k = 0; k < rank; k++) { sum += t[d * c + k] * x[k]; }
        values.x[n + (*q).order[d]] = select(0.0f, sum, spreads);
    }
    return values;
}
