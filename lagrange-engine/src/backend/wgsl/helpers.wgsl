// [sign]
fn NAME_helper_sign(x: f32) -> f32 {
    return select(select(0.0f, -1.0f, x < 0.0f), 1.0f, x > 0.0f);
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

// Factors the matrix; whether it is regular.
fn NAME_helper_factor(s: ptr<function, NAME_helper_dense>) -> bool {
    let n = (*s).n;
    let size = (*s).size;
    let tolerance = 8.0f * f32(n) * 1.1920929e-7f;
    var regular = true;
    for (var i = 0; i < size; i++) {
        (*s).rows[i] = i;
        (*s).columns[i] = i;
        for (var j = 0; j < size; j++) { (*s).lu[i * size + j] = (*s).k[i * size + j] * (*s).scale[i] * (*s).column_scale[j]; }
    }
    for (var k = 0; k < size; k++) {
        var row = k;
        var column = k;
        var most = -1.0f;
        for (var i = k; i < size; i++) {
            for (var j = k; j < size; j++) {
                if (abs((*s).lu[i * size + j]) > most) {
                    most = abs((*s).lu[i * size + j]);
                    row = i;
                    column = j;
                }
            }
        }
        if (!(most > tolerance)) { regular = false; }
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
    if (is_checked && NAME_helper_is_dependent(s)) { return 2; }
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
        let met = select(select(16.0f, 3.0f, step == 1), -1.0f, step == 0);
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
