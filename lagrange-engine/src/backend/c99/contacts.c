/* [laws] */
/* The laws of contacts and dry joints for rates w = W x + b of rows by the forces x along them. Contact k has the rows 3 k
   of its gap and 3 k + 1, 3 k + 2 of its sliding velocities; joint j has the row 3 p + j. Arrays have one entry more than
   there are. */
enum {
    MACRO_CONTACTS = SIZE_P + 1,
    MACRO_JOINTS = SIZE_M + 1,
    MACRO_LAWS = 3 * SIZE_P + SIZE_M + 1,
    MACRO_PAIRS = 4 * SIZE_P + 3 * SIZE_M + 1
};

typedef struct {
    /* A contact that is not closed has no force. Friction holds so many sliding velocities of a contact; with none it has
       the friction of a direction. A joint that moves is free. */
    int p, m, size, is_closed[MACRO_CONTACTS], slips[MACRO_CONTACTS], is_free[MACRO_JOINTS];
    NAME_real friction[MACRO_CONTACTS], direction[MACRO_CONTACTS][2], limit[MACRO_JOINTS];
    /* The rate of a row is row x + offset, with the bound of the rounding errors of the offset. */
    NAME_real row[MACRO_LAWS * MACRO_VELOCITIES], offset[MACRO_LAWS], offset_noise[MACRO_LAWS];
    /* W, b and its rounding errors, in units in which the diagonal of W is 1; the factors from scaled forces to forces. */
    NAME_real w[MACRO_LAWS][MACRO_LAWS], b[MACRO_LAWS], noise[MACRO_LAWS], scale[MACRO_LAWS];
} NAME_helper_laws;

/* Contacts open (0), stick (1) or slide (2) in a direction. Friction holds a joint (0), or has this sign. */
typedef struct {
    int contact[MACRO_CONTACTS];
    NAME_real direction[MACRO_CONTACTS][2], joint[MACRO_JOINTS];
} NAME_helper_modes;

/* Forces with their modes, rates and bounds of rounding errors; the largest part by which a law does not hold, 0 if all
   hold; the first row that depends on others, or -1. Laws that do not hold may do so only because of rates that the rounding
   errors of large forces hide. */
typedef struct {
    NAME_helper_modes modes;
    NAME_real x[MACRO_LAWS], rate[MACRO_LAWS], bound[MACRO_LAWS], excess;
    int dependent, is_hidden;
} NAME_helper_candidate;

/* Equations a x = b of the active rows, for the unknowns of the same numbers. Elimination leaves the determinant, which is
   0 if rows depend on each other up to the root of rounding errors, and the largest entry of dependent rows, in parts of the
   largest pivot. */
typedef struct {
    int active[MACRO_LAWS], row_of[MACRO_LAWS];
    NAME_real a[MACRO_LAWS][MACRO_LAWS], b[MACRO_LAWS], determinant, remainder;
} NAME_helper_equations;

static NAME_real NAME_helper_larger(NAME_real x, NAME_real y)
{
    return y > x ? y : x;
}

/* Gauss and Jordan's elimination with complete pivoting: the number of pivots, each larger than a share of the first. */
static NAME_apart int NAME_helper_eliminate(NAME_helper_equations *e, int size, NAME_real share)
{
    int left[MACRO_LAWS], i, j, pivots;
    NAME_real largest = 0;
    e->determinant = 1;
    e->remainder = 0;
    for (i = 0; i < size; i++) {
        left[i] = e->active[i];
        e->row_of[i] = -1;
    }
    for (pivots = 0; pivots < size; pivots++) {
        int row = -1, column = 0, exchanges = 0;
        NAME_real most = 0;
        for (i = 0; i < size; i++)
            for (j = 0; j < size; j++)
                if (left[i] && e->active[j] && e->row_of[j] < 0 && (row < 0 || MACRO_F1(fabs, e->a[i][j]) > most)) {
                    most = MACRO_F1(fabs, e->a[i][j]);
                    row = i;
                    column = j;
                }
        if (pivots == 0) largest = most;
        if (row < 0) break;
        if (!(most > largest * MACRO_F1(sqrt, NAME_helper_epsilon()))) e->determinant = 0;
        if (!(most > share * largest)) {
            e->remainder = most / largest;
            break;
        }
        for (i = 0; i < row; i++) exchanges += left[i];
        for (j = 0; j < column; j++) exchanges += e->active[j] && e->row_of[j] < 0;
        e->determinant *= exchanges % 2 == 0 ? e->a[row][column] : -e->a[row][column];
        for (i = 0; i < size; i++) {
            const NAME_real factor = e->a[i][column] / e->a[row][column];
            if (i == row || !e->active[i] || factor == 0) continue;
            for (j = 0; j < size; j++) e->a[i][j] -= factor * e->a[row][j];
            e->a[i][column] = 0;
            e->b[i] -= factor * e->b[row];
        }
        left[row] = 0;
        e->row_of[column] = row;
    }
    return pivots;
}

/* The unknowns by the equations that elimination leaves: 0 for those without a row. */
static void NAME_helper_read(const NAME_helper_equations *e, int size, NAME_real *x)
{
    int k;
    for (k = 0; k < size; k++) {
        const int row = e->row_of[k];
        x[k] = row < 0 ? 0 : e->b[row] / e->a[row][k];
    }
}

/* The change of all unknowns by one without a row, times the weights. */
static void NAME_helper_change(const NAME_helper_equations *e, int size, const NAME_real *weights, int free, NAME_real *change)
{
    int k;
    for (k = 0; k < size; k++) {
        const int row = e->row_of[k];
        change[k] = k == free ? weights[k] : row < 0 ? 0 : -e->a[row][free] / e->a[row][k] * weights[k];
    }
}

/* Solves equations; the first row that depends on others, or -1. With such rows x has the least sum of squares of the
   unknowns times their weights. Of a row that depends on others at most about 1e-6 is orthogonal to them, and entries are
   products of two rows. */
static NAME_apart int NAME_helper_solve_equations(NAME_helper_equations *e, int size, const NAME_real *weights, NAME_real *x)
{
    const int pivots = NAME_helper_eliminate(e, size, 64 * (NAME_real)size * NAME_helper_epsilon());
    NAME_helper_equations normal;
    NAME_real change[MACRO_LAWS], other[MACRO_LAWS], amount[MACRO_LAWS];
    int has_row[MACRO_LAWS] = {0}, i, j, k, dependent = -1;
    NAME_helper_read(e, size, x);
    for (k = 0; k < size; k++)
        if (e->row_of[k] >= 0) has_row[e->row_of[k]] = 1;
    for (k = size - 1; k >= 0; k--)
        if (e->active[k] && !has_row[k]) dependent = k;
    if (dependent < 0 || pivots == 0) return dependent;
    for (i = 0; i < size; i++) {
        normal.active[i] = e->active[i] && e->row_of[i] < 0;
        normal.b[i] = 0;
        for (j = 0; j < size; j++) normal.a[i][j] = 0;
        if (!normal.active[i]) continue;
        NAME_helper_change(e, size, weights, i, change);
        for (k = 0; k < size; k++) normal.b[i] -= change[k] * x[k] * weights[k];
        for (j = 0; j < size; j++) {
            if (!e->active[j] || e->row_of[j] >= 0) continue;
            NAME_helper_change(e, size, weights, j, other);
            for (k = 0; k < size; k++) normal.a[i][j] += change[k] * other[k];
        }
    }
    (void)NAME_helper_eliminate(&normal, size, 0);
    NAME_helper_read(&normal, size, amount);
    for (i = 0; i < size; i++) {
        if (!normal.active[i]) continue;
        NAME_helper_change(e, size, weights, i, change);
        for (k = 0; k < size; k++)
            if (weights[k] != 0) x[k] += amount[i] * change[k] / weights[k];
    }
    return dependent;
}

/* The rates by forces, and the bounds of their rounding errors. */
static void NAME_helper_rates_by_forces(const NAME_helper_laws *s, const NAME_real *x, NAME_real *rate, NAME_real *bound)
{
    int i, j;
    for (i = 0; i < s->size; i++) {
        NAME_real size = MACRO_F1(fabs, s->b[i]);
        rate[i] = s->b[i];
        for (j = 0; j < s->size; j++) {
            const NAME_real part = s->w[i][j] * x[j];
            rate[i] += part;
            size += MACRO_F1(fabs, part);
        }
        bound[i] = s->noise[i] + 256 * NAME_helper_epsilon() * size;
    }
}

/* The friction of a contact for a force of 1, along its sliding velocities. */
static NAME_real NAME_helper_drag(const NAME_helper_laws *s, const NAME_helper_modes *modes, int k, int along)
{
    return modes->contact[k] == 2 ? -s->friction[k] * modes->direction[k][along] : 0;
}

