/* Calls of functions for CasADi, by what they say of themselves. */
#include <stdio.h>
#include <string.h>

typedef long long int integer;
typedef int (*function)(const double **, double **, integer *, double *, int);

typedef struct {
    function value, derivative;
    integer inputs, outputs, derivative_inputs, derivative_outputs;
    const char *(*input)(integer);
    const integer *(*of_input)(integer), *(*of_output)(integer), *(*of_derivative)(integer);
} described;

/* The entry of a matrix in a pattern; `found` tells whether the pattern has it. */
static double entry(const integer *pattern, const double *values, integer i, integer j, int *found)
{
    const integer *row = pattern + 3 + pattern[1];
    integer k;
    for (k = pattern[2 + j]; k < pattern[3 + j]; k++)
        if (row[k] == i) {
            *found = 1;
            return values[k];
        }
    *found = 0;
    return 0;
}

/* All outputs, row by row; zeros after an error. */
static int evaluate(const described *of, const double **arguments, double *to)
{
    static double values[16][4096];
    double *results[16];
    integer k, i, j;
    int found, status;
    for (k = 0; k < of->outputs; k++) results[k] = values[k];
    status = of->value(arguments, results, 0, 0, 0);
    for (k = 0; k < of->outputs; k++) {
        const integer *pattern = of->of_output(k);
        for (i = 0; i < pattern[0]; i++)
            for (j = 0; j < pattern[1]; j++)
                *to++ = status ? 0 : entry(pattern, values[k], i, j, &found);
    }
    return status;
}

static void show(const described *of, const double **arguments)
{
    static double values[65536];
    const int status = evaluate(of, arguments, values);
    integer k, i, count = 0;
    for (k = 0; k < of->outputs; k++) count += of->of_output(k)[0] * of->of_output(k)[1];
    printf("%d", status);
    for (i = 0; i < count; i++) printf(" %.17g", values[i]);
    printf("\n");
}

static double absolute(double x)
{
    return x < 0 ? -x : x;
}

/* The largest error of a derivative beside differences, and the largest difference without an entry, both by the largest
   entry of the block; -1 if an evaluation fails. */
static void compare(const described *of, const double **arguments, const integer *rotations, int count)
{
    static double blocks[256][65536], ahead[4][65536], moved[4096], by[4096][64];
    double *results[256], error = 0, missing = 0;
    const double *given[32];
    integer input, k, i, j, c;
    int r, found;
    if (!of->derivative) return;
    for (k = 0; k < of->derivative_outputs; k++) results[k] = blocks[k];
    for (k = 0; k < of->derivative_inputs; k++) given[k] = k < of->inputs ? arguments[k] : 0;
    if (of->derivative(given, results, 0, 0, 0)) {
        printf("-1 -1\n");
        return;
    }
    for (input = 0; input < of->inputs; input++) {
        const integer length = of->of_input(input)[0];
        const char *name = of->input(input);
        const int turns = name[0] == 'q' || !strcmp(name, "y");
        integer first = 0;
        if (!strcmp(name, "active")) continue;
        for (k = 0; k < length; k++) moved[k] = arguments[input][k];
        given[input] = moved;
        for (k = 0; k < of->outputs; k++) {
            const integer *pattern = of->of_output(k), rows = pattern[0], columns = pattern[1];
            const integer *derivative = of->of_derivative(k * of->inputs + input);
            double scale = 0;
            for (c = 0; c < length; c++) {
                const double x = arguments[input][c], h = 1e-3 * (absolute(x) + 0.01);
                const double steps[4] = {1, -1, 2, -2};
                for (i = 0; i < 4; i++) {
                    moved[c] = x + h * steps[i];
                    if (evaluate(of, given, ahead[i])) {
                        printf("-1 -1\n");
                        return;
                    }
                }
                moved[c] = x;
                for (i = 0; i < rows * columns; i++) {
                    const integer at = first + i;
                    by[i][c] = (8 * (ahead[0][at] - ahead[1][at]) - (ahead[2][at] - ahead[3][at])) / (12 * h);
                }
            }
            /* Along the turns of a quaternion. */
            for (i = 0; i < rows * columns; i++)
                for (r = 0; turns && r < count; r++) {
                    const double *q = arguments[input] + rotations[r];
                    double along = 0;
                    for (c = 0; c < 4; c++) along += q[c] * by[i][rotations[r] + c];
                    for (c = 0; c < 4; c++) by[i][rotations[r] + c] -= q[c] * along;
                }
            for (i = 0; i < rows * columns; i++)
                for (c = 0; c < length; c++)
                    if (absolute(by[i][c]) > scale) scale = absolute(by[i][c]);
            for (i = 0; i < rows; i++)
                for (j = 0; j < columns; j++)
                    for (c = 0; c < length; c++) {
                        const double x = entry(derivative, blocks[k * of->inputs + input], j * rows + i, c, &found);
                        const double off = absolute(x - by[i * columns + j][c]) / (scale + 1);
                        if (off > error) error = off;
                        if (!found && off > missing) missing = off;
                    }
            first += rows * columns;
        }
        given[input] = arguments[input];
    }
    printf("%g %g\n", error, missing);
}
