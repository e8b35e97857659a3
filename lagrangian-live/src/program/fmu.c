/* The functions of FMI 2.0 for Model Exchange, around methods in C. `system.h` names the system.

   A variable's number is its place in `values`: parameters, inputs, states, their derivatives, outputs. */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"

/* The types of the standard, so that no header of others is needed. */

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;

typedef struct {
    void (*logger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
        valuesOfContinuousStatesChanged, nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

enum {
    INPUT = PARAMETERS,
    STATE = INPUT + INPUTS,
    DERIVATIVE = STATE + STATES,
    OUTPUT = DERIVATIVE + STATES,
    VALUES = OUTPUT + OUTPUTS
};

typedef struct {
    double values[VALUES];
    double time;
    /* Whether derivatives and outputs belong to the other values. */
    int current;
    /* The largest error of constraints, as a share of their terms. */
    double share;
    /* The residuals of constraints that a projection leaves: rows that depend on each other agree to some digits only. */
    double left[RESIDUALS + 1];
    const fmi2CallbackFunctions *callbacks;
    char *name;
} Instance;

static void start(Instance *instance)
{
    memcpy(instance->values, START, sizeof START);
    memset(instance->left, 0, sizeof instance->left);
    instance->share = sqrt(DBL_EPSILON);
    instance->time = 0;
    instance->current = 0;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time);

static System system_of(const Instance *instance)
{
    System system;
    memset(&system, 0, sizeof system);
    memcpy(&system, instance->values, PARAMETERS * sizeof(double));
    return system;
}

/* Tells the simulator the error of a method. */
static fmi2Status failed(const Instance *instance, int code, fmi2Status status)
{
    static const char *const ERRORS[] = {
        "", "the mass matrix is singular", "the constraints depend on each other", "an iteration did not converge",
        "a value is not finite"
    };
    const fmi2CallbackFunctions *of = instance->callbacks;
    if (of->logger) of->logger(of->componentEnvironment, instance->name, status, "error", ERRORS[code]);
    return status;
}

/* The derivatives and the outputs. After an error of the system, a smaller step may avoid the state. */
static fmi2Status update(Instance *instance)
{
    double *values = instance->values;
    const System system = system_of(instance);
    int code;
    if (instance->current) return fmi2OK;
    code = evaluate(&system, instance->time, values + STATE, values + INPUT, values + DERIVATIVE, values + OUTPUT);
    if (code != 0) return failed(instance, code, fmi2Discard);
    instance->current = 1;
    return fmi2OK;
}

/* Residuals and their limits without the turns of angles. A limit is proportional to the roundings of a sine, and thus to
   an angle of many turns: an angle is a coordinate whose turns change no residual. */
static int measure_in_turn(const Instance *instance, double *residuals, double *limits)
{
    const double turn = 6.283185307179586, *y = instance->values + STATE;
    const System system = system_of(instance);
    double z[STATES], others[RESIDUALS + 1], least[RESIDUALS + 1];
    int code = measure(&system, instance->time, y, residuals, limits), is_angle, i, j;
    memcpy(z, y, sizeof z);
    for (j = 0; code == 0 && j < COORDINATES; j++) {
        if (fabs(z[j]) <= turn) continue;
        z[j] = fmod(y[j], turn);
        is_angle = measure(&system, instance->time, z, others, least) == 0;
        for (i = 0; i < RESIDUALS; i++) is_angle &= fabs(others[i] - residuals[i]) <= limits[i] && least[i] <= limits[i];
        if (is_angle) memcpy(limits, least, sizeof least);
        else z[j] = y[j];
    }
    return code;
}

/* Whether the errors of steps have moved the state off the constraints, or changed the length of a quaternion. A limit
   of the text is four roundings of each operation on a length, and the lengths of a short linkage pass through eight. */
static int is_off(const Instance *instance)
{
    const double *y = instance->values + STATE;
    const double share = instance->share;
    const System system = system_of(instance);
    double residuals[RESIDUALS + 1], limits[RESIDUALS + 1], units[STATES];
    int i;
    if (measure_in_turn(instance, residuals, limits) != 0) return 1;
    for (i = 0; i < RESIDUALS; i++) {
        const double most = share / (16 * DBL_EPSILON) * limits[i] + 2 * instance->left[i];
        if (!(fabs(residuals[i]) <= most)) return 1;
    }
    if (normalise(&system, y, units) != 0) return 1;
    for (i = 0; i < STATES; i++)
        if (!(fabs(units[i] - y[i]) <= share)) return 1;
    return 0;
}

/* Moves the state onto the constraints. */
static fmi2Status settle(Instance *instance, fmi2Boolean *is_moved)
{
    double *y = instance->values + STATE, to[STATES], limits[RESIDUALS + 1];
    const System system = system_of(instance);
    int code = project(&system, instance->time, y, to), i;
    if (code == 0) code = measure(&system, instance->time, to, instance->left, limits);
    if (code != 0) return failed(instance, code, fmi2Error);
    for (i = 0; i < RESIDUALS; i++) instance->left[i] = fabs(instance->left[i]);
    *is_moved = memcmp(y, to, sizeof to) != 0;
    if (*is_moved) {
        memcpy(y, to, sizeof to);
        instance->current = 0;
    }
    return fmi2OK;
}

/* The instance's life. */

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging)
{
    Instance *instance;
    (void)resources, (void)visible, (void)logging;
    if (type != fmi2ModelExchange || !name || !guid || !callbacks || strcmp(guid, GUID) != 0) return NULL;
    instance = calloc(1, sizeof *instance);
    if (!instance) return NULL;
    instance->name = malloc(strlen(name) + 1);
    if (!instance->name) {
        free(instance);
        return NULL;
    }
    strcpy(instance->name, name);
    instance->callbacks = callbacks;
    start(instance);
    return instance;
}

void fmi2FreeInstance(fmi2Component c)
{
    Instance *instance = c;
    if (!instance) return;
    free(instance->name);
    free(instance);
}

fmi2Status fmi2Reset(fmi2Component c)
{
    start(c);
    return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real from,
                               fmi2Boolean has_stop, fmi2Real stop)
{
    Instance *instance = c;
    (void)has_stop, (void)stop;
    instance->share = has_tolerance ? fmax(tolerance, sqrt(DBL_EPSILON)) : sqrt(DBL_EPSILON);
    return fmi2SetTime(c, from);
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[])
{
    (void)c, (void)on, (void)n, (void)categories;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { (void)c; return fmi2OK; }

/* Variables. All of them are real. */

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference numbers[], size_t n, fmi2Real values[])
{
    Instance *instance = c;
    size_t i;
    for (i = 0; i < n; i++) {
        if (numbers[i] >= VALUES) return fmi2Error;
        if (numbers[i] >= DERIVATIVE) {
            const fmi2Status status = update(instance);
            if (status != fmi2OK) return status;
        }
        values[i] = instance->values[numbers[i]];
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference numbers[], size_t n, const fmi2Real values[])
{
    Instance *instance = c;
    size_t i;
    for (i = 0; i < n; i++) {
        if (numbers[i] >= DERIVATIVE) return fmi2Error;
        instance->values[numbers[i]] = values[i];
        instance->current = 0;
    }
    return fmi2OK;
}

#define NONE_OF(type)                                                                                                 \
    fmi2Status fmi2Get##type(fmi2Component c, const fmi2ValueReference numbers[], size_t n, fmi2##type values[])      \
    {                                                                                                                 \
        (void)c, (void)numbers, (void)values;                                                                         \
        return n == 0 ? fmi2OK : fmi2Error;                                                                           \
    }                                                                                                                 \
    fmi2Status fmi2Set##type(fmi2Component c, const fmi2ValueReference numbers[], size_t n, const fmi2##type values[]) \
    {                                                                                                                 \
        (void)c, (void)numbers, (void)values;                                                                         \
        return n == 0 ? fmi2OK : fmi2Error;                                                                           \
    }
NONE_OF(Integer)
NONE_OF(Boolean)
NONE_OF(String)

/* Model Exchange: a differential equation without discrete states. Its events move the state onto the constraints: at the
   start, and after a step that ends off them. */

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real states[], size_t n)
{
    if (n != STATES) return fmi2Error;
    memcpy(states, ((Instance *)c)->values + STATE, n * sizeof *states);
    return fmi2OK;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real states[], size_t n)
{
    Instance *instance = c;
    if (n != STATES) return fmi2Error;
    memcpy(instance->values + STATE, states, n * sizeof *states);
    instance->current = 0;
    return fmi2OK;
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t n)
{
    Instance *instance = c;
    const fmi2Status status = update(instance);
    if (n != STATES) return fmi2Error;
    if (status == fmi2OK) memcpy(derivatives, instance->values + DERIVATIVE, n * sizeof *derivatives);
    return status;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominals[], size_t n)
{
    size_t i;
    (void)c;
    for (i = 0; i < n; i++) nominals[i] = 1;
    return fmi2OK;
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicators[], size_t n)
{
    (void)c, (void)indicators;
    return n == 0 ? fmi2OK : fmi2Error;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    Instance *instance = c;
    instance->time = time;
    instance->current = 0;
    return fmi2OK;
}

fmi2Status fmi2EnterEventMode(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { (void)c; return fmi2OK; }

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    static const fmi2EventInfo NOTHING = {0};
    *info = NOTHING;
    return settle(c, &info->valuesOfContinuousStatesChanged);
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean keep, fmi2Boolean *event, fmi2Boolean *stop)
{
    (void)keep;
    *event = is_off(c);
    *stop = 0;
    return fmi2OK;
}

/* Capabilities that `modelDescription.xml` denies. The standard wants the functions all the same. */

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) { (void)c, (void)state; return fmi2Error; }
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) { (void)c, (void)state; return fmi2Error; }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) { (void)c, (void)state; return fmi2Error; }

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    (void)c, (void)state, (void)size;
    return fmi2Error;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    (void)c, (void)state, (void)bytes, (void)size;
    return fmi2Error;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    (void)c, (void)state, (void)bytes, (void)size;
    return fmi2Error;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t n_unknowns,
                                        const fmi2ValueReference knowns[], size_t n_knowns, const fmi2Real along[],
                                        fmi2Real values[])
{
    (void)c, (void)unknowns, (void)n_unknowns, (void)knowns, (void)n_knowns, (void)along, (void)values;
    return fmi2Error;
}