/* The rows whose rates are 0 in these modes. */
static void NAME_helper_held(const NAME_helper_laws *s, const NAME_helper_modes *modes, int *held)
{
    int k;
    for (k = 0; k < s->p; k++) {
        const int slips = modes->contact[k] == 1 ? s->slips[k] : 0;
        held[3 * k] = modes->contact[k] != 0;
        held[3 * k + 1] = slips > 0;
        held[3 * k + 2] = slips > 1;
    }
    for (k = 0; k < s->m; k++) held[3 * s->p + k] = !s->is_free[k] && modes->joint[k] == 0;
}

/* The changes of forces that change the rates of the held rows to 0, the least ones if rows depend on each other; the
   first one that does, or -1; and the equations that elimination leaves. */
static int NAME_helper_corrections(const NAME_helper_laws *s, const NAME_helper_modes *modes, const int *held,
                                   const NAME_real *rate, NAME_real *x, NAME_helper_equations *e)
{
    NAME_real weights[MACRO_LAWS] = {0};
    int i, j, k, dependent;
    for (i = 0; i < s->size; i++) {
        for (j = 0; j < s->size; j++) e->a[i][j] = s->w[i][j];
        for (k = 0; k < s->p; k++)
            e->a[i][3 * k] += s->w[i][3 * k + 1] * NAME_helper_drag(s, modes, k, 0) +
                             s->w[i][3 * k + 2] * NAME_helper_drag(s, modes, k, 1);
        e->b[i] = -rate[i];
        e->active[i] = held[i];
        weights[i] = s->scale[i];
    }
    for (k = 0; k < s->p; k++) {
        const NAME_real slip = NAME_helper_larger(s->scale[3 * k + 1], s->scale[3 * k + 2]);
        const NAME_real drag = MACRO_F2(hypot, NAME_helper_drag(s, modes, k, 0), NAME_helper_drag(s, modes, k, 1));
        weights[3 * k] = MACRO_F2(hypot, s->scale[3 * k], drag * slip);
    }
    dependent = NAME_helper_solve_equations(e, s->size, weights, x);
    for (k = 0; k < s->p; k++)
        for (i = 0; i < 2; i++) x[3 * k + 1 + i] += NAME_helper_drag(s, modes, k, i) * x[3 * k];
    return dependent;
}

/* Notes by how much a value, which shall be at least 0, is below its rounding error. NaN is worst. */
static void NAME_helper_judge(NAME_helper_candidate *c, NAME_real value, NAME_real bound)
{
    const NAME_real part = -value / bound;
    if (!(value >= -bound) && !(part <= c->excess)) c->excess = part;
}

/* How far the largest bound of a rate that counts as 0 is beyond the rates without forces; 0 if none is. Such a rate says
   nothing: with forces so large that their rounding errors hide the rates without them, the laws would hold for
   contradictions, too. */
static NAME_real NAME_helper_hidden(const NAME_helper_laws *s, const NAME_helper_candidate *c)
{
    NAME_real data = 0, hidden = 0;
    int i;
    for (i = 0; i < s->size; i++) {
        const NAME_real noise = s->noise[i] / (32 * NAME_helper_epsilon());
        data = NAME_helper_larger(data, NAME_helper_larger(MACRO_F1(fabs, s->b[i]), noise));
    }
    for (i = 0; i < s->m; i++)
        if (!s->is_free[i] && c->modes.joint[i] != 0) data = NAME_helper_larger(data, s->limit[i]);
    for (i = 0; i < s->size; i++) {
        const int k = i / 3, along = i % 3;
        const int is_judged = k >= s->p ? !s->is_free[i - 3 * s->p]
                              : along == 0 ? s->is_closed[k]
                                           : c->modes.contact[k] != 0 && s->slips[k] >= along;
        if (is_judged && c->bound[i] > data && MACRO_F1(fabs, c->rate[i]) <= c->bound[i])
            hidden = NAME_helper_larger(hidden, c->bound[i] / data);
    }
    return hidden;
}

/* The verdict of the laws on the forces and modes of a candidate. Its forces have the scaled errors of its rates. */
static NAME_apart void NAME_helper_verdict(const NAME_helper_laws *s, NAME_helper_candidate *c)
{
    NAME_real hidden;
    int k;
    NAME_helper_rates_by_forces(s, c->x, c->rate, c->bound);
    hidden = NAME_helper_hidden(s, c);
    c->excess = 0;
    for (k = 0; k < s->p; k++) {
        const NAME_real *const rate = c->rate + 3 * k, *const bound = c->bound + 3 * k, *const x = c->x + 3 * k;
        const NAME_real *const way = c->modes.direction[k];
        const NAME_real most = NAME_helper_larger(bound[0], NAME_helper_larger(bound[1], bound[2]));
        if (!s->is_closed[k]) continue;
        NAME_helper_judge(c, rate[0], bound[0]);
        NAME_helper_judge(c, x[0], bound[0]);
        if (c->modes.contact[k] == 0) {
            NAME_helper_judge(c, -x[0], bound[0]);
            NAME_helper_judge(c, -MACRO_F2(hypot, x[1], x[2]), most);
            continue;
        }
        NAME_helper_judge(c, -rate[0], bound[0]);
        if (c->modes.contact[k] == 2) {
            const NAME_real most_friction = s->friction[k] * x[0];
            NAME_helper_judge(c, -MACRO_F2(hypot, x[1] + most_friction * way[0], x[2] + most_friction * way[1]), most);
        }
        if (s->slips[k] == 0) continue;
        if (c->modes.contact[k] == 2) {
            NAME_helper_judge(c, rate[1] * way[0] + rate[2] * way[1], most);
            NAME_helper_judge(c, -MACRO_F1(fabs, rate[1] * way[1] - rate[2] * way[0]), most);
            continue;
        }
        NAME_helper_judge(c, s->friction[k] * x[0] - MACRO_F2(hypot, x[1], x[2]), most);
        NAME_helper_judge(c, -MACRO_F1(fabs, rate[1]), most);
        if (s->slips[k] > 1) NAME_helper_judge(c, -MACRO_F1(fabs, rate[2]), most);
    }
    for (k = 0; k < s->m; k++) {
        const int row = 3 * s->p + k;
        if (s->is_free[k]) continue;
        if (c->modes.joint[k] == 0) {
            NAME_helper_judge(c, s->limit[k] - MACRO_F1(fabs, c->x[row]), c->bound[row]);
            NAME_helper_judge(c, -MACRO_F1(fabs, c->rate[row]), c->bound[row]);
        } else {
            NAME_helper_judge(c, -MACRO_F1(fabs, c->x[row] - s->limit[k] * c->modes.joint[k]), c->bound[row]);
            NAME_helper_judge(c, -c->rate[row] * c->modes.joint[k], c->bound[row]);
        }
    }
    c->is_hidden = c->excess == 0 && hidden > 0;
    if (c->is_hidden) c->excess = hidden;
}

/* The modes of contacts and joints that have nothing to decide: open, and held. */
static void NAME_helper_start(const NAME_helper_laws *s, NAME_helper_modes *modes)
{
    int k;
    for (k = 0; k < s->p; k++) {
        modes->contact[k] = 0;
        modes->direction[k][0] = modes->direction[k][1] = 0;
    }
    for (k = 0; k < s->m; k++) modes->joint[k] = 0;
}

/* A contact slides in a direction. */
static void NAME_helper_slide(NAME_helper_modes *modes, int k, NAME_real x, NAME_real y)
{
    modes->contact[k] = 2;
    modes->direction[k][0] = x;
    modes->direction[k][1] = y;
}

/* The forces of a candidate, for which the rates of the held rows of its modes are 0, with one step of refinement, and its
   verdict. Contacts without force push no matter what their mode is. */
static NAME_apart void NAME_helper_solve_modes(const NAME_helper_laws *s, const int *without_force, NAME_helper_candidate *c)
{
    NAME_real change[MACRO_LAWS];
    int held[MACRO_LAWS], i, k, pass;
    NAME_helper_held(s, &c->modes, held);
    for (k = 0; k < s->p; k++)
        if (without_force[k]) held[3 * k] = held[3 * k + 1] = held[3 * k + 2] = 0;
    for (i = 0; i < s->size; i++) c->x[i] = 0;
    for (k = 0; k < s->m; k++)
        if (!s->is_free[k]) c->x[3 * s->p + k] = s->limit[k] * c->modes.joint[k];
    for (pass = 0; pass < 2; pass++) {
        NAME_helper_equations e;
        int dependent;
        NAME_helper_rates_by_forces(s, c->x, c->rate, c->bound);
        dependent = NAME_helper_corrections(s, &c->modes, held, c->rate, change, &e);
        if (pass == 0) c->dependent = dependent;
        for (i = 0; i < s->size; i++) c->x[i] += change[i];
    }
    NAME_helper_verdict(s, c);
}

/* Friction in a plane by Lemke's method: variable i below n is the rate of pair i, n + i its force, and 2 n the artificial
   variable. Each basic variable is constant + the row of `a` times the others; column n is that of `extra`. The pairs of a
   contact are n, t+, t- and the speed of slip, those of a joint the last three. */
