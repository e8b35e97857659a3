/* Does what the Rust program does, by the exported C: a cart-pole under its feedback, and a four-bar linkage kept closed.
   Prints the numbers, and on the board the stack of each function. */

#include "cart_pole.c"
#include "four_bar.c"

typedef CART_POLE_REAL real;

/* Text to the computer that emulates the board, and the end of the program. */
static int host(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void text(const char *words) { host(4, words); }

static void leave(void)
{
    for (;;) host(0x18, (void *)0x20026);
}

/* The bits of a number, as Rust prints them. */
static void hexadecimal(real value)
{
    const unsigned char *bytes = (const unsigned char *)&value;
    char digits[2 * sizeof(real) + 2], *to = digits;
    for (unsigned at = sizeof(real); at-- > 0;) {
        *to++ = "0123456789abcdef"[bytes[at] >> 4];
        *to++ = "0123456789abcdef"[bytes[at] & 15];
    }
    *to++ = '\n';
    *to = 0;
    text(digits);
}

static void decimal(unsigned value)
{
    char digits[12], *to = digits + 11;
    *to = 0;
    do *--to = (char)('0' + value % 10);
    while (value /= 10);
    text(to);
}

static void report(const char *name, const real *values, int count)
{
    for (int i = 0; i < count; i++) {
        text(name);
        hexadecimal(values[i]);
    }
}

static void must(int error)
{
    if (error != 0) {
        text("failed\n");
        leave();
    }
}

static const cart_pole cart = {1, (real)0.2, (real)0.5, (real)9.81};
static const four_bar linkage = {1, (real)9.81};

static void simulate(void)
{
    const real dt = (real)(1.0 / 500);
    real q[3] = {0, (real)0.2}, v[3] = {0, 0}, u[1], a[3], lambda[2];
    for (int second = 0; second < 5; second++) {
        for (int step = 0; step < 500; step++) {
            u[0] = -((real)-3.16227766 * q[0] + (real)-38.93309136 * q[1] + (real)-4.30242831 * v[0] +
                     (real)-8.36426112 * v[1]);
            must(cart_pole_acceleration(&cart, q, v, u, a));
            for (int i = 0; i < 2; i++) v[i] += a[i] * dt;
            for (int i = 0; i < 2; i++) q[i] += v[i] * dt;
        }
        report("cart ", q, 2);
        report("cart ", v, 2);
    }
    const real start[3] = {1, (real)0.3, (real)1.6}, rest[3] = {0, 0, 0};
    real next_q[3], next_v[3];
    u[0] = (real)0.5;
    must(four_bar_project(&linkage, start, rest, q, v));
    for (int part = 0; part < 4; part++) {
        for (int step = 0; step < 250; step++) {
            must(four_bar_solve(&linkage, q, v, u, a, lambda));
            for (int i = 0; i < 3; i++) v[i] += a[i] * dt;
            for (int i = 0; i < 3; i++) q[i] += v[i] * dt;
            must(four_bar_project(&linkage, q, v, next_q, next_v));
            for (int i = 0; i < 3; i++) q[i] = next_q[i], v[i] = next_v[i];
        }
        report("linkage ", q, 3);
        report("linkage ", v, 3);
        report("linkage ", lambda, 2);
    }
}

/* Calls of one function each, with results as the Rust methods return them. */
static real q2[2] = {(real)0.1, (real)0.2}, v2[2] = {(real)0.1, (real)0.2}, one[1] = {1};
static real q3[3] = {1, (real)0.3, (real)1.6}, v3[3];
static volatile real kept;
#define CALL(name, length, call) \
    static __attribute__((noinline)) void name(void) \
    { \
        real r[length]; \
        call; \
        kept = r[0]; \
    }
CALL(cart_mass_matrix, 4, cart_pole_mass_matrix(&cart, q2, r))
CALL(cart_acceleration, 2, cart_pole_acceleration(&cart, q2, v2, one, r))
CALL(cart_unchecked, 2, cart_pole_acceleration_unchecked(&cart, q2, v2, one, r))
CALL(cart_linearize, 20, cart_pole_linearize(&cart, q2, v2, one, r, r + 16))
CALL(bars_mass_matrix, 9, four_bar_mass_matrix(&linkage, q3, r))
CALL(bars_solve, 5, four_bar_solve(&linkage, q3, v3, one, r, r + 3))
CALL(bars_project, 6, four_bar_project(&linkage, q3, v3, r, r + 3))
CALL(bars_linearize, 42, four_bar_linearize(&linkage, q3, v3, one, r, r + 36))

/* How many bytes below its own stack a call wrote to. */
static __attribute__((noinline)) unsigned stack_of(void (*call)(void))
{
    enum { DEPTH = 4096, ABOVE = 32 };
    unsigned *low, untouched = 0;
    __asm__ volatile("mov %0, sp" : "=r"(low));
    low -= DEPTH;
    for (volatile unsigned *at = low; at < low + DEPTH - ABOVE; at++) *at = 0xa5a55a5a;
    call();
    for (volatile unsigned *at = low; at < low + DEPTH - ABOVE && *at == 0xa5a55a5a; at++) untouched++;
    return 4 * (DEPTH - untouched);
}

static void stack(const char *method, void (*call)(void))
{
    text("stack ");
    text(method);
    decimal(stack_of(call));
    text("\n");
}

extern void *top_of_stack;

void reset(void)
{
    /* The floating-point unit. */
    *(volatile unsigned *)0xe000ed88 |= 0xf << 20;
    __asm__ volatile("dsb\n isb");
    simulate();
    stack("CartPole::mass_matrix ", cart_mass_matrix);
    stack("CartPole::acceleration ", cart_acceleration);
    stack("CartPole::acceleration_unchecked ", cart_unchecked);
    stack("CartPole::linearize ", cart_linearize);
    stack("FourBar::mass_matrix ", bars_mass_matrix);
    stack("FourBar::solve ", bars_solve);
    stack("FourBar::project ", bars_project);
    stack("FourBar::linearize ", bars_linearize);
    leave();
}

__attribute__((section(".vectors"), used)) static void *const vectors[] = {&top_of_stack, reset};
