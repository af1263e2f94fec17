/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_EXEC_EXEC_LIMITS_H
#define TP_EXEC_EXEC_LIMITS_H

#include "base/limits.h"

#define TP_EXEC_LIMITS(L)                                                                          \
  L(CONCOLIC_TERMS, 1000000, "terms that a concolic run makes",                                    \
    "what follows has the values of the run")                                                      \
  L(CONCOLIC_SET_BYTES, 4096, "bytes that memset writes with a symbol",                            \
    "the value of this run is written, and becomes a condition of the path")                       \
  L(CONCOLIC_INPUT_BYTES, 8192, "bytes of an unwritten input that get symbols",                    \
    "bytes beyond are 0")                                                                          \
  L(HASHED_BYTES, 4096, "bytes of an object that a state's hash reads",                            \
    "of larger ones every n-th is read")                                                           \
  L(NATIVE_COPIED_BYTES, 1 << 16, "bytes of a shared object that is copied before code runs",      \
    "larger ones are copied if the code may write them")                                           \
  L(NATIVE_WORTHWHILE_STEPS, 256, "steps of code after which a stay was worthwhile",               \
    "after fewer the interpreter keeps the run longer")                                            \
  L(NATIVE_PENALTY, 1 << 16, "places that the interpreter lets pass before code is entered again", \
    "no longer wait")                                                                              \
  L(NATIVE_COMPILED, 3, "compilations of a program after assumptions failed",                      \
    "the next code makes no assumptions about objects")                                            \
  L(CHILD_LOSSES, 3, "child processes with code that were lost", "the interpreter does all")       \
  L(CHILD_ANSWER_BYTES, 1 << 28, "bytes of an answer of the process with code",                    \
    "the process is ended, the interpreter goes on")                                               \
  L(NATIVE_INLINED, 24, "edges, and variables, of a function that is inlined into code",           \
    "a larger one is called")                                                                      \
  L(NATIVE_OBJECTS, 1 << 14, "objects that the table of code describes",                           \
    "accesses to others are left to the interpreter")                                              \
  L(NATIVE_SEEN, 4096, "places for vectors of predicates seen, by location",                       \
    "a vector whose place is taken is looked at again")                                            \
  L(NATIVE_DECISION_BITS, 24, "bits of decisions between two tests for room",                      \
    "another test is made")                                                                        \
  L(NATIVE_MARK_CELLS, 1 << 22, "locations times variables whose marks are computed",              \
    "each variable is tested at each location")                                                    \
  L(KEPT_INPUTS, 256, "vectors of inputs that random ones are made from",                          \
    "later ones are not kept")                                                                     \
  L(TESTCOMP_BYTES, 65536, "bytes of memory that a Test-Comp file has beyond those that matter",   \
    "zeros at the end are left out")                                                               \
  L(DRAWN_BYTES, 64, "bytes of an input that are drawn", "bytes beyond are 0")                     \
  L(COMPILE_STEPS, 600000, "steps of a run before code is compiled",                               \
    "shorter runs are interpreted")                                                                \
  L(COMPILE_STEPS_PER_EDGE, 6000, "further steps for each edge of the program",                    \
    "large programs take longer to compile")                                                       \
  L(QUICK_STEPS, 6, "steps without an observer that count as one",                                 \
    "the quick interpreter is that much faster")                                                   \
  L(FIRST_STEPS, 10000, "steps of a run before it may go on as code",                              \
    "shorter runs are interpreted")                                                                \
  L(STAY_STEPS, 20000, "steps that sending a state to the code is worth",                          \
    "after shorter stays the interpreter waits longer")                                            \
  L(STAY_BYTES_PER_STEP, 8, "bytes of a state that cost one step",                                 \
    "after shorter stays the interpreter waits longer")                                            \
  L(STAY_WAIT_STEPS, 1 << 24, "steps of the interpreter between two stays", "no longer wait")      \
  L(STAY_SLICE_STEPS, 1 << 28, "steps of one stay", "the state comes back, limits are looked at")  \
  L(STAY_RANDOM_STEPS, 30000, "steps of a stay of random length",                                  \
    "longer ones do not occur in tests")                                                           \
  L(EQUAL_CONSTANTS, 8, "numbers of equations that random runs try first", "others are drawn")     \
  L(TESTER_MORE_RUNS, 200, "runs after a failure that used indeterminate values",                  \
    "that failure is the answer")                                                                  \
  L(TESTER_LOOK_STEPS, 16000000, "steps between two looks at the clock in a long run",             \
    "limits are noticed that much later")                                                          \
  L(TESTER_MEMORY_BYTES, 1 << 28, "bytes that a random run may allocate", "the run ends")          \
  L(TESTER_MORE_INPUTS, 1000, "further inputs of a run that goes on behind its limit",             \
    "the run ends")                                                                                \
  L(TESTER_ASKED_INPUTS, 400000, "the same for a run that asks all the time", "the run ends")      \
  L(TESTER_ASKED_STEPS, 1000000, "steps between two looks at the clock in such a run",             \
    "limits are noticed that much later")                                                          \
  L(STRETCH_EDGES, 40, "edges of one stretch of threaded code",                                    \
    "the next ones are a stretch of their own")                                                    \
  L(PATH_ANCHORS, 4, "anchors of a word of decisions that are looked up",                          \
    "a repetition may be found later, the code is longer")                                         \
  L(CHILD_MB, 3072, "megabytes of the process with code, beyond those it is forked with",          \
    "the process is ended, the interpreter goes on")                                               \
  L(RUN_STEPS, 10000000, "steps of a run (default)", "the run ends at its limit")                  \
  L(RUN_MEMORY_BYTES, 1 << 30, "bytes that a run may allocate (default)",                          \
    "the run ends at its limit")                                                                   \
  L(RUN_FRAMES, 100000, "frames of a run (default)", "the run ends at its limit")
enum {
#define TP_LIMIT(name, value, what, then) TP_EXEC_##name = value,
  TP_EXEC_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

/* Shares and times. */
#define TP_EXEC_FRACTIONS(L)                                                                    \
  L(CHILD_COMPILE_S, 120, "seconds of CPU for compiling a program", "the interpreter does all") \
  L(CHILD_STAY_S, 2, "seconds of CPU for a stay, apart from its steps",                         \
    "the process is ended, the interpreter goes on")                                            \
  L(CHILD_STEP_S, 1e-7, "seconds of CPU for each step of code",                                 \
    "the process is ended, the interpreter goes on")                                            \
  L(CHILD_PATIENCE, 30, "seconds on the clock for each of CPU",                                 \
    "the process is ended, the interpreter goes on")
#define TP_LIMIT(name, value, what, then) static const double TP_EXEC_##name = value;
TP_EXEC_FRACTIONS(TP_LIMIT)
#undef TP_LIMIT

#endif