typedef struct {
    int size, is_active[MACRO_PAIRS], basic[MACRO_PAIRS], others[MACRO_PAIRS];
    NAME_real a[MACRO_PAIRS][MACRO_PAIRS], constant[MACRO_PAIRS], noise[MACRO_PAIRS];
} NAME_helper_tableau;

/* The rate of a pair is that of a row times a sign. */
static void NAME_helper_set_pair(NAME_helper_tableau *t, const NAME_helper_laws *s, int pair, int row, int sign)
{
    const NAME_real *const w = s->w[row], factor = (NAME_real)sign;
    int k;
    t->constant[pair] = factor * s->b[row];
    t->noise[pair] = s->noise[row];
    for (k = 0; k < s->p; k++) {
        NAME_real *const to = t->a[pair] + 4 * k;
        const NAME_real *const of = w + 3 * k, *const way = s->direction[k];
        to[0] = factor * (of[0] - s->friction[k] * (way[0] * of[1] + way[1] * of[2]));
        if (s->slips[k] == 0) continue;
        to[1] = factor * of[1];
        to[2] = -factor * of[1];
    }
    for (k = 0; k < s->m; k++) {
        t->a[pair][4 * s->p + 3 * k] = factor * w[3 * s->p + k];
        t->a[pair][4 * s->p + 3 * k + 1] = -factor * w[3 * s->p + k];
    }
}

/* The three pairs of friction along a row. */
static void NAME_helper_set_friction(NAME_helper_tableau *t, const NAME_helper_laws *s, int first, int row)
{
    int i;
    for (i = 0; i < 3; i++) t->is_active[first + i] = 1;
    NAME_helper_set_pair(t, s, first, row, 1);
    NAME_helper_set_pair(t, s, first + 1, row, -1);
    t->a[first][first + 2] = t->a[first + 1][first + 2] = 1;
    t->a[first + 2][first] = t->a[first + 2][first + 1] = -1;
}

static void NAME_helper_set_tableau(NAME_helper_tableau *t, const NAME_helper_laws *s)
{
    int i, j, k;
    t->size = 4 * s->p + 3 * s->m;
    for (i = 0; i < t->size; i++) {
        for (j = 0; j < t->size; j++) t->a[i][j] = 0;
        t->a[i][t->size] = 1;
        t->constant[i] = t->noise[i] = 0;
        t->is_active[i] = 0;
        t->basic[i] = i;
        t->others[i] = t->size + i;
    }
    t->others[t->size] = 2 * t->size;
    for (k = 0; k < s->p; k++) {
        if (!s->is_closed[k]) continue;
        t->is_active[4 * k] = 1;
        NAME_helper_set_pair(t, s, 4 * k, 3 * k, 1);
        if (s->slips[k] == 0) continue;
        NAME_helper_set_friction(t, s, 4 * k + 1, 3 * k + 1);
        t->a[4 * k + 3][4 * k] = s->friction[k];
    }
    for (k = 0; k < s->m; k++) {
        const int first = 4 * s->p + 3 * k;
        if (s->is_free[k]) continue;
        NAME_helper_set_friction(t, s, first, 3 * s->p + k);
        t->constant[first + 2] = s->limit[k];
    }
}

static int NAME_helper_column_of(const NAME_helper_tableau *t, int variable)
{
    int column = t->size;
    while (column >= 0 && t->others[column] != variable) column--;
    return column;
}

/* Whether a row blocks a column before another row, in lexicographic order. */
static int NAME_helper_is_before(const NAME_helper_tableau *t, int row, int best, int column)
{
    const NAME_real slope = -t->a[row][column], best_slope = -t->a[best][column];
    const NAME_real part = NAME_helper_larger(0, t->constant[row]) / slope;
    const NAME_real best_part = NAME_helper_larger(0, t->constant[best]) / best_slope;
    const NAME_real rounding = 64 * NAME_helper_epsilon();
    const NAME_real tie = t->noise[row] / slope + part * rounding + t->noise[best] / best_slope + best_part * rounding;
    int rate;
    if (MACRO_F1(fabs, part - best_part) > tie) return part < best_part;
    if (t->basic[row] == 2 * t->size || t->basic[best] == 2 * t->size) return t->basic[row] == 2 * t->size;
    for (rate = 0; rate < t->size; rate++) {
        const int of_rate = NAME_helper_column_of(t, rate);
        const NAME_real one = of_rate >= 0 ? -t->a[row][of_rate] / slope : t->basic[row] == rate ? 1 / slope : 0;
        const NAME_real two = of_rate >= 0 ? -t->a[best][of_rate] / best_slope : t->basic[best] == rate ? 1 / best_slope : 0;
        if (MACRO_F1(fabs, one - two) > (MACRO_F1(fabs, one) + MACRO_F1(fabs, two)) * rounding) return one < two;
    }
    return 0;
}

/* The row of the basic variable that is the first to get 0 if the variable of a column grows; -1 on a ray. */
static int NAME_helper_blocking(const NAME_helper_tableau *t, int column)
{
    NAME_real largest = 0;
    int row, best = -1;
    for (row = 0; row < t->size; row++) largest = NAME_helper_larger(largest, MACRO_F1(fabs, t->a[row][column]));
    for (row = 0; row < t->size; row++) {
        if (!t->is_active[row] || !(-t->a[row][column] > 1024 * NAME_helper_epsilon() * largest)) continue;
        if (best < 0 || NAME_helper_is_before(t, row, best, column)) best = row;
    }
    return best;
}

/* Exchanges a basic variable with the variable of a column, and returns it. */
static int NAME_helper_exchange(NAME_helper_tableau *t, int row, int column)
{
    const NAME_real pivot = t->a[row][column];
    const int leaving = t->basic[row];
    int i, j;
    for (j = 0; j <= t->size; j++) t->a[row][j] = j == column ? 1 / pivot : -t->a[row][j] / pivot;
    t->constant[row] = -t->constant[row] / pivot;
    t->noise[row] /= MACRO_F1(fabs, pivot);
    for (i = 0; i < t->size; i++) {
        const NAME_real factor = t->a[i][column], change = factor * t->constant[row];
        if (i == row || !t->is_active[i] || factor == 0) continue;
        t->a[i][column] = 0;
        for (j = 0; j <= t->size; j++) t->a[i][j] += factor * t->a[row][j];
        t->noise[i] += MACRO_F1(fabs, factor) * t->noise[row] +
                       (MACRO_F1(fabs, t->constant[i]) + MACRO_F1(fabs, change)) * NAME_helper_epsilon();
        t->constant[i] += change;
    }
    t->basic[row] = t->others[column];
    t->others[column] = leaving;
    return leaving;
}

/* The modes at the end of Lemke's path; whether there is one that does not end on a ray. */
static NAME_apart int NAME_helper_pivoted(const NAME_helper_laws *s, NAME_helper_modes *modes)
{
    NAME_helper_tableau t;
    NAME_real value[MACRO_PAIRS] = {0};
    int i, k, first = -1;
    NAME_helper_set_tableau(&t, s);
    for (i = 0; i < t.size; i++)
        if (t.is_active[i] && (first < 0 || t.constant[i] <= t.constant[first])) first = i;
    if (first >= 0 && t.constant[first] < 0) {
        int entering = NAME_helper_exchange(&t, first, t.size), step;
        for (step = 0; step < 32 * t.size && entering != 2 * t.size; step++) {
            const int partner = entering < t.size ? entering + t.size : entering - t.size;
            const int column = NAME_helper_column_of(&t, partner);
            const int row = column < 0 ? -1 : NAME_helper_blocking(&t, column);
            if (row < 0) return 0;
            entering = NAME_helper_exchange(&t, row, column);
        }
        if (entering != 2 * t.size) return 0;
    }
    for (i = 0; i < t.size; i++)
        if (t.basic[i] >= t.size && t.basic[i] < 2 * t.size) value[t.basic[i] - t.size] = t.constant[i];
    NAME_helper_start(s, modes);
    for (k = 0; k < s->p; k++) {
        const NAME_real *const of = value + 4 * k;
        if (!s->is_closed[k] || !(of[0] > 0)) continue;
        if (s->slips[k] == 0) NAME_helper_slide(modes, k, s->direction[k][0], s->direction[k][1]);
        else if (of[3] > 0) NAME_helper_slide(modes, k, (NAME_real)(of[1] > of[2] ? -1 : 1), 0);
        else modes->contact[k] = 1;
    }
    for (k = 0; k < s->m; k++) {
        const NAME_real *const of = value + 4 * s->p + 3 * k;
        if (of[2] > 0) modes->joint[k] = (NAME_real)(of[0] > of[1] ? 1 : -1);
    }
    return 1;
}

/* Friction in two directions: projections, and Newton's method on the cones. */

