/* A cart-pole that falls over, and the energy that it keeps. */

#include <stdio.h>

#include "cart_pole.c"

int main(void)
{
    const cart_pole system = {1.0, 0.3, 0.7, 9.81};
    const double u[1] = {0};
    double q[2] = {0, 0.1}, v[2] = {0, 0}, before, after;
    int i;
    (void)cart_pole_energy(&system, q, v, &before);
    for (i = 0; i < 200; i++)
        if (cart_pole_rk4_step(&system, q, v, u, 0.01, q, v) != 0) return 1;
    (void)cart_pole_energy(&system, q, v, &after);
    printf("x = %.6f m, theta = %.6f rad, energy changed by %.1e J\n", q[0], q[1], after - before);
    return 0;
}
