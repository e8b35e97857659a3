/* [functions] */
#define MACRO_F1(name, x) \
    (sizeof(NAME_real) == sizeof(float) ? (NAME_real)name##f((float)(x)) : (NAME_real)name((double)(x)))
/* [functions_of_two] */
#define MACRO_F2(name, x, y)                                                        \
    (sizeof(NAME_real) == sizeof(float) ? (NAME_real)name##f((float)(x), (float)(y)) \
                                        : (NAME_real)name((double)(x), (double)(y)))
/* [divided] */
/* a / b. On a device by the fast reciprocal and Newton steps: the slow path of a division is a branch. */
#if defined(__CUDA_ARCH__) || defined(MACRO_DEVICE_MATH)
static float NAME_helper_reciprocal(float b)
{
#ifdef __CUDA_ARCH__
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
#else
    float r = 1.0f / b;
#endif
    return r;
}
static double NAME_helper_reciprocal(double b)
{
#ifdef __CUDA_ARCH__
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
#else
    double r = (double)(1.0f / (float)b);
#endif
    r = fma(r, fma(-b, r, 1.0), r);
    r = fma(r, fma(-b, r, 1.0), r);
    return fma(r, fma(-b, r, 1.0), r);
}
static float NAME_helper_divided(float a, float b)
{
    const float r = NAME_helper_reciprocal(b), q = a * r;
    return fmaf(fmaf(-b, q, a), r, q);
}
static double NAME_helper_divided(double a, double b)
{
    const double r = NAME_helper_reciprocal(b), q = a * r;
    return fma(fma(-b, q, a), r, q);
}
#else
static NAME_real NAME_helper_divided(NAME_real a, NAME_real b)
{
    return a / b;
}
#endif
/* [sin_cos] */
/* Sine and cosine of an angle of ordinary size; returns whether it is one. On a device there is no branch: three parts of
   pi/2 are taken away, and polynomials take over (those of fdlibm in double and of Cephes in single precision). */
#if defined(__CUDA_ARCH__) || defined(MACRO_DEVICE_MATH)
static int NAME_helper_sin_cos_of_small(double x, double *s, double *c)
{
    const double turns = rint(x * 0.63661977236758134308);
    const int quadrant = (int)turns;
    double r = fma(turns, -1.5707963267948966, x), z, sine, cosine;
    r = fma(turns, -6.123233995736766e-17, r);
    r = fma(turns, 1.4973849048591833e-33, r);
    z = r * r;
    sine = fma(z, 1.58969099521155010221e-10, -2.50507602534068634195e-08);
    sine = fma(z, sine, 2.75573137070700676789e-06);
    sine = fma(z, sine, -1.98412698298579493134e-04);
    sine = fma(z, sine, 8.33333333332248946124e-03);
    sine = fma(z, sine, -1.66666666666666324348e-01);
    sine = fma(z * r, sine, r);
    cosine = fma(z, -1.13596475577881948265e-11, 2.08757232129817482790e-09);
    cosine = fma(z, cosine, -2.75573143513906633035e-07);
    cosine = fma(z, cosine, 2.48015872894767294178e-05);
    cosine = fma(z, cosine, -1.38888888888741095749e-03);
    cosine = fma(z, cosine, 4.16666666666666019037e-02);
    cosine = fma(z * z, cosine, fma(z, -0.5, 1.0));
    *s = quadrant & 1 ? cosine : sine;
    *c = quadrant & 1 ? sine : cosine;
    if (quadrant & 2) *s = -*s;
    if ((quadrant + 1) & 2) *c = -*c;
    return fabs(x) < 1e5;
}
static int NAME_helper_sin_cos_of_small(float x, float *s, float *c)
{
    const float turns = rintf(x * 0.636619772f);
    const int quadrant = (int)turns;
    float r = fmaf(turns, -1.57079637f, x), z, sine, cosine;
    r = fmaf(turns, 4.37113900e-8f, r);
    r = fmaf(turns, 1.71512451e-15f, r);
    z = r * r;
    sine = fmaf(z, -1.9515295891e-4f, 8.3321608736e-3f);
    sine = fmaf(z, sine, -1.6666654611e-1f);
    sine = fmaf(z * r, sine, r);
    cosine = fmaf(z, 2.443315711809948e-5f, -1.388731625493765e-3f);
    cosine = fmaf(z, cosine, 4.166664568298827e-2f);
    cosine = fmaf(z * z, cosine, fmaf(z, -0.5f, 1.0f));
    *s = quadrant & 1 ? cosine : sine;
    *c = quadrant & 1 ? sine : cosine;
    if (quadrant & 2) *s = -*s;
    if ((quadrant + 1) & 2) *c = -*c;
    return fabsf(x) < 5e4f;
}
#else
static int NAME_helper_sin_cos_of_small(NAME_real x, NAME_real *s, NAME_real *c)
{
    *s = MACRO_F1(sin, x);
    *c = MACRO_F1(cos, x);
    return 1;
}
#endif

/* The library's for large angles: calls, whose code is apart. */
static NAME_apart NAME_real NAME_helper_sine_of_large(NAME_real x)
{
    return MACRO_F1(sin, x);
}
static NAME_apart NAME_real NAME_helper_cosine_of_large(NAME_real x)
{
    return MACRO_F1(cos, x);
}

static void NAME_helper_sin_cos(NAME_real x, NAME_real *s, NAME_real *c)
{
    if (!NAME_helper_sin_cos_of_small(x, s, c)) {
        *s = NAME_helper_sine_of_large(x);
        *c = NAME_helper_cosine_of_large(x);
    }
}
/* [sign] */
/* -1, 0 or 1, and NaN of NaN. */
static NAME_real NAME_helper_sign(NAME_real x)
{
    return x > 0 ? (NAME_real)1 : x < 0 ? (NAME_real)-1 : x;
}
/* [polynomial] */
/* The number of breaks up to x, which is that of the piece. */
static int NAME_helper_piece(NAME_real x, NAME_real scale, int count, const NAME_real *breaks)
{
    int low = 0, high = count;
    if (scale > 0) {
        /* The product is rounded: the piece may be a neighbour. */
        const NAME_real near = (x - breaks[0]) * scale;
        low = near >= (NAME_real)(count - 1) ? count - 1 : near > 0 ? (int)near : 0;
        if (!(breaks[low] <= x)) return low;
        low++;
        return low < count && breaks[low] <= x ? low + 1 : low;
    }
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (breaks[middle] <= x) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* A derivative of a polynomial of degree 3. */
static NAME_real NAME_helper_polynomial(NAME_real x, int order, const NAME_real *c)
{
    switch (order) {
    case 0: return ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
    case 1: return (3 * c[3] * x + 2 * c[2]) * x + c[1];
    case 2: return 2 * (3 * c[3] * x + c[2]);
    case 3: return 0 * x + 6 * c[3];
    default: return 0 * x;
    }
}
/* [curve] */
/* A derivative of a curve, at a break that of the side to the right. */
static NAME_real NAME_helper_curve(NAME_real x, int order, NAME_real scale, int count, const NAME_real *breaks, const NAME_real *pieces)
{
    const int piece = NAME_helper_piece(x, scale, count, breaks);
    return NAME_helper_polynomial(x - breaks[piece > 0 ? piece - 1 : 0], order, pieces + 4 * piece);
}
/* [controls] */
/* The same of a uniform cubic B-spline with these control values. */
static NAME_real NAME_helper_spline_by_controls(NAME_real x, int order, NAME_real scale, int count, const NAME_real *breaks, const NAME_real *controls)
{
    const int piece = NAME_helper_piece(x, scale, count, breaks);
    const int first = piece > 0 ? piece - 1 : 0;
    const NAME_real *const c = controls + first;
    NAME_real all[4];
    all[0] = (c[0] + 4 * c[1] + c[2]) / 6;
    all[1] = (c[2] - c[0]) / 2 * scale;
    all[2] = 0;
    all[3] = 0;
    if (piece > 0 && piece < count) {
        all[2] = (c[0] - 2 * c[1] + c[2]) / 2 * scale * scale;
        all[3] = (c[3] - c[0] + 3 * (c[1] - c[2])) / 6 * scale * scale * scale;
    }
    return NAME_helper_polynomial(x - breaks[first], order, all);
}
/* [powi] */
static NAME_real NAME_helper_powi(NAME_real x, int n)
{
    NAME_real power = 1;
    unsigned int rest = n < 0 ? 0u - (unsigned int)n : (unsigned int)n;
    for (; rest > 0; rest /= 2) {
        if (rest % 2) power *= x;
        x *= x;
    }
    return n < 0 ? 1 / power : power;
}
/* [epsilon] */
static NAME_real NAME_helper_epsilon(void)
{
    return sizeof(NAME_real) == sizeof(float) ? (NAME_real)1.1920929e-7 : (NAME_real)2.220446049250313e-16;
}
/* [constant] */
/* A constant of this precision. */
static NAME_real NAME_helper_constant(double of_single, double of_double)
{
    return (NAME_real)(sizeof(NAME_real) == sizeof(float) ? of_single : of_double);
}
/* [sum] */
static NAME_real NAME_helper_sum(const NAME_real *x, int n)
{
    NAME_real sum = 0;
    int i;
    for (i = 0; i < n; i++) sum += x[i];
    return sum;
}
/* [sum_of_sizes] */
static NAME_real NAME_helper_sum_of_sizes(const NAME_real *x, int n)
{
    NAME_real sum = 0;
    int i;
    for (i = 0; i < n; i++) sum += MACRO_F1(fabs, x[i]);
    return sum;
}
/* [finite] */
static int NAME_helper_all_finite(const NAME_real *x, int n)
{
    NAME_real sum = 0;
    int i;
    for (i = 0; i < n; i++) sum += x[i] * 0;
    return sum == 0;
}
/* [pivots] */
/* Whether pivots of L D L^T are regular: the entries of M that are pivots themselves, and others by their share. */
static int NAME_helper_pivots(const NAME_real *entries, int n, const NAME_real *reduced, const NAME_real *diagonal, int m,
                       NAME_real share, NAME_real floor)
{
    int i, regular = 1;
    for (i = 0; i < n; i++) regular &= entries[i] > floor;
    for (i = 0; i < m; i++) regular &= reduced[i] > share * diagonal[i] + floor;
    return regular;
}
/* [regular] */
/* Whether each pivot exceeds a share of its diagonal entry. */
static int NAME_helper_regular(const NAME_real *pivots, const NAME_real *diagonal, int n, NAME_real share)
{
    int i, regular = 1;
    for (i = 0; i < n; i++) regular &= pivots[i] > share * diagonal[i] && share * diagonal[i] > 0;
    return regular;
}
/* [significant] */
/* J with zeros for each row whose entries are rounding errors by their bounds. */
static void NAME_helper_significant(int n, int c, const NAME_real *j, const NAME_real *bounds, NAME_real *kept)
{
    const NAME_real unit = (NAME_real)(n + c) * NAME_helper_epsilon();
    int row, i;
    for (row = 0; row < c; row++) {
        int is_rounding = 1;
        for (i = row * n; i < (row + 1) * n; i++)
            is_rounding &= MACRO_F1(fabs, j[i]) <= unit * bounds[i] && bounds[i] - bounds[i] == 0;
        for (i = row * n; i < (row + 1) * n; i++) kept[i] = is_rounding ? 0 : j[i];
    }
}
/* [limits] */
/* The largest residuals that count as rounding errors by their bounds. Below the least normal number rounding is no longer
   relative. */
static void NAME_helper_limits(int n, const NAME_real *bounds, NAME_real *limits)
{
    const int is_single = sizeof(NAME_real) == sizeof(float);
    const NAME_real least = (NAME_real)(is_single ? 1.1754944e-38 : 2.2250738585072014e-308);
    int i;
    for (i = 0; i < n; i++) {
        limits[i] = 2 * NAME_helper_epsilon() * bounds[i] + least;
        if (limits[i] - limits[i] != 0) limits[i] = 0;
    }
}
/* [within] */
static int NAME_helper_within(const NAME_real *values, const NAME_real *limits, int n, NAME_real times)
{
    int i, within = 1;
    for (i = 0; i < n; i++) within &= MACRO_F1(fabs, values[i]) * times <= limits[i];
    return within;
}
/* [equal] */
static int NAME_helper_equal(const NAME_real *a, const NAME_real *b, int n)
{
    int i, equal = 1;
    for (i = 0; i < n; i++) equal &= a[i] == b[i];
    return equal;
}
/* [changes] */
/* The wanted changes of residuals: none of those within their limits. */
static void NAME_helper_changes(int n, const NAME_real *residuals, const NAME_real *limits, NAME_real *changes)
{
    int i;
    for (i = 0; i < n; i++) changes[i] = MACRO_F1(fabs, residuals[i]) <= limits[i] ? 0 : -residuals[i];
}
/* [remaining] */
/* The largest residual beyond its limit, each divided by the largest entry of its row of J. */
static NAME_real NAME_helper_remaining(int n, int c, const NAME_real *residuals, const NAME_real *limits, const NAME_real *j)
{
    NAME_real most = 0;
    int row, i;
    for (row = 0; row < c; row++) {
        NAME_real size = 0;
        if (MACRO_F1(fabs, residuals[row]) <= limits[row]) continue;
        for (i = row * n; i < (row + 1) * n; i++)
            if (MACRO_F1(fabs, j[i]) > size) size = MACRO_F1(fabs, j[i]);
        size = MACRO_F1(fabs, residuals[row]) / size;
        if (size > most) most = size;
    }
    return most;
}
/* [product] */
/* Quaternions are x, y, z, w. */
static void NAME_helper_quaternion_product(const NAME_real *a, const NAME_real *b, NAME_real *p)
{
    p[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    p[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    p[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    p[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* [normalised] */
/* Of unit length; the largest entry is divided out first, so that squares neither overflow nor underflow. */
static void NAME_helper_normalised(const NAME_real *q, NAME_real *unit)
{
    NAME_real largest = 0, square = 0, length;
    int i;
    for (i = 0; i < 4; i++) {
        const NAME_real size = MACRO_F1(fabs, q[i]);
        if (!(size <= largest)) largest = size;
    }
    for (i = 0; i < 4; i++) {
        unit[i] = q[i] / largest;
        square += unit[i] * unit[i];
    }
    length = MACRO_F1(sqrt, square);
    for (i = 0; i < 4; i++) unit[i] /= length;
}

/* [length] */
static NAME_real NAME_helper_length(const NAME_real *x)
{
    const NAME_real square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    return MACRO_F1(sqrt, square);
}

/* [moved] */
/* q exp(d) */
static void NAME_helper_moved(const NAME_real *q, const NAME_real *d, NAME_real *moved)
{
    const NAME_real half = NAME_helper_length(d) / 2;
    const NAME_real factor =
        half < (NAME_real)1e-4 ? (1 - half * half / 6) / 2 : MACRO_F1(sin, half) / half / 2;
    NAME_real turn[4], product[4];
    turn[0] = d[0] * factor;
    turn[1] = d[1] * factor;
    turn[2] = d[2] * factor;
    turn[3] = MACRO_F1(cos, half);
    NAME_helper_quaternion_product(q, turn, product);
    NAME_helper_normalised(product, moved);
}
/* [difference] */
/* The displacement between two orientations, at most pi long. */
static void NAME_helper_quaternion_difference(const NAME_real *from, const NAME_real *to, NAME_real *d)
{
    NAME_real back[4], turn[4], sine, ratio, factor;
    int i;
    for (i = 0; i < 3; i++) back[i] = -from[i];
    back[3] = from[3];
    NAME_helper_quaternion_product(back, to, turn);
    if (turn[3] < 0)
        for (i = 0; i < 4; i++) turn[i] = -turn[i];
    sine = NAME_helper_length(turn);
    ratio = sine / turn[3];
    factor = ratio < (NAME_real)1e-4 ? (2 - ratio * ratio * 2 / 3) / turn[3]
                                     : 2 * MACRO_F2(atan2, sine, turn[3]) / sine;
    for (i = 0; i < 3; i++) d[i] = turn[i] * factor;
}
/* [matrix] */
static void NAME_helper_rotation_matrix(const NAME_real *q, NAME_real *r)
{
    NAME_real unit[4], x, y, z, w;
    NAME_helper_normalised(q, unit);
    x = unit[0], y = unit[1], z = unit[2], w = unit[3];
    r[0] = 1 - 2 * (y * y + z * z), r[1] = 2 * (x * y - z * w), r[2] = 2 * (x * z + y * w);
    r[3] = 2 * (x * y + z * w), r[4] = 1 - 2 * (x * x + z * z), r[5] = 2 * (y * z - x * w);
    r[6] = 2 * (x * z - y * w), r[7] = 2 * (y * z + x * w), r[8] = 1 - 2 * (x * x + y * y);
}
/* [dense] */
/* Dense solution of M a = f + K lambda, J a = gamma by iterative refinement. If K = J^T, with L D L^T of the scaled matrix
   without pivoting; otherwise, or if pivots are small or an equation is not met, with complete pivoting of [M -K; J 0]. */
/* Rows of the arrays: one more than there are, since compilers warn of loops up to the last one. */
enum { MACRO_ROWS = SIZE_S + 1, MACRO_VELOCITIES = SIZE_N };

typedef struct {
    int n, size, is_symmetric, is_independent, is_quick;
    NAME_real k[MACRO_ROWS][MACRO_ROWS], lu[MACRO_ROWS][MACRO_ROWS], scale[MACRO_ROWS], column_scale[MACRO_ROWS];
    int row[MACRO_ROWS], column[MACRO_ROWS];
} NAME_helper_dense;

/* A power of two near 1 / x^(1/n). */
static NAME_real NAME_helper_power(NAME_real x, int n)
{
    int exponent;
    if (!(x > 0) || x - x != 0) return 1;
    (void)frexp((double)x, &exponent);
    /* Of 2^e <= x, divided by n and rounded down. */
    exponent--;
    if (exponent < 0) exponent -= n - 1;
    return (NAME_real)ldexp(1.0, -(exponent / n));
}

/* Powers of two that bring the diagonal of M, the largest entry of each row of J and that of each column of K to about 1. */
static void NAME_helper_scales(NAME_helper_dense *s)
{
    const int n = s->n;
    int i, j;
    for (i = 0; i < n; i++) {
        NAME_real largest = 0, entry = MACRO_F1(fabs, s->k[i][i]);
        for (j = 0; j < n; j++)
            if (MACRO_F1(fabs, s->k[i][j]) > largest) largest = MACRO_F1(fabs, s->k[i][j]);
        s->scale[i] = entry > 0 ? NAME_helper_power(entry, 2) : NAME_helper_power(largest, 1);
    }
    for (i = n; i < s->size; i++) {
        NAME_real largest = 0;
        for (j = 0; j < n; j++)
            if (MACRO_F1(fabs, s->k[i][j] * s->scale[j]) > largest)
                largest = MACRO_F1(fabs, s->k[i][j] * s->scale[j]);
        s->scale[i] = NAME_helper_power(largest, 1);
    }
    for (i = 0; i < s->size; i++) {
        NAME_real largest = 0;
        for (j = 0; j < n; j++)
            if (MACRO_F1(fabs, s->k[j][i] * s->scale[j]) > largest)
                largest = MACRO_F1(fabs, s->k[j][i] * s->scale[j]);
        s->column_scale[i] = i < n ? s->scale[i] : NAME_helper_power(largest, 1);
    }
}

/* Whether a row of J adds nothing to those above it: Gram-Schmidt, each row orthogonalised twice. Units do not matter,
   since each row has a scale of its own, and so has each coordinate by its inertia. */
static int NAME_helper_is_dependent(const NAME_helper_dense *s)
{
    NAME_real basis[MACRO_ROWS][MACRO_VELOCITIES];
    const int n = s->n, c = s->size - n;
    const NAME_real tau = (NAME_real)s->size * NAME_helper_epsilon();
    int row, i, other, pass;
    for (row = 0; row < c; row++) {
        NAME_real *left = basis[row], size = 0, before = 0, after = 0;
        for (i = 0; i < n; i++) {
            left[i] = s->k[n + row][i] * s->scale[i];
            if (MACRO_F1(fabs, left[i]) > size) size = MACRO_F1(fabs, left[i]);
        }
        if (size == 0) return 1;
        for (i = 0; i < n; i++) {
            left[i] /= size;
            before += left[i] * left[i];
        }
        for (pass = 0; pass < 2; pass++)
            for (other = 0; other < row; other++) {
                NAME_real along = 0;
                for (i = 0; i < n; i++) along += basis[other][i] * left[i];
                for (i = 0; i < n; i++) left[i] -= along * basis[other][i];
            }
        for (i = 0; i < n; i++) after += left[i] * left[i];
        after = MACRO_F1(sqrt, after);
        if (!(after > 4 * tau * MACRO_F1(sqrt, before))) return 1;
        for (i = 0; i < n; i++) left[i] /= after;
    }
    return 0;
}

/* L D L^T of [M J^T; J 0] by the lower triangle of K; whether the pivots of M and of J M^-1 J^T are regular. */
static int NAME_helper_factor_quickly(NAME_helper_dense *s)
{
    const int n = s->n, size = s->size;
    int i, j, k;
    for (i = 0; i < size; i++) {
        /* Pivots of J M^-1 J^T have the other sign. */
        const NAME_real sign = (NAME_real)(i < n ? 1 : -1);
        const NAME_real share = MACRO_F1(sqrt, (NAME_real)(i < n ? n : size - n) * NAME_helper_epsilon());
        NAME_real pivot = s->k[i][i] * s->scale[i] * s->scale[i], diagonal = pivot;
        for (j = 0; j < i; j++) {
            NAME_real sum = s->k[i][j] * s->scale[i] * s->scale[j];
            for (k = 0; k < j; k++) sum -= s->lu[i][k] * s->lu[j][k];
            s->lu[i][j] = sum;
        }
        for (k = 0; k < i; k++) {
            const NAME_real product = s->lu[i][k];
            if (k == n) diagonal = pivot;
            s->lu[i][k] = product / s->lu[k][k];
            pivot -= product * s->lu[i][k];
        }
        if (i == n) diagonal = pivot;
        if (!(sign * pivot > share * sign * diagonal)) return 0;
        s->lu[i][i] = pivot;
    }
    return 1;
}

/* Factors K; whether it is regular. The rows of J come first: so a row of which only a small share is orthogonal to others
   has this share as its pivot, and not the square. */
static int NAME_helper_factor(NAME_helper_dense *s)
{
    const int n = s->n, size = s->size, c = size - n;
    const NAME_real tolerance = 8 * (NAME_real)n * NAME_helper_epsilon();
    int i, j, k, regular = 1;
    for (i = 0; i < size; i++) {
        const int row = i < c ? n + i : i - c;
        s->row[i] = row;
        s->column[i] = i;
        for (j = 0; j < size; j++) s->lu[i][j] = s->k[row][j] * s->scale[row] * s->column_scale[j];
    }
    for (k = 0; k < size; k++) {
        const int end = k < c ? c : size;
        int row = k, column = k, swapped;
        NAME_real most = -1;
        for (i = k; i < end; i++)
            for (j = k; j < size; j++)
                if (MACRO_F1(fabs, s->lu[i][j]) > most) {
                    most = MACRO_F1(fabs, s->lu[i][j]);
                    row = i;
                    column = j;
                }
        if (!(most > (k < c ? 0 : tolerance))) regular = 0;
        for (j = 0; j < size; j++) {
            const NAME_real entry = s->lu[k][j];
            s->lu[k][j] = s->lu[row][j];
            s->lu[row][j] = entry;
        }
        for (i = 0; i < size; i++) {
            const NAME_real entry = s->lu[i][k];
            s->lu[i][k] = s->lu[i][column];
            s->lu[i][column] = entry;
        }
        swapped = s->row[k], s->row[k] = s->row[row], s->row[row] = swapped;
        swapped = s->column[k], s->column[k] = s->column[column], s->column[column] = swapped;
        for (i = k + 1; i < size; i++) {
            const NAME_real factor = s->lu[i][k] / s->lu[k][k];
            s->lu[i][k] = factor;
            for (j = k + 1; j < size; j++) s->lu[i][j] -= factor * s->lu[k][j];
        }
    }
    return regular;
}

static void NAME_helper_substitute(const NAME_helper_dense *s, const NAME_real *right, NAME_real *x)
{
    NAME_real y[MACRO_ROWS] = {0};
    int i, j;
    if (s->is_quick) {
        for (i = 0; i < s->size; i++) {
            y[i] = right[i] * s->scale[i];
            for (j = 0; j < i; j++) y[i] -= s->lu[i][j] * y[j];
        }
        for (i = 0; i < s->size; i++) y[i] /= s->lu[i][i];
        for (i = s->size - 1; i >= 0; i--)
            for (j = 0; j < i; j++) y[j] -= s->lu[i][j] * y[i];
        for (i = 0; i < s->size; i++) x[i] = (i < s->n ? y[i] : -y[i]) * s->scale[i];
        return;
    }
    for (i = 0; i < s->size; i++) {
        y[i] = right[s->row[i]] * s->scale[s->row[i]];
        for (j = 0; j < i; j++) y[i] -= s->lu[i][j] * y[j];
    }
    for (i = s->size - 1; i >= 0; i--) {
        for (j = i + 1; j < s->size; j++) y[i] -= s->lu[i][j] * y[j];
        y[i] /= s->lu[i][i];
    }
    for (i = 0; i < s->size; i++) x[s->column[i]] = y[i] * s->column_scale[s->column[i]];
}

/* What x leaves of the equations, nothing of those that are met to so many eps; the largest backward error in eps. */
static NAME_real NAME_helper_residual(const NAME_helper_dense *s, const NAME_real *right, const NAME_real *x, NAME_real met,
                               NAME_real *residual)
{
    NAME_real largest = 0;
    int i, j;
    for (i = 0; i < s->size; i++) {
        NAME_real left = right[i], error;
        NAME_real terms =
            MACRO_F1(fabs, left) + (sizeof(NAME_real) == sizeof(float) ? (NAME_real)1e-30 : (NAME_real)1e-290);
        for (j = 0; j < s->size; j++) {
            const NAME_real product = s->k[i][j] * x[j];
            left -= product;
            terms += MACRO_F1(fabs, product);
        }
        error = MACRO_F1(fabs, left) / (NAME_helper_epsilon() * terms);
        if (!(error <= largest)) largest = error;
        residual[i] = error <= met ? 0 : left;
    }
    return largest;
}

static NAME_real NAME_helper_refined(const NAME_helper_dense *s, const NAME_real *right, NAME_real *x)
{
    NAME_real residual[MACRO_ROWS] = {0}, change[MACRO_ROWS] = {0}, next[MACRO_ROWS] = {0}, left[MACRO_ROWS] = {0};
    NAME_real error, last = 0;
    int step, i;
    NAME_helper_substitute(s, right, x);
    error = NAME_helper_residual(s, right, x, -1, residual);
    for (step = 0; step < 30 && !(error <= 3); step++) {
        NAME_real remaining, size = 0, largest = 0;
        NAME_helper_substitute(s, residual, change);
        for (i = 0; i < s->size; i++) {
            next[i] = x[i] + change[i];
            if (MACRO_F1(fabs, change[i]) > size) size = MACRO_F1(fabs, change[i]);
            if (MACRO_F1(fabs, next[i]) > largest) largest = MACRO_F1(fabs, next[i]);
        }
        remaining = NAME_helper_residual(s, right, next, (NAME_real)(step == 0 ? -1 : step == 1 ? 3 : MOST_ERROR / 2), left);
        if (!(remaining < error || step < 4 || size <= NAME_helper_epsilon() * largest || size <= last / 2)) break;
        last = size;
        error = remaining;
        for (i = 0; i < s->size; i++) {
            x[i] = next[i];
            residual[i] = left[i];
        }
    }
    return error;
}

/* Factors with pivoting; the error of the matrix. */
static int NAME_helper_factor_carefully(NAME_helper_dense *s, int is_checked)
{
    s->is_quick = 0;
    if (is_checked && !s->is_independent && NAME_helper_is_dependent(s)) return 2;
    return !NAME_helper_factor(s) && is_checked;
}

/* The matrix of M, J and K; without K of M, J and J^T. */
static NAME_apart void NAME_helper_dense_set(NAME_helper_dense *s, int n, int c, const NAME_real *m, const NAME_real *j, const NAME_real *forces)
{
    int i, k;
    s->n = n;
    s->size = n + c;
    s->is_symmetric = !forces;
    s->is_independent = 0;
    for (i = 0; i < s->size; i++)
        for (k = 0; k < s->size; k++) s->k[i][k] = 0;
    for (i = 0; i < n; i++) {
        for (k = 0; k < n; k++) s->k[i][k] = m[i * n + k];
        for (k = 0; k < c; k++) {
            s->k[i][n + k] = forces ? -forces[i * c + k] : -j[k * n + i];
            s->k[n + k][i] = j[k * n + i];
        }
    }
    NAME_helper_scales(s);
}

/* Factors the matrix; its error. */
static NAME_apart int NAME_helper_dense_factor(NAME_helper_dense *s, int is_checked)
{
    s->is_quick = s->is_symmetric && NAME_helper_factor_quickly(s);
    return s->is_quick ? 0 : NAME_helper_factor_carefully(s, is_checked);
}

/* The solution for one right-hand side; its error. */
static NAME_apart int NAME_helper_dense_column(NAME_helper_dense *s, int is_checked, const NAME_real *right, NAME_real *x)
{
    NAME_real error = NAME_helper_refined(s, right, x);
    if (s->is_quick && !(error <= MOST_ERROR && NAME_helper_all_finite(x, s->size))) {
        const int status = NAME_helper_factor_carefully(s, is_checked);
        if (status != 0) return status;
        error = NAME_helper_refined(s, right, x);
    }
    if (is_checked && !NAME_helper_all_finite(x, s->size)) return 4;
    return is_checked && !(error <= MOST_ERROR);
}

/* [solve] */
static int NAME_helper_dense_solve(int n, int c, int count, int is_checked, const NAME_real *m, const NAME_real *j,
                            const NAME_real *forces, const NAME_real *f, const NAME_real *gamma, NAME_real *a, NAME_real *lambda)
{
    NAME_real right[MACRO_ROWS] = {0}, x[MACRO_ROWS] = {0};
    NAME_helper_dense s;
    int i, k, at, status;
    if (is_checked && !(NAME_helper_all_finite(m, n * n) && NAME_helper_all_finite(j, c * n) && NAME_helper_all_finite(f, count * n) &&
                        NAME_helper_all_finite(gamma, count * c) && (!forces || NAME_helper_all_finite(forces, n * c))))
        return 4;
    NAME_helper_dense_set(&s, n, c, m, j, forces);
    status = NAME_helper_dense_factor(&s, is_checked);
    if (status != 0) return status;
    for (at = 0; at < count; at++) {
        for (i = 0; i < n; i++) right[i] = f[at * n + i];
        for (k = 0; k < c; k++) right[n + k] = gamma[at * c + k];
        status = NAME_helper_dense_column(&s, is_checked, right, x);
        if (status != 0) return status;
        for (i = 0; i < n; i++) a[at * n + i] = x[i];
        for (k = 0; k < c; k++) lambda[at * c + k] = x[n + k];
    }
    return 0;
}
/* [rows] */
/* Rows of J that may depend on each other: J^T P = Q R by Householder reflections. Each takes the row with the largest
   remainder, and puts its largest entry first. */
typedef struct {
    int rank, is_clear, order[MACRO_ROWS], swap[MACRO_ROWS];
    NAME_real row[MACRO_ROWS][MACRO_ROWS], image[MACRO_ROWS], factor[MACRO_ROWS], scale[MACRO_ROWS];
} NAME_helper_rows;

/* A row is dependent if at most this share of it is orthogonal to others. Its residual may be this share of the terms. */
static NAME_real NAME_helper_dependent_share(void)
{
    return sizeof(NAME_real) == sizeof(float) ? (NAME_real)2.44140625e-4 : (NAME_real)1.4901161193847656e-8;
}

/* A row is dependent if at most this share of its length is orthogonal to those before it. The rank is clear if each row has
   more than 1/256 of its length, or only rounding errors. */
static void NAME_helper_reflect(NAME_helper_rows *q, int n, int c, NAME_real share)
{
    const NAME_real rounding = 256 * (NAME_real)(n + c) * NAME_helper_epsilon();
    int k, i, r;
    q->rank = 0;
    q->is_clear = 1;
    for (r = 0; r < c; r++) q->order[r] = r;
    for (k = 0; k < c; k++) {
        int best = k, coordinate = k, swapped;
        NAME_real most = 0, whole = 0, square = 0, fraction, image;
        for (r = k; r < c; r++) {
            NAME_real left = 0;
            for (i = k; i < n; i++) left += q->row[r][i] * q->row[r][i];
            if (left > most) {
                most = left;
                best = r;
            }
        }
        for (i = 0; i < n; i++) whole += q->row[best][i] * q->row[best][i];
        fraction = most / (whole > (NAME_real)0.25 ? whole : (NAME_real)0.25);
        fraction = MACRO_F1(sqrt, fraction);
        q->is_clear &= fraction > (NAME_real)0.00390625 || fraction <= rounding;
        if (!(fraction > share)) break;
        swapped = q->order[k], q->order[k] = q->order[best], q->order[best] = swapped;
        for (i = 0; i < n; i++) {
            const NAME_real entry = q->row[k][i];
            q->row[k][i] = q->row[best][i];
            q->row[best][i] = entry;
        }
        for (i = k; i < n; i++)
            if (MACRO_F1(fabs, q->row[k][i]) > MACRO_F1(fabs, q->row[k][coordinate])) coordinate = i;
        for (r = k; r < c; r++) {
            const NAME_real entry = q->row[r][k];
            q->row[r][k] = q->row[r][coordinate];
            q->row[r][coordinate] = entry;
        }
        /* The sign without cancellation. */
        image = MACRO_F1(sqrt, most);
        if (!(q->row[k][k] < 0)) image = -image;
        q->row[k][k] -= image;
        for (i = k; i < n; i++) square += q->row[k][i] * q->row[k][i];
        q->swap[k] = coordinate;
        q->image[k] = image;
        q->factor[k] = 2 / square;
        for (r = k + 1; r < c; r++) {
            NAME_real along = 0;
            for (i = k; i < n; i++) along += q->row[k][i] * q->row[r][i];
            along *= q->factor[k];
            for (i = k; i < n; i++) q->row[r][i] -= along * q->row[k][i];
        }
        q->rank++;
    }
}

/* [null_space] */
/* Q x */
static void NAME_helper_rotate(const NAME_helper_rows *q, int n, NAME_real *x)
{
    int i, k;
    for (k = q->rank - 1; k >= 0; k--) {
        NAME_real along = 0, swapped;
        for (i = k; i < n; i++) along += q->row[k][i] * x[i];
        along *= q->factor[k];
        for (i = k; i < n; i++) x[i] -= along * q->row[k][i];
        swapped = x[k], x[k] = x[q->swap[k]], x[q->swap[k]] = swapped;
    }
}

/* An orthonormal basis of the null space of J, the largest entry of each column positive, and the pseudo-inverse of
   independent rows, with zeros for the others; 2 if J does not have this rank. Rows are in units of their largest entries,
   but for rows that are none beside the largest one if rows depend on each other. */
static int NAME_helper_null_space(int n, int c, int rank, const NAME_real *j, NAME_real *basis, NAME_real *inverse)
{
    const NAME_real rounding = 4 * (NAME_real)(n + c) * NAME_helper_epsilon();
    NAME_helper_rows q;
    NAME_real x[MACRO_ROWS] = {0}, size[MACRO_ROWS] = {0}, most = 0;
    int at, i, k;
    for (k = 0; k < c; k++) {
        for (i = k * n; i < (k + 1) * n; i++)
            if (MACRO_F1(fabs, j[i]) > size[k]) size[k] = MACRO_F1(fabs, j[i]);
        if (size[k] > most) most = size[k];
    }
    for (k = 0; k < c; k++) {
        const int is_none = rank < c && size[k] <= NAME_helper_dependent_share() * most;
        q.scale[k] = NAME_helper_power(is_none ? most : size[k], 1);
        for (i = 0; i < n; i++) q.row[k][i] = j[k * n + i] * q.scale[k];
    }
    NAME_helper_reflect(&q, n, c, rank < c ? NAME_helper_dependent_share() : rounding);
    if (q.rank != rank) return 2;
    for (k = 0; k < n - rank; k++) {
        int largest = 0;
        for (i = 0; i < n; i++) x[i] = (NAME_real)(i == rank + k);
        NAME_helper_rotate(&q, n, x);
        for (i = 0; i < n; i++)
            if (MACRO_F1(fabs, x[i]) > MACRO_F1(fabs, x[largest])) largest = i;
        for (i = 0; i < n; i++) basis[i * (n - rank) + k] = x[largest] < 0 ? -x[i] : x[i];
    }
    for (k = 0; k < c; k++) {
        for (at = 0; at < n; at++) x[at] = 0;
        for (at = 0; at < rank; at++) {
            x[at] = q.order[at] == k ? q.scale[k] : 0;
            for (i = 0; i < at; i++) x[at] -= q.row[at][i] * x[i];
            x[at] /= q.image[at];
        }
        NAME_helper_rotate(&q, n, x);
        for (i = 0; i < n; i++) inverse[i * c + k] = x[i];
    }
    return 0;
}

/* [none] */
/* Which rows of J have, with each coordinate in units of the square root of its inertia, at most the dependent share of the
   size of the largest row. */
static void NAME_helper_rows_that_are_none(const NAME_helper_dense *s, int *is_none)
{
    const int n = s->n, c = s->size - n;
    NAME_real size[MACRO_ROWS] = {0}, most = 0;
    int i, r;
    for (r = 0; r < c; r++) {
        for (i = 0; i < n; i++) {
            const NAME_real entry = MACRO_F1(fabs, s->k[n + r][i] * s->scale[i]);
            if (entry > size[r]) size[r] = entry;
        }
        if (size[r] > most) most = size[r];
    }
    for (r = 0; r < c; r++) is_none[r] = size[r] <= NAME_helper_dependent_share() * most;
}

/* [independent] */
/* The rows of J, measured with each coordinate in units of the square root of its inertia. A row that is none gets the scale
   of the largest row. A row is dependent if at most the given share of it is orthogonal to others. */
static void NAME_helper_scaled_rows(const NAME_helper_dense *s, NAME_helper_rows *q, NAME_real share)
{
    const int n = s->n, c = s->size - n;
    NAME_real least = 0;
    int is_none[MACRO_ROWS], i, r;
    NAME_helper_rows_that_are_none(s, is_none);
    for (r = 0; r < c; r++)
        if (!is_none[r] && (least == 0 || s->scale[n + r] < least)) least = s->scale[n + r];
    for (r = 0; r < c; r++) {
        q->scale[r] = !is_none[r] ? s->scale[n + r] : least > 0 ? least : 1;
        for (i = 0; i < n; i++) q->row[r][i] = s->k[n + r][i] * s->scale[i] * q->scale[r];
    }
    NAME_helper_reflect(q, n, c, share);
}

/* Whether rates - J x are small beside the largest row times x, or the largest rate; or whether of velocities x the rates
   themselves are rounding errors of the largest row times x. */
static int NAME_helper_hold(const NAME_helper_dense *s, const NAME_helper_rows *q, const NAME_real *j, const NAME_real *x,
                      const NAME_real *rates, int is_velocity)
{
    const int n = s->n, c = s->size - n;
    NAME_real most = 0, sizes = 0, motion = 0;
    int i, k, hold = 1;
    for (i = 0; i < n; i++)
        if (MACRO_F1(fabs, x[i]) / s->scale[i] > motion) motion = MACRO_F1(fabs, x[i]) / s->scale[i];
    for (k = 0; k < c; k++) {
        NAME_real left = is_velocity ? rates[k] / (256 * NAME_helper_dependent_share()) : rates[k], size = 0;
        for (i = 0; i < n; i++) {
            if (!is_velocity) left -= j[k * n + i] * x[i];
            size += MACRO_F1(fabs, j[k * n + i]) * s->scale[i];
        }
        size *= motion;
        if (!is_velocity) size += MACRO_F1(fabs, rates[k]);
        left = MACRO_F1(fabs, left) * q->scale[k];
        hold &= left - left == 0;
        if (left > most) most = left;
        if (size * q->scale[k] > sizes) sizes = size * q->scale[k];
    }
    /* Smaller terms count as this: those of an acceleration that should be zero. */
    sizes += sizeof(NAME_real) == sizeof(float) ? (NAME_real)1e-30 : (NAME_real)1e-290;
    return hold && most <= NAME_helper_dependent_share() * sizes;
}

/* [is_clear] */
/* Whether the rank of J is clear, and dependent rows have no rate. */
static int NAME_helper_is_clear(int n, int c, const NAME_real *m, const NAME_real *j, const NAME_real *v, const NAME_real *rates)
{
    NAME_helper_dense s;
    NAME_helper_rows q;
    NAME_helper_dense_set(&s, n, c, m, j, 0);
    NAME_helper_scaled_rows(&s, &q, NAME_helper_dependent_share());
    return q.is_clear && (q.rank == c || NAME_helper_hold(&s, &q, j, v, rates, 1));
}

/* [agreement] */
/* The size of each row of J by its largest entry, and the largest residuals with which rows agree that may depend on each
   other. A limit is four roundings of each operation on a length, and the lengths of a short linkage pass through eight. A
   row that is none counts with the largest size and limit. */
static void NAME_helper_agreement(int n, int c, const NAME_real *m, const NAME_real *j, const NAME_real *limits, NAME_real *sizes,
                           NAME_real *agreed)
{
    const NAME_real unit = NAME_helper_dependent_share() / (16 * NAME_helper_epsilon());
    NAME_real largest = 0, most = 0;
    NAME_helper_dense s;
    int is_none[MACRO_ROWS], i, k;
    NAME_helper_dense_set(&s, n, c, m, j, 0);
    NAME_helper_rows_that_are_none(&s, is_none);
    for (k = 0; k < c; k++) {
        sizes[k] = 0;
        for (i = 0; i < n; i++)
            if (MACRO_F1(fabs, j[k * n + i]) > sizes[k]) sizes[k] = MACRO_F1(fabs, j[k * n + i]);
        if (sizes[k] > largest) largest = sizes[k];
        if (limits[k] > most) most = limits[k];
    }
    for (k = 0; k < c; k++) {
        agreed[k] = unit * (is_none[k] ? most : limits[k]);
        if (is_none[k]) sizes[k] = largest;
    }
}

/* [redundant] */
/* T: a dependent row is the sum of independent rows times its entries, all of them multiplied by their scales. */
static void NAME_helper_combine(const NAME_helper_rows *q, int d, NAME_real *t)
{
    int i, k;
    for (k = q->rank - 1; k >= 0; k--) {
        NAME_real left = q->row[d][k];
        for (i = k + 1; i < q->rank; i++) left -= t[i] * q->row[i][k];
        t[k] = left / q->image[k];
    }
}

/* Whether the multiplier of a row has a force of its own: a column of K that is not the one of J^T. */
static int NAME_helper_has_force(const NAME_helper_dense *s, int row)
{
    int i, has = 0;
    for (i = 0; i < s->n; i++) has |= s->k[i][s->n + row] != -s->k[s->n + row][i];
    return has;
}

/* Whether the rows leave a multiplier with a force of its own undetermined. */
static int NAME_helper_is_undetermined(const NAME_helper_dense *s, const NAME_helper_rows *q)
{
    NAME_real t[MACRO_ROWS] = {0};
    int d, k;
    for (d = q->rank; d < s->size - s->n; d++) {
        if (NAME_helper_has_force(s, q->order[d])) return 1;
        NAME_helper_combine(q, d, t);
        for (k = 0; k < q->rank; k++)
            if (MACRO_F1(fabs, t[k]) > NAME_helper_dependent_share() && NAME_helper_has_force(s, q->order[k])) return 1;
    }
    return 0;
}

/* (I + T^T T)^-1 x in place of x, for the rows T J_1 that depend on the independent rows J_1, and the rows of T. */
static void NAME_helper_solve_normal(const NAME_helper_rows *q, int c, NAME_real t[MACRO_ROWS][MACRO_ROWS], NAME_real *x)
{
    NAME_real lower[MACRO_ROWS][MACRO_ROWS] = {{0}};
    const int rank = q->rank;
    int d, i, k;
    /* L L^T = I + T^T T */
    for (i = 0; i < rank; i++) {
        for (k = 0; k <= i; k++) {
            NAME_real sum = (NAME_real)(i == k);
            for (d = rank; d < c; d++) sum += t[d][i] * t[d][k];
            for (d = 0; d < k; d++) sum -= lower[i][d] * lower[k][d];
            lower[i][k] = i == k ? MACRO_F1(sqrt, sum) : sum / lower[k][k];
        }
        for (k = 0; k < i; k++) x[i] -= lower[i][k] * x[k];
        x[i] /= lower[i][i];
    }
    for (i = rank - 1; i >= 0; i--) {
        for (k = i + 1; k < rank; k++) x[i] -= lower[k][i] * x[k];
        x[i] /= lower[i][i];
    }
}

/* If it `spreads` multipliers mu of the independent rows over all rows, the least ones with the same J^T lambda:
   (I + T^T T)^-1 mu, and T times these. Otherwise gathers the rates of all rows in those of the independent rows, for which
   all rows are met in least squares: (I + T^T T)^-1 (gamma_1 + T^T gamma_2). */
static void NAME_helper_share_out(const NAME_helper_rows *q, int c, int spreads, NAME_real *values)
{
    NAME_real t[MACRO_ROWS][MACRO_ROWS] = {{0}}, x[MACRO_ROWS] = {0};
    const int rank = q->rank;
    int d, k;
    for (k = 0; k < rank; k++) x[k] = values[q->order[k]];
    for (d = rank; d < c; d++) {
        NAME_helper_combine(q, d, t[d]);
        for (k = 0; k < rank; k++) {
            t[d][k] *= q->scale[q->order[k]] / q->scale[q->order[d]];
            if (!spreads) x[k] += t[d][k] * values[q->order[d]];
        }
    }
    NAME_helper_solve_normal(q, c, t, x);
    for (k = 0; k < rank; k++) values[q->order[k]] = x[k];
    for (d = rank; d < c; d++) {
        NAME_real sum = 0;
        for (k = 0; k < rank; k++) sum += t[d][k] * x[k];
        values[q->order[d]] = spreads ? sum : 0;
    }
}

/* The solution with the rows of J that do not depend on others. Their treatment: 0 gives no multipliers to the others, 1 asks
   that the others hold and gives the least multipliers of all, 2 meets all rows in least squares, and 3 does so with fewer
   rows that count as independent. */
static int NAME_helper_redundant_solve(int n, int c, int count, int is_checked, int treatment, const NAME_real *m, const NAME_real *j,
                                const NAME_real *forces, const NAME_real *f, const NAME_real *gamma, NAME_real *a,
                                NAME_real *lambda, NAME_real *rank)
{
    NAME_real right[MACRO_ROWS] = {0}, x[MACRO_ROWS] = {0}, share = NAME_helper_dependent_share();
    NAME_helper_dense s;
    NAME_helper_rows q;
    int i, k, at, status;
    if (is_checked && !(NAME_helper_all_finite(m, n * n) && NAME_helper_all_finite(j, c * n) && NAME_helper_all_finite(f, count * n) &&
                        NAME_helper_all_finite(gamma, count * c) && (!forces || NAME_helper_all_finite(forces, n * c))))
        return 4;
    NAME_helper_dense_set(&s, n, c, m, j, forces);
    if (treatment == 3) share = MACRO_F1(sqrt, share);
    NAME_helper_scaled_rows(&s, &q, share);
    if (is_checked && forces && NAME_helper_is_undetermined(&s, &q)) return 2;
    for (at = q.rank; at < c; at++) {
        k = n + q.order[at];
        for (i = 0; i < s.size; i++) s.k[k][i] = s.k[i][k] = 0;
        s.k[k][k] = -1;
        s.scale[k] = s.column_scale[k] = 1;
    }
    s.is_independent = 1;
    status = NAME_helper_dense_factor(&s, is_checked);
    if (status != 0) return status;
    for (at = 0; at < count; at++) {
        for (i = 0; i < n; i++) right[i] = f[at * n + i];
        for (k = 0; k < c; k++) right[n + k] = gamma[at * c + k];
        if (treatment > 1 && q.rank < c) NAME_helper_share_out(&q, c, 0, right + n);
        for (k = q.rank; k < c; k++) right[n + q.order[k]] = 0;
        status = NAME_helper_dense_column(&s, is_checked, right, x);
        if (status != 0) return status;
        if (treatment == 1 && q.rank < c) {
            if (is_checked && !NAME_helper_hold(&s, &q, j, x, gamma + at * c, 0)) return 2;
            NAME_helper_share_out(&q, c, 1, x + n);
        }
        for (i = 0; i < n; i++) a[at * n + i] = x[i];
        for (k = 0; k < c; k++) lambda[at * c + k] = x[n + k];
    }
    if (rank) *rank = (NAME_real)q.rank;
    return 0;
}