/* The modes that forces and their rates suggest. */
static void NAME_helper_predict(const NAME_helper_laws *s, const NAME_real *x, NAME_helper_modes *modes)
{
    NAME_real rate[MACRO_LAWS], bound[MACRO_LAWS];
    int k;
    NAME_helper_rates_by_forces(s, x, rate, bound);
    NAME_helper_start(s, modes);
    for (k = 0; k < s->p; k++) {
        const NAME_real pushed = x[3 * k] - rate[3 * k];
        const NAME_real u = x[3 * k + 1] - rate[3 * k + 1], v = x[3 * k + 2] - rate[3 * k + 2];
        const NAME_real length = MACRO_F2(hypot, u, v);
        if (!s->is_closed[k] || !(pushed > 0)) continue;
        if (s->slips[k] == 0) NAME_helper_slide(modes, k, s->direction[k][0], s->direction[k][1]);
        else if (length <= s->friction[k] * pushed) modes->contact[k] = 1;
        else NAME_helper_slide(modes, k, -u / length, -v / length);
    }
    for (k = 0; k < s->m; k++) {
        const NAME_real force = x[3 * s->p + k] - rate[3 * s->p + k];
        if (!s->is_free[k] && MACRO_F1(fabs, force) > s->limit[k]) modes->joint[k] = (NAME_real)(force < 0 ? -1 : 1);
    }
}

static NAME_real NAME_helper_rate(const NAME_helper_laws *s, int row, const NAME_real *x)
{
    NAME_real rate = s->b[row];
    int j;
    for (j = 0; j < s->size; j++) rate += s->w[row][j] * x[j];
    return rate;
}

/* Projects the force of each contact and joint, one after the other. */
static void NAME_helper_relax(const NAME_helper_laws *s, NAME_real *x)
{
    int k;
    for (k = 0; k < s->p; k++) {
        const int row = 3 * k + 1;
        const NAME_real step = 1 / (1 + MACRO_F1(fabs, s->w[row][row + 1]));
        const NAME_real force = NAME_helper_larger(0, x[3 * k] - NAME_helper_rate(s, 3 * k, x));
        const NAME_real most = s->friction[k] * force;
        NAME_real u, v, length;
        if (!s->is_closed[k]) continue;
        x[3 * k] = force;
        if (s->slips[k] == 0) {
            u = -most * s->direction[k][0];
            v = -most * s->direction[k][1];
        } else {
            u = x[row] - NAME_helper_rate(s, row, x) * step;
            v = s->slips[k] > 1 ? x[row + 1] - NAME_helper_rate(s, row + 1, x) * step : 0;
            length = MACRO_F2(hypot, u, v);
            if (length > most) {
                u *= most / length;
                v *= most / length;
            }
        }
        x[row] = u;
        x[row + 1] = v;
    }
    for (k = 0; k < s->m; k++) {
        const int row = 3 * s->p + k;
        NAME_real force;
        if (s->is_free[k]) continue;
        force = x[row] - NAME_helper_rate(s, row, x);
        x[row] = force > s->limit[k] ? s->limit[k] : force > -s->limit[k] ? force : -s->limit[k];
    }
}

/* A step of Newton's method for forces, with the modes fixed: where a contact slides, t = -mu n d with the direction d of
   w_t - t. The first row that depends on others, or -1. */
static NAME_apart int NAME_helper_newton(const NAME_helper_laws *s, const NAME_helper_modes *modes, NAME_real *x)
{
    NAME_helper_equations e;
    NAME_real rate[MACRO_LAWS], bound[MACRO_LAWS], weights[MACRO_LAWS] = {0}, change[MACRO_LAWS];
    int i, j, k, dependent;
    for (k = 0; k < s->p; k++)
        if (modes->contact[k] == 0) x[3 * k] = x[3 * k + 1] = x[3 * k + 2] = 0;
    for (k = 0; k < s->m; k++)
        if (!s->is_free[k] && modes->joint[k] != 0) x[3 * s->p + k] = s->limit[k] * modes->joint[k];
    NAME_helper_rates_by_forces(s, x, rate, bound);
    NAME_helper_held(s, modes, e.active);
    for (i = 0; i < s->size; i++) {
        for (j = 0; j < s->size; j++) e.a[i][j] = s->w[i][j];
        e.b[i] = -rate[i];
        weights[i] = s->scale[i] == 0 ? 1 : s->scale[i];
    }
    for (k = 0; k < s->p; k++) {
        const int first = 3 * k + 1;
        const NAME_real *const d = modes->direction[k], drag = s->friction[k] * x[3 * k];
        NAME_real bend = 0;
        if (modes->contact[k] != 2 || s->friction[k] == 0) continue;
        e.active[first] = 1;
        e.active[first + 1] = s->slips[k] != 1;
        if (s->slips[k] > 1 && x[3 * k] > 0)
            bend = drag / MACRO_F2(hypot, x[first] - rate[first], x[first + 1] - rate[first + 1]);
        for (i = 0; i < 2; i++) {
            const NAME_real turn_0 = (NAME_real)(i == 0) - d[i] * d[0], turn_1 = (NAME_real)(i == 1) - d[i] * d[1];
            NAME_real *const row = e.a[first + i];
            for (j = 0; j < s->size; j++) row[j] = (turn_0 * s->w[first][j] + turn_1 * s->w[first + 1][j]) * bend;
            row[3 * k] += s->friction[k] * d[i];
            row[first] -= turn_0 * bend;
            row[first + 1] -= turn_1 * bend;
            row[first + i] += 1;
            e.b[first + i] = -(x[first + i] + drag * d[i]);
        }
    }
    dependent = NAME_helper_solve_equations(&e, s->size, weights, change);
    for (i = 0; i < s->size; i++) x[i] += change[i];
    return dependent;
}

/* The root of rounding errors of a value, by their bound: matrices near singular ones enlarge them. */
static NAME_real NAME_helper_margin(NAME_real bound)
{
    return bound / (256 * MACRO_F1(sqrt, NAME_helper_epsilon()));
}

/* Whether no forces at all make the rates of the held rows of these modes 0: W is symmetric, so that what the forces along
   these rows do not change is changed by none. 0 if some may, 2 if the rows depend on each other only as far as rounding
   shows: a remainder of more than 16 roundings may be a part of a row. */
static int NAME_helper_contradicts(const NAME_helper_laws *s, const NAME_helper_modes *modes)
{
    NAME_helper_candidate c;
    NAME_helper_equations e;
    NAME_real change[MACRO_LAWS];
    int without_force[MACRO_CONTACTS] = {0}, held[MACRO_LAWS], k;
    c.modes = *modes;
    for (k = 0; k < s->p; k++) c.modes.direction[k][0] = c.modes.direction[k][1] = 0;
    NAME_helper_solve_modes(s, without_force, &c);
    if (c.dependent < 0) return 0;
    NAME_helper_held(s, modes, held);
    for (k = 0; k < s->size; k++)
        if (held[k] && MACRO_F1(fabs, c.rate[k]) > NAME_helper_margin(c.bound[k])) break;
    if (k == s->size) return 0;
    (void)NAME_helper_corrections(s, &c.modes, held, c.rate, change, &e);
    return e.remainder > 16 * NAME_helper_epsilon() ? 2 : 1;
}

/* The best candidate that Newton's method passes from the forces x. */
static NAME_apart void NAME_helper_refine(const NAME_helper_laws *s, const NAME_real *x, NAME_helper_candidate *best)
{
    NAME_helper_candidate c;
    NAME_helper_modes modes;
    NAME_real before[MACRO_LAWS];
    int step, i;
    for (i = 0; i < s->size; i++) c.x[i] = x[i];
    NAME_helper_predict(s, c.x, &c.modes);
    NAME_helper_verdict(s, &c);
    c.dependent = -1;
    *best = c;
    for (step = 0; step < 24; step++) {
        NAME_real change = 0, size = 0;
        for (i = 0; i < s->size; i++) before[i] = c.x[i];
        NAME_helper_predict(s, c.x, &modes);
        c.dependent = NAME_helper_newton(s, &modes, c.x);
        for (i = 0; i < s->size; i++) {
            change = NAME_helper_larger(change, MACRO_F1(fabs, c.x[i] - before[i]));
            size = NAME_helper_larger(size, MACRO_F1(fabs, c.x[i]));
        }
        NAME_helper_predict(s, c.x, &c.modes);
        NAME_helper_verdict(s, &c);
        /* Forces may be so large that rounding hides a contradiction of rows that depend on each other. */
        if (c.excess == 0 && c.dependent >= 0 && NAME_helper_contradicts(s, &c.modes)) return;
        if (c.excess < best->excess) *best = c;
        if (c.excess == 0) {
            /* A further step brings the last digits. */
            c.dependent = NAME_helper_newton(s, &c.modes, c.x);
            NAME_helper_verdict(s, &c);
            if (c.excess == 0) *best = c;
            return;
        }
        if (!(change > size * NAME_helper_epsilon())) return;
    }
}

/* The candidate of the cones, or the best one that was found. */
static NAME_apart void NAME_helper_cones(const NAME_helper_laws *s, NAME_helper_candidate *best)
{
    NAME_helper_candidate c;
    NAME_real start[MACRO_LAWS];
    int round, sweep, i;
    for (i = 0; i < s->size; i++) start[i] = 0;
    for (round = 0; round < 8; round++) {
        for (sweep = 0; sweep < 16 << round; sweep++) NAME_helper_relax(s, start);
        NAME_helper_refine(s, start, &c);
        if (round == 0 || c.excess == 0 || c.excess < best->excess) *best = c;
        if (c.excess == 0) return;
    }
}

