/* For each start from `first` on: the step after which b is first beyond pi, negative for -pi, or 0 if there is none.
   It is compiled after the exported text. */
extern "C" __global__ void flips(double m1, double m2, double l1, double l2, double g, unsigned int size,
                                 unsigned int first, unsigned int count, int steps, double h, int *results)
{
    const double_pendulum<double> system = {m1, m2, l1, l2, g};
    const double pi = 3.14159265358979323846;
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const unsigned int column = (first + i) % size, row = size - 1 - (first + i) / size;
    double q[2] = {pi * ((2 * column + 1) / (double)size - 1), pi * ((2 * row + 1) / (double)size - 1)};
    double v[2] = {0, 0};
    int result = 0;
    for (int step = 1; step <= steps && result == 0; step++) {
        if (double_pendulum_rk4_step(&system, q, v, h, q, v) != 0) break;
        if (q[1] > pi) result = step;
        if (q[1] < -pi) result = -step;
    }
    results[i] = result;
}
