/* Measures the kernels of one system: accelerations with and without a check, and steps in registers. Before it the program
   defines SYSTEM, COORDINATES, VELOCITIES, INPUTS and STATES; after it parameters, and states_q, _v, _u and _a, one state after
   the other, where _a are the accelerations by Rust. By nvcc it runs on the GPU; by a compiler of C++ it only compares, on this
   computer. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#ifdef __CUDACC__

#define LAUNCH(kernel) kernel<<<(batch + 127) / 128, 128>>>

static void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

template <typename T> static T *reserved(size_t count)
{
    T *place = nullptr;
    must(cudaMalloc(&place, count * sizeof(T)), "memory of the GPU");
    return place;
}

template <typename T> static void upload(T *to, const std::vector<T> &from)
{
    must(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "upload");
}

template <typename T> static void download(std::vector<T> &to, const T *from)
{
    must(cudaMemcpy(to.data(), from, to.size() * sizeof(T), cudaMemcpyDeviceToHost), "download");
}

/* The least time of a call in seconds. */
template <typename F> static double time_of(F call)
{
    const int rounds = 10, calls = 5;
    cudaEvent_t begin, end;
    double least = INFINITY;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    call();
    for (int round = 0; round < rounds; round++) {
        cudaEventRecord(begin);
        for (int i = 0; i < calls; i++) call();
        cudaEventRecord(end);
        must(cudaEventSynchronize(end), "kernel");
        float milliseconds;
        cudaEventElapsedTime(&milliseconds, begin, end);
        least = fmin(least, 1e-3 * milliseconds / calls);
    }
    return least;
}

#else

#define __host__
#define __device__
#define __global__ static
struct coordinates { unsigned int x, y, z; };
static const coordinates blockIdx = {0, 0, 0}, threadIdx = {0, 0, 0}, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
#define LAUNCH(kernel) kernel
template <typename T> static T *reserved(size_t count) { return (T *)malloc(count * sizeof(T)); }
template <typename T> static void upload(T *to, const std::vector<T> &from)
{
    for (size_t i = 0; i < from.size(); i++) to[i] = from[i];
}
template <typename T> static void download(std::vector<T> &to, const T *from)
{
    for (size_t i = 0; i < to.size(); i++) to[i] = from[i];
}
/* Nothing is timed without a GPU. */
template <typename F> static double time_of(F call)
{
    call();
    return NAN;
}

#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#define KERNEL(function) LAUNCH(JOIN(SYSTEM, function)<S>)

/* A batch that repeats the states: entry k of state i at k * batch + i. */
template <typename S> static std::vector<S> batched(const double *states, int length, int batch)
{
    std::vector<S> all((size_t)length * batch + 1);
    for (int k = 0; k < length; k++)
        for (int i = 0; i < batch; i++) all[(size_t)k * batch + i] = (S)states[(i % STATES) * length + k];
    return all;
}

/* The largest deviation from Rust, relative to the largest acceleration of the state. */
template <typename S> static double deviation(const std::vector<S> &a, const double *expected, int batch)
{
    double worst = 0;
    for (int i = 0; i < batch; i++) {
        const double *state = expected + (i % STATES) * VELOCITIES;
        double size = 0, off = 0;
        for (int k = 0; k < VELOCITIES; k++) {
            size = fmax(size, fabs(state[k]));
            off = fmax(off, fabs((double)a[(size_t)k * batch + i] - state[k]));
        }
        if (!(off <= worst * size)) worst = off / size;
    }
    return worst;
}

#if INPUTS > 0
#define WITH_INPUTS u,
#else
#define WITH_INPUTS
#endif

/* The program: after the texts of the system, and the states. The parameters have the defaults of the declaration. */
#define MEASURE \
template <typename S> static int measured(const char *scalar, int batch, double tolerance) \
{ \
    const int steps = 100; \
    std::vector<S> host_q = batched<S>(states_q, COORDINATES, batch), host_v = batched<S>(states_v, VELOCITIES, batch); \
    std::vector<S> host_u = batched<S>(states_u, INPUTS, batch), host_a((size_t)VELOCITIES * batch); \
    std::vector<int> statuses(batch); \
    S *q = reserved<S>(host_q.size()), *v = reserved<S>(host_v.size()), *u = reserved<S>(host_u.size()); \
    S *a = reserved<S>(host_a.size()); \
    int *status = reserved<int>(batch); \
    double worst[2], times[3]; \
    SYSTEM<S> self = SYSTEM<S>(); \
    S *list = (S *)&self; \
    const int listed = sizeof(parameters) / sizeof(double) - 1; \
    for (int k = 0; k < listed; k++) list[k] = (S)parameters[k]; \
    upload(q, host_q); \
    upload(v, host_v); \
    upload(u, host_u); \
    times[0] = time_of([&] { KERNEL(_acceleration_batch)(self, q, v, WITH_INPUTS a, batch, status); }); \
    download(host_a, a); \
    download(statuses, status); \
    worst[0] = deviation(host_a, states_a, batch); \
    times[1] = time_of([&] { KERNEL(_acceleration_unchecked_batch)(self, q, v, WITH_INPUTS a, batch, nullptr); }); \
    download(host_a, a); \
    worst[1] = deviation(host_a, states_a, batch); \
    times[2] = time_of([&] { KERNEL(_rk4_step_batch)(self, q, v, WITH_INPUTS (S)1e-4, steps, batch, nullptr); }); \
    for (int i = 0; i < batch; i++) \
        if (statuses[i] != 0) { \
            fprintf(stderr, "state %d: error %d\n", i, statuses[i]); \
            return 1; \
        } \
    (void)u; \
    printf("| %s, %s | %.1e | %.1e | %.1e | %.0e | %.0e |\n", TEXT(SYSTEM), scalar, batch / times[0], \
           batch / times[1], (double)steps * batch / times[2], worst[0], worst[1]); \
    return !(worst[0] <= tolerance && worst[1] <= tolerance); \
} \
int main(int count, char **words) \
{ \
    const int batch = count > 1 ? atoi(words[1]) : 1 << 20; \
    return measured<float>("f32", batch, 1e-3) | measured<double>("f64", batch, 1e-11); \
}