/* Directions in which contacts begin to slide, by bisection of arcs: det A, and its products with forces and rates, are affine
   in each direction, so that over triangles around the arcs they are between their values at the corners. */

/* The first and the last direction of each contact that is sought. */
typedef struct {
    NAME_real from[MACRO_CONTACTS][2], to[MACRO_CONTACTS][2];
} NAME_helper_arcs;

/* The bits of the parts of the laws that fail at directions: of each contact, of each joint, and of the determinant. */
typedef struct {
    unsigned parts[MACRO_CONTACTS + MACRO_JOINTS];
} NAME_helper_failures;

/* Whether the direction in which a contact begins to slide is one of many. */
static int NAME_helper_is_sought(const NAME_helper_laws *s, const NAME_helper_modes *modes, int k)
{
    return s->slips[k] > 1 && modes->contact[k] == 2;
}

/* The direction of a vector; 0 for that of length 0. */
static void NAME_helper_direct(NAME_real x, NAME_real y, NAME_real *direction)
{
    const NAME_real length = MACRO_F2(hypot, x, y);
    direction[0] = length > 0 ? x / length : 0;
    direction[1] = length > 0 ? y / length : 0;
}

/* The arcs of a path of bisections: the contacts take turns, and a bit is 1 for the second half. The first bisection has the
   highest bit. */
static void NAME_helper_set_arcs(const NAME_helper_laws *s, const NAME_helper_modes *modes, int count, unsigned long long path,
                                 int depth, NAME_helper_arcs *arcs)
{
    int first = 0, k, turn;
    for (k = 0; k < s->p; k++) {
        NAME_real *const from = arcs->from[k], *const to = arcs->to[k];
        if (!NAME_helper_is_sought(s, modes, k)) continue;
        from[0] = modes->direction[k][0];
        from[1] = modes->direction[k][1];
        to[0] = -from[1];
        to[1] = from[0];
        for (turn = first; turn < depth; turn += count)
            NAME_helper_direct(from[0] + to[0], from[1] + to[1], (path >> (depth - turn - 1) & 1) == 1 ? from : to);
        first++;
    }
}

/* Notes a part of the laws that is below 0, and one that is above, beyond the margin. */
static void NAME_helper_note(NAME_helper_failures *below, NAME_helper_failures *above, int place, unsigned bit, NAME_real value,
                             NAME_real margin)
{
    if (value < -margin) below->parts[place] |= bit;
    if (value > margin) above->parts[place] |= bit;
}

/* The parts of the laws that fail beyond rounding errors at directions of any length: those that would fail if the determinant
   were positive, and if it were negative. The forces are those of the middles of the arcs. */
static NAME_apart void NAME_helper_set_failures(const NAME_helper_laws *s, const NAME_helper_modes *modes, const NAME_real *middle,
                                     const NAME_helper_arcs *arcs, NAME_helper_failures *positive, NAME_helper_failures *negative)
{
    NAME_helper_failures none = {{0}}, below, above;
    NAME_real x[MACRO_LAWS], change[MACRO_LAWS], rate[MACRO_LAWS], bound[MACRO_LAWS];
    NAME_helper_equations e;
    int held[MACRO_LAWS], i, k;
    below = above = none;
    *positive = *negative = none;
    for (i = 0; i < s->size; i++) x[i] = 0;
    for (k = 0; k < s->m; k++)
        if (!s->is_free[k]) x[3 * s->p + k] = s->limit[k] * modes->joint[k];
    NAME_helper_held(s, modes, held);
    NAME_helper_rates_by_forces(s, x, rate, bound);
    (void)NAME_helper_corrections(s, modes, held, rate, change, &e);
    if (!(MACRO_F1(fabs, e.determinant) > 0)) return;
    for (i = 0; i < s->size; i++) x[i] += change[i];
    NAME_helper_rates_by_forces(s, x, rate, bound);
    for (k = 0; k < s->p; k++) {
        const NAME_real *const force = x + 3 * k, *const w = rate + 3 * k, *const b = bound + 3 * k;
        const NAME_real along = NAME_helper_margin(NAME_helper_larger(b[0], NAME_helper_larger(b[1], b[2])));
        if (!s->is_closed[k]) continue;
        NAME_helper_note(&below, &above, k, 1, modes->contact[k] == 0 ? w[0] : force[0], NAME_helper_margin(b[0]));
        if (modes->contact[k] == 0 || s->slips[k] == 0) continue;
        if (modes->contact[k] == 1) {
            NAME_real d[2];
            NAME_helper_direct(middle[3 * k + 1], middle[3 * k + 2], d);
            NAME_helper_note(&below, &above, k, 2, s->friction[k] * force[0] - force[1] * d[0] - force[2] * d[1], along);
        } else if (s->slips[k] == 1) {
            NAME_helper_note(&below, &above, k, 2, w[1] * modes->direction[k][0], along);
        } else {
            const NAME_real *const from = arcs->from[k], *const to = arcs->to[k];
            NAME_helper_note(&below, &above, k, 2, from[0] * w[2] - from[1] * w[1], along);
            NAME_helper_note(&below, &above, k, 4, w[1] * to[1] - w[2] * to[0], along);
            NAME_helper_note(&below, &above, k, 8, w[1] * (from[0] + to[0]) + w[2] * (from[1] + to[1]), along);
        }
    }
    for (k = 0; k < s->m; k++) {
        const int row = 3 * s->p + k, place = MACRO_CONTACTS + k;
        const NAME_real most = NAME_helper_margin(bound[row]);
        if (s->is_free[k]) continue;
        if (modes->joint[k] == 0) {
            NAME_helper_note(&below, &above, place, 1, s->limit[k] - x[row], most);
            NAME_helper_note(&below, &above, place, 2, s->limit[k] + x[row], most);
        } else {
            NAME_helper_note(&below, &above, place, 1, -rate[row] * modes->joint[k], most);
        }
    }
    above.parts[MACRO_CONTACTS - 1] |= 16;
    *positive = e.determinant > 0 ? below : above;
    *negative = e.determinant > 0 ? above : below;
}

/* Keeps the failures that are in both; whether there are any. */
static int NAME_helper_keep(NAME_helper_failures *all, const NAME_helper_failures *others)
{
    unsigned any = 0;
    int i;
    for (i = 0; i < MACRO_CONTACTS + MACRO_JOINTS; i++) any |= all->parts[i] &= others->parts[i];
    return any != 0;
}

/* Whether no directions of these arcs are those of a solution. The candidate is that of their middles. */
static NAME_apart int NAME_helper_excludes(const NAME_helper_laws *s, const NAME_helper_candidate *middle, const NAME_helper_arcs *arcs,
                                int *budget)
{
    NAME_helper_failures all[2], at[2];
    int corner[MACRO_CONTACTS] = {0}, is_first = 1, is_next = 1, k;
    while (is_next) {
        NAME_helper_modes modes = middle->modes;
        for (k = 0; k < s->p; k++) {
            const NAME_real *const from = arcs->from[k], *const to = arcs->to[k];
            if (!NAME_helper_is_sought(s, &modes, k)) continue;
            if (corner[k] < 2) {
                NAME_helper_slide(&modes, k, corner[k] == 0 ? from[0] : to[0], corner[k] == 0 ? from[1] : to[1]);
            } else {
                const NAME_real outer = 1 + from[0] * to[0] + from[1] * to[1];
                NAME_helper_slide(&modes, k, (from[0] + to[0]) / outer, (from[1] + to[1]) / outer);
            }
        }
        if (*budget > 0) --*budget;
        NAME_helper_set_failures(s, &modes, middle->x, arcs, &at[0], &at[1]);
        for (k = 0; k < 2; k++) {
            if (is_first) all[k] = at[k];
            if (!NAME_helper_keep(&all[k], &at[k])) return 0;
        }
        is_first = is_next = 0;
        for (k = 0; k < s->p && !is_next; k++) {
            if (!NAME_helper_is_sought(s, &modes, k)) continue;
            is_next = corner[k] < 2;
            corner[k] = is_next ? corner[k] + 1 : 0;
        }
    }
    return 1;
}

/* Searches a solution with these modes, where contacts that begin to slide in space may do so in a quarter of all directions:
   0, or 5 if there is none, or 3 if there may be one. */
static NAME_apart int NAME_helper_bisect(const NAME_helper_laws *s, const NAME_helper_modes *modes, int *budget, NAME_helper_candidate *c)
{
    unsigned long long path = 0;
    int without_force[MACRO_CONTACTS] = {0}, count = 0, depth = 0, status = 5, k;
    for (k = 0; k < s->p; k++) count += NAME_helper_is_sought(s, modes, k);
    for (;;) {
        NAME_helper_arcs arcs;
        int is_refuted;
        NAME_helper_set_arcs(s, modes, count, path, depth, &arcs);
        c->modes = *modes;
        for (k = 0; k < s->p; k++)
            if (NAME_helper_is_sought(s, modes, k))
                NAME_helper_direct(arcs.from[k][0] + arcs.to[k][0], arcs.from[k][1] + arcs.to[k][1], c->modes.direction[k]);
        NAME_helper_solve_modes(s, without_force, c);
        if (c->excess == 0) return 0;
        *budget = *budget > 2 ? *budget - 2 : 0;
        is_refuted = count == 0 ? c->dependent < 0 && !c->is_hidden : NAME_helper_excludes(s, c, &arcs, budget);
        if (!is_refuted && depth == 0) {
            const int contradiction = NAME_helper_contradicts(s, modes);
            if (contradiction == 1) return 5;
            if (contradiction == 2) {
                c->is_hidden = 1;
                return 3;
            }
        }
        if (!is_refuted) {
            /* Rows that depend on each other in all directions are not refuted by short arcs. */
            const int most = count * (c->dependent < 0 ? 12 : 1);
            if (count > 0) {
                NAME_real x[MACRO_LAWS];
                for (k = 0; k < s->size; k++) x[k] = c->x[k];
                NAME_helper_refine(s, x, c);
                if (c->excess == 0) return 0;
                *budget = *budget > 24 ? *budget - 24 : 0;
            }
            if (depth < (most < 63 ? most : 63) && *budget > 0) {
                path <<= 1;
                depth++;
                continue;
            }
            status = 3;
        }
        /* The next arcs are the other half of the last ones with another half. */
        while (path & 1) {
            path >>= 1;
            depth--;
        }
        if (depth == 0) return status;
        path |= 1;
    }
}

/* The modes of a contact: open, at rest, and each quarter of the directions in space, two directions in a plane. */
static int NAME_helper_choices(const NAME_helper_laws *s, int k)
{
    return !s->is_closed[k] ? 1 : s->slips[k] == 0 ? 2 : s->slips[k] == 1 ? 4 : 6;
}

/* The number of combinations of modes, or one more than the most that are tried. */
static int NAME_helper_combinations(const NAME_helper_laws *s)
{
    int count = 1, k;
    for (k = 0; k < s->p + s->m && count <= 65536; k++)
        count *= k < s->p ? NAME_helper_choices(s, k) : s->is_free[k - s->p] ? 1 : 3;
    return count;
}

/* The first of all combinations of modes in which the laws hold, open contacts first: 0, or the error. */
static NAME_apart int NAME_helper_enumerate(const NAME_helper_laws *s, int is_spatial, NAME_helper_candidate *c)
{
    const NAME_real quarters[4][2] = {{(NAME_real)0.8, (NAME_real)0.6}, {(NAME_real)-0.6, (NAME_real)0.8},
                                      {(NAME_real)-0.8, (NAME_real)-0.6}, {(NAME_real)0.6, (NAME_real)-0.8}};
    const int combinations = NAME_helper_combinations(s);
    int budget = 16384, error = 5, number, k;
    if (combinations > 65536) return 3;
    for (number = 0; number < combinations; number++) {
        NAME_helper_modes modes;
        int rest = number, status;
        NAME_helper_start(s, &modes);
        for (k = 0; k < s->p; k++) {
            const int base = NAME_helper_choices(s, k), digit = rest % base;
            rest /= base;
            if (digit == 0) continue;
            if (s->slips[k] == 0) NAME_helper_slide(&modes, k, s->direction[k][0], s->direction[k][1]);
            else if (digit == 1) modes.contact[k] = 1;
            else if (s->slips[k] == 1) NAME_helper_slide(&modes, k, (NAME_real)(digit == 2 ? 1 : -1), 0);
            else NAME_helper_slide(&modes, k, quarters[digit - 2][0], quarters[digit - 2][1]);
        }
        for (k = 0; k < s->m; k++) {
            if (s->is_free[k]) continue;
            modes.joint[k] = (NAME_real)(rest % 3 == 0 ? 0 : rest % 3 == 1 ? 1 : -1);
            rest /= 3;
        }
        status = NAME_helper_bisect(s, &modes, &budget, c);
        if (status == 0) return 0;
        /* In a plane all combinations are tried. */
        if (status == 3 && (is_spatial || c->is_hidden)) error = 3;
    }
    return error;
}

/* The candidate in which all rows without rate count as held: then forces of dependent rows are shared. 0, or the error. */
static NAME_apart int NAME_helper_complete(const NAME_helper_laws *s, int serves_dependent, NAME_helper_candidate *found)
{
    NAME_helper_candidate c;
    int without_force[MACRO_CONTACTS] = {0}, k, pass;
    c.modes = found->modes;
    for (k = 0; k < s->p; k++) {
        const NAME_real *const rate = found->rate + 3 * k, *const bound = found->bound + 3 * k;
        const NAME_real most = NAME_helper_larger(bound[0], NAME_helper_larger(bound[1], bound[2]));
        const int slips = s->slips[k];
        const NAME_real slip = slips == 0 ? 0 : slips == 1 ? MACRO_F1(fabs, rate[1]) : MACRO_F2(hypot, rate[1], rate[2]);
        const int mode = found->modes.contact[k], sticks = slips > 0 && slip <= most;
        if (!s->is_closed[k]) continue;
        if (mode == 0 && rate[0] <= bound[0]) {
            if (sticks) c.modes.contact[k] = 1;
            else if (slips == 0) NAME_helper_slide(&c.modes, k, s->direction[k][0], s->direction[k][1]);
            else NAME_helper_slide(&c.modes, k, rate[1] / slip, slips > 1 ? rate[2] / slip : 0);
        } else if (mode == 2 && sticks) c.modes.contact[k] = 1;
    }
    for (k = 0; k < s->m; k++)
        if (!s->is_free[k] && MACRO_F1(fabs, found->rate[3 * s->p + k]) <= found->bound[3 * s->p + k]) c.modes.joint[k] = 0;
    NAME_helper_solve_modes(s, without_force, &c);
    if (c.dependent >= 0 && !serves_dependent) return 2;
    for (pass = 0; pass < s->p && c.excess != 0 && c.dependent >= 0; pass++) {
        /* The contact that pulls most has no force. */
        NAME_real least = 0;
        int most = -1;
        for (k = 0; k < s->p; k++)
            if (c.x[3 * k] * s->scale[3 * k] < least) {
                least = c.x[3 * k] * s->scale[3 * k];
                most = k;
            }
        if (most < 0) break;
        without_force[most] = 1;
        NAME_helper_solve_modes(s, without_force, &c);
    }
    if (c.excess == 0) *found = c;
    /* Otherwise the forces of the first candidate are right, too. */
    else found->modes = c.modes;
    return 0;
}

/* Whether no forces at all keep the gaps from closing further: then no forces of the gaps without friction do. */
static NAME_apart int NAME_helper_cannot_stay_closed(const NAME_helper_laws *s)
{
    NAME_helper_laws smooth = *s;
    NAME_helper_candidate c;
    int without_force[MACRO_CONTACTS] = {0}, k;
    for (k = 0; k < s->p; k++) {
        smooth.slips[k] = 0;
        smooth.friction[k] = smooth.direction[k][0] = smooth.direction[k][1] = 0;
    }
    for (k = 0; k < s->m; k++) smooth.is_free[k] = 1;
    if (NAME_helper_pivoted(&smooth, &c.modes)) {
        NAME_helper_solve_modes(&smooth, without_force, &c);
        if (c.excess == 0) return 0;
    }
    return NAME_helper_enumerate(&smooth, 0, &c) == 5;
}

/* Forces for which all laws hold: 0, or the error. */
static NAME_apart int NAME_helper_search(const NAME_helper_laws *s, int serves_dependent, NAME_helper_candidate *c)
{
    int without_force[MACRO_CONTACTS] = {0}, k, is_spatial = 0, has_one = 1;
    for (k = 0; k < s->p; k++) is_spatial |= s->slips[k] > 1;
    if (is_spatial) {
        NAME_helper_cones(s, c);
    } else {
        has_one = NAME_helper_pivoted(s, &c->modes);
        if (has_one) NAME_helper_solve_modes(s, without_force, c);
    }
    if (!has_one || c->excess != 0) {
        const int status = NAME_helper_enumerate(s, is_spatial, c);
        if (status == 3 && is_spatial && NAME_helper_cannot_stay_closed(s)) return 5;
        if (status != 0) return status;
    }
    return NAME_helper_complete(s, serves_dependent, c);
}

/* The equations of motion M a = f + K lambda, J a = gamma. Dependent constraints are an error, or all of them hold, or the
   independent ones hold. */
typedef struct {
    int n, c, is_redundant;
    const NAME_real *m, *j, *forces, *f, *gamma;
} NAME_helper_motion;

static NAME_apart int NAME_helper_solve_motion(const NAME_helper_motion *e, int count, int treatment, const NAME_real *f,
                                    const NAME_real *gamma, NAME_real *a, NAME_real *lambda)
{
    return e->is_redundant ? NAME_helper_redundant_solve(e->n, e->c, count, 1, treatment, e->m, e->j, e->forces, f, gamma, a, lambda, 0)
                           : NAME_helper_dense_solve(e->n, e->c, count, 1, e->m, e->j, e->forces, f, gamma, a, lambda);
}

/* The square of the length of a row in the metric of the diagonal of M^-1: about its mobility without constraints. */
static NAME_real NAME_helper_free_mobility(const NAME_helper_motion *e, const NAME_real *row)
{
    NAME_real free = 0;
    int k;
    for (k = 0; k < e->n; k++) {
        const NAME_real part = row[k] * row[k] / MACRO_F1(fabs, e->m[k * e->n + k]);
        if (part - part == 0) free += part;
    }
    return free;
}

/* W, b and the scales, with the constraints held, for the accelerations a without forces of contacts: 0, or the error. */
static NAME_apart int NAME_helper_scale_laws(NAME_helper_laws *s, const NAME_helper_motion *e, const NAME_real *a)
{
    const NAME_real none[MACRO_LAWS * MACRO_ROWS] = {0};
    NAME_real response[MACRO_LAWS * MACRO_VELOCITIES], multipliers[MACRO_LAWS * MACRO_ROWS];
    const int n = e->n;
    int present[MACRO_LAWS], i, j, k, status;
    for (k = 0; k < s->p; k++) {
        present[3 * k] = s->is_closed[k];
        for (i = 0; i < 2; i++)
            present[3 * k + 1 + i] = s->slips[k] > 0 ? s->slips[k] > i : s->direction[k][i] * s->friction[k] != 0;
    }
    for (k = 0; k < s->m; k++) present[3 * s->p + k] = !s->is_free[k];
    status = NAME_helper_solve_motion(e, s->size, 0, s->row, none, response, multipliers);
    if (status != 0) return status;
    for (i = 0; i < s->size; i++) {
        const NAME_real *const row = s->row + i * n;
        const NAME_real rounding = 64 * (NAME_real)n * NAME_helper_epsilon(), free = NAME_helper_free_mobility(e, row);
        NAME_real rate = 0, size = 0;
        for (j = 0; j < s->size; j++) {
            s->w[i][j] = 0;
            for (k = 0; k < n && present[i] && present[j]; k++) s->w[i][j] += row[k] * response[j * n + k];
        }
        s->b[i] = s->noise[i] = s->scale[i] = 0;
        if (!present[i]) continue;
        for (k = 0; k < n; k++) {
            rate += row[k] * a[k];
            size += MACRO_F1(fabs, row[k] * a[k]);
        }
        s->b[i] = rate + s->offset[i];
        s->noise[i] = s->offset_noise[i] + (size + MACRO_F1(fabs, s->offset[i])) * 32 * NAME_helper_epsilon();
        /* A mobility that is rounding beside that without constraints is none. */
        if (s->w[i][i] > free * rounding) s->scale[i] = 1 / MACRO_F1(sqrt, s->w[i][i]);
        /* What rounding leaves of forces that the constraints balance. */
        else s->noise[i] += MACRO_F1(sqrt, free * NAME_helper_free_mobility(e, e->f)) * rounding;
    }
    for (k = 0; k < s->p; k++) {
        NAME_real *const scale = s->scale + 3 * k;
        /* The larger mobility has the smaller scale; a scale of 0 is one that nothing moves. */
        const NAME_real common = scale[1] == 0 || (scale[2] < scale[1] && scale[2] != 0) ? scale[2] : scale[1];
        for (i = 1; i < 3; i++)
            if (scale[i] != 0) scale[i] = common;
        /* Friction along a velocity that nothing changes does not matter. */
        s->friction[k] = common > 0 ? s->friction[k] * scale[0] / common : 0;
        if (s->is_closed[k] && scale[0] == 0 && s->b[3 * k] < -s->noise[3 * k]) return 5;
    }
    for (k = 0; k < s->m; k++)
        if (s->scale[3 * s->p + k] > 0) s->limit[k] /= s->scale[3 * s->p + k];
    for (i = 0; i < s->size; i++) {
        for (j = 0; j < s->size; j++) s->w[i][j] *= s->scale[i] * s->scale[j];
        s->b[i] *= s->scale[i];
        s->noise[i] *= s->scale[i];
        if (!(NAME_helper_all_finite(s->w[i], s->size) && NAME_helper_all_finite(s->b + i, 1))) return 4;
    }
    return 0;
}

static NAME_real NAME_helper_largest_force(const NAME_real *x, int size)
{
    NAME_real largest = 0;
    int i;
    for (i = 0; i < size; i++) largest = NAME_helper_larger(largest, MACRO_F1(fabs, x[i]));
    return largest;
}

/* Adds forces along the rows to others, which may be the results. */
static void NAME_helper_add_along(const NAME_helper_laws *s, int n, const NAME_real *x, const NAME_real *others, NAME_real *total)
{
    int i, k;
    for (k = 0; k < n; k++) {
        NAME_real sum = 0;
        for (i = 0; i < s->size; i++)
            if (x[i] != 0) sum += s->row[i * n + k] * x[i];
        total[k] = others[k] + sum;
    }
}

/* The scaled rates of the held rows, 0 in others, for the accelerations x; the largest one without its scale. */
static NAME_real NAME_helper_rates_of_held(const NAME_helper_laws *s, int n, const int *held, const NAME_real *x, NAME_real *rate)
{
    NAME_real largest = 0;
    int i, k;
    for (i = 0; i < s->size; i++) {
        rate[i] = 0;
        for (k = 0; k < n && held[i]; k++) rate[i] += s->row[i * n + k] * x[k];
        if (held[i]) rate[i] += s->offset[i];
        largest = NAME_helper_larger(largest, MACRO_F1(fabs, rate[i]));
        rate[i] *= s->scale[i];
    }
    return largest;
}

/* The motion in which all laws hold, with its forces and modes and the largest rate of a row that is held: 0, or the
   error. */
static NAME_apart int NAME_helper_solve_laws(NAME_helper_laws *s, const NAME_helper_motion *e, int serves_dependent, NAME_real *x,
                                  NAME_real *lambda, NAME_helper_candidate *found, NAME_real *residual)
{
    const NAME_real none[MACRO_ROWS] = {0};
    NAME_real total[MACRO_VELOCITIES], change[MACRO_VELOCITIES], unread[MACRO_ROWS];
    NAME_real rate[MACRO_LAWS], correction[MACRO_LAWS], scaled[MACRO_LAWS], last;
    NAME_helper_equations equations;
    const int n = e->n;
    int held[MACRO_LAWS], i, k, pass, status = 0;
    /* A comparison with NaN would choose a mode. */
    if (!NAME_helper_all_finite(s->friction, s->p) || !NAME_helper_all_finite(s->limit, s->m) || !NAME_helper_all_finite(s->offset, s->size))
        return 4;
    status = NAME_helper_solve_motion(e, 1, 1, e->f, e->gamma, x, lambda);
    if (status == 0) status = NAME_helper_scale_laws(s, e, x);
    if (status == 0) status = NAME_helper_search(s, serves_dependent, found);
    if (status != 0) return status;
    NAME_helper_held(s, &found->modes, held);
    for (i = 0; i < s->size; i++) scaled[i] = found->x[i];
    last = NAME_helper_largest_force(scaled, s->size) / 4;
    /* At most four refinements, each of which brings some digits. */
    for (pass = 0; pass < 5; pass++) {
        const NAME_real rounding = 16 * NAME_helper_epsilon() * NAME_helper_largest_force(scaled, s->size);
        NAME_real most;
        for (i = 0; i < s->size; i++) found->x[i] = scaled[i] * s->scale[i];
        /* A force that pulls is a rounding error. */
        for (k = 0; k < s->p; k++) found->x[3 * k] = NAME_helper_larger(0, found->x[3 * k]);
        NAME_helper_add_along(s, n, found->x, e->f, total);
        status = NAME_helper_solve_motion(e, 1, 1, total, e->gamma, x, lambda);
        if (status != 0) return status;
        (void)NAME_helper_rates_of_held(s, n, held, x, rate);
        (void)NAME_helper_corrections(s, &found->modes, held, rate, correction, &equations);
        most = NAME_helper_largest_force(correction, s->size);
        if (pass == 4 || !(most > rounding && most < last)) break;
        /* Forces of rows that nearly depend on each other have errors larger than rounding. */
        for (i = 0; i < s->size; i++) scaled[i] += correction[i];
        last = most / 2;
    }
    /* Large forces that cancel leave rounding errors in the rates. */
    for (i = 0; i < s->size; i++) correction[i] *= s->scale[i];
    for (k = 0; k < n; k++) total[k] = 0;
    NAME_helper_add_along(s, n, correction, total, total);
    status = NAME_helper_solve_motion(e, 1, 0, total, none, change, unread);
    if (status != 0) return status;
    for (k = 0; k < n; k++) x[k] += change[k];
    *residual = NAME_helper_rates_of_held(s, n, held, x, rate);
    return NAME_helper_all_finite(found->x, s->size) && NAME_helper_all_finite(x, n) && NAME_helper_all_finite(lambda, e->c) ? 0 : 4;
}

/* The results of `friction_terms`, of which some are columns of p or rows of n numbers. */
typedef struct {
    const NAME_real *gap_bounds, *rate_bounds, *slips[2], *slip_bounds[2], *rows[2], *gammas[2], *friction, *restitution, *limits;
} NAME_helper_terms;

static void NAME_helper_set_terms(NAME_helper_terms *terms, int n, int p, const NAME_real *all)
{
    int i;
    terms->gap_bounds = all;
    terms->rate_bounds = all + p;
    for (i = 0; i < 2; i++) {
        terms->slips[i] = all + (2 + i) * p;
        terms->slip_bounds[i] = all + (4 + i) * p;
        terms->rows[i] = all + (6 + i * n) * p;
        terms->gammas[i] = all + (6 + 2 * n + i) * p;
    }
    terms->friction = all + (8 + 2 * n) * p;
    terms->restitution = all + (9 + 2 * n) * p;
    terms->limits = all + (10 + 2 * n) * p;
}

/* Contacts that are not closed, and dry joints at rest. A dry joint has the velocity of a number. */
static void NAME_helper_set_laws(NAME_helper_laws *s, int n, int p, int m, const NAME_real *joints, const NAME_real *limits)
{
    int i, k;
    s->p = p;
    s->m = m;
    s->size = 3 * p + m;
    for (i = 0; i < s->size; i++) s->offset[i] = s->offset_noise[i] = 0;
    for (i = 0; i < s->size * n; i++) s->row[i] = 0;
    for (k = 0; k < p; k++) {
        s->is_closed[k] = s->slips[k] = 0;
        s->friction[k] = s->direction[k][0] = s->direction[k][1] = 0;
    }
    for (k = 0; k < m; k++) {
        s->is_free[k] = 0;
        s->limit[k] = limits[k] < 0 ? 0 : limits[k];
        s->row[(3 * p + k) * n + (int)joints[k]] = 1;
    }
}

/* Closes a contact with so many sliding velocities, and with friction at rest. */
static void NAME_helper_close(NAME_helper_laws *s, int k, int n, int slips, const NAME_real *rows, const NAME_helper_terms *terms)
{
    int i, at;
    s->is_closed[k] = 1;
    for (at = 0; at < n; at++) {
        s->row[3 * k * n + at] = rows[k * n + at];
        for (i = 0; i < slips; i++) s->row[(3 * k + 1 + i) * n + at] = terms->rows[i][k * n + at];
    }
    if (slips == 0 || terms->friction[k] <= 0) return;
    s->slips[k] = slips;
    s->friction[k] = terms->friction[k];
}
/* [contact_motion] */
/* The motion where each of the active contacts opens or stays closed, slides or sticks by itself. `all` are the terms of
   friction, `slips` the numbers of sliding velocities, `joints` those of the velocities of dry joints. */
static NAME_apart int NAME_helper_contact_motion(int n, int c, int p, int m, int is_redundant, const NAME_real *mass, const NAME_real *j,
                                      const NAME_real *f, const NAME_real *gamma, const NAME_real *rows, const NAME_real *all,
                                      const NAME_real *slips, const NAME_real *joints, const NAME_real *v,
                                      const NAME_real *active, const NAME_real *gap_rates, const NAME_real *gammas,
                                      NAME_real *a, NAME_real *lambda, NAME_real *forces, NAME_real *frictions,
                                      NAME_real *modes, NAME_real *joint_forces, NAME_real *held)
{
    NAME_helper_laws s;
    NAME_helper_terms terms;
    NAME_helper_candidate found;
    NAME_helper_motion e;
    NAME_real total[MACRO_VELOCITIES], x[MACRO_VELOCITIES], multipliers[MACRO_ROWS], residual;
    int i, k, status;
    NAME_helper_set_terms(&terms, n, p, all);
    NAME_helper_set_laws(&s, n, p, m, joints, terms.limits);
    for (k = 0; k < p; k++) {
        const int count = (int)slips[k];
        const NAME_real first = terms.slips[0][k], second = terms.slips[1][k];
        if (active[k] == 0) continue;
        if (!NAME_helper_all_finite(&gap_rates[k], 1) || !NAME_helper_all_finite(&first, 1) || !NAME_helper_all_finite(&second, 1))
            return 4;
        if (gap_rates[k] > terms.rate_bounds[k]) continue;
        NAME_helper_close(&s, k, n, count, rows, &terms);
        s.offset[3 * k] = -gammas[k];
        for (i = 0; i < count; i++) s.offset[3 * k + 1 + i] = -terms.gammas[i][k];
        if (s.slips[k] > 0 && (MACRO_F1(fabs, first) > terms.slip_bounds[0][k] || MACRO_F1(fabs, second) > terms.slip_bounds[1][k])) {
            const NAME_real length = MACRO_F2(hypot, first, second);
            s.slips[k] = 0;
            s.direction[k][0] = first / length;
            s.direction[k][1] = second / length;
        }
    }
    for (i = 0; i < n; i++) total[i] = f[i];
    for (k = 0; k < m; k++) {
        const NAME_real speed = v[(int)joints[k]];
        s.is_free[k] = speed != 0;
        if (s.is_free[k]) total[(int)joints[k]] -= speed > 0 ? s.limit[k] : -s.limit[k];
    }
    e.n = n, e.c = c, e.is_redundant = is_redundant;
    e.m = mass, e.j = j, e.forces = 0, e.f = total, e.gamma = gamma;
    status = NAME_helper_solve_laws(&s, &e, is_redundant, x, multipliers, &found, &residual);
    if (status != 0) return status;
    for (k = 0; k < p; k++) {
        forces[k] = found.x[3 * k];
        for (i = 0; i < 2; i++) frictions[2 * k + i] = found.x[3 * k + 1 + i];
        modes[k] = (NAME_real)found.modes.contact[k];
    }
    for (k = 0; k < m; k++) {
        joint_forces[k] = !s.is_free[k] ? found.x[3 * p + k] : v[(int)joints[k]] > 0 ? -s.limit[k] : s.limit[k];
        held[k] = (NAME_real)(!s.is_free[k] && found.modes.joint[k] == 0);
        if (held[k] != 0) x[(int)joints[k]] = 0;
    }
    for (i = 0; i < n; i++) a[i] = x[i];
    for (i = 0; i < c; i++) lambda[i] = multipliers[i];
    return 0;
}
/* [contact_impact] */
/* The velocity at the end of a step of Moreau and Jean, for impulses f and gamma, and the impulses of contacts. */
static NAME_apart int NAME_helper_contact_impact(int n, int c, int p, int m, int is_redundant, const NAME_real *mass, const NAME_real *j,
                                      const NAME_real *reactions, const NAME_real *f, const NAME_real *gamma,
                                      const NAME_real *rows, const NAME_real *all, const NAME_real *slips,
                                      const NAME_real *joints, const NAME_real *v, const NAME_real *gaps,
                                      const NAME_real *gap_rates, const NAME_real *h, NAME_real *velocity,
                                      NAME_real *impulses, NAME_real *frictions, NAME_real *residual)
{
    NAME_helper_laws s;
    NAME_helper_terms terms;
    NAME_helper_candidate found;
    NAME_helper_motion e;
    NAME_real x[MACRO_VELOCITIES], multipliers[MACRO_ROWS], largest;
    int i, k, status;
    NAME_helper_set_terms(&terms, n, p, all);
    NAME_helper_set_laws(&s, n, p, m, joints, terms.limits);
    for (k = 0; k < p; k++) {
        const int count = (int)slips[k];
        if (!(gaps[k] <= terms.gap_bounds[k])) continue;
        NAME_helper_close(&s, k, n, count, rows, &terms);
        s.offset[3 * k] = gap_rates[k] * (1 + terms.restitution[k]);
        s.offset_noise[3 * k] = terms.rate_bounds[k];
        for (i = 0; i < count; i++) {
            s.offset[3 * k + 1 + i] = terms.slips[i][k];
            s.offset_noise[3 * k + 1 + i] = terms.slip_bounds[i][k];
        }
    }
    for (k = 0; k < m; k++) {
        s.limit[k] *= MACRO_F1(fabs, *h);
        s.offset[3 * p + k] = v[(int)joints[k]];
    }
    e.n = n, e.c = c, e.is_redundant = is_redundant;
    e.m = mass, e.j = j, e.forces = reactions, e.f = f, e.gamma = gamma;
    status = NAME_helper_solve_laws(&s, &e, 1, x, multipliers, &found, &largest);
    if (status != 0) return status;
    for (i = 0; i < n; i++) velocity[i] = v[i] + x[i];
    for (k = 0; k < m; k++)
        if (found.modes.joint[k] == 0) velocity[(int)joints[k]] = 0;
    for (k = 0; k < p; k++) {
        impulses[k] = found.x[3 * k];
        for (i = 0; i < 2; i++) frictions[2 * k + i] = found.x[3 * k + 1 + i];
    }
    *residual = largest;
    return 0;
}
