/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_APP_APP_LIMITS_H
#define TP_APP_APP_LIMITS_H

#include "base/limits.h"

#define TP_APP_LIMITS(L)                                                                           \
  L(WITNESS_S, 300, "CPU seconds for invariants or the run of a witness, without --timelimit",     \
    "they stay open")                                                                              \
  L(WITNESS_INPUTS, 6, "inputs that are printed beside an invariant that fails",                   \
    "others are counted")                                                                          \
  L(SUITE_RUNS, 4000, "random runs for a suite of tests", "the solver looks for more")             \
  L(GOAL_TEXT_DEPTH, 12, "temporaries inside of each other in a condition",                        \
    "the condition is shown as its line")                                                          \
  L(C_TESTS_STEPS, 100000000, "steps of one run of unit tests in C",                               \
    "what comes behind is not counted")                                                            \
  L(UNIT_TEST_BYTES, 256, "bytes of one object that a unit test builds", "there is no unit test")  \
  L(UNIT_TEST_ASSERTS, 24, "assertions of one unit test of a suite", "others are counted")         \
  L(UNIT_TEST_OBJECTS, 64, "objects of one unit test", "there is no unit test")                    \
  L(UNIT_TESTS, 100, "unit tests that are written", "the rest is counted")                         \
  L(TASK_FILE_BYTES, 1 << 20, "bytes of a task definition", "larger files are refused")            \
  L(BUFFER_ELEMENTS, 8, "elements behind a pointer argument that is no handle",                    \
    "calls with longer buffers are not considered")                                                \
  L(ENTRY_BYTES, 1 << 20, "bytes of names of functions that --all-functions verifies",             \
    "further functions are not verified")                                                          \
  L(ENTRY_CALLS, 8,                                                                                \
    "calls behind each other in which a parameter's use as an array is looked for",                \
    "deeper ones count as none")                                                                   \
  L(ENTRY_EXTENT, 256, "bytes of an argument's object that the code names by constants",           \
    "places behind that do not count")                                                             \
  L(ENTRY_COUNT, 64, "elements that a function of --entry asks for by a comparison",               \
    "larger constants do not count")                                                               \
  L(INITIALISER_BYTES, 4096, "bytes of an object that a function initialises",                     \
    "larger ones are initialised by their names only")                                             \
  L(INITIALISER_EDGES, 100000,                                                                     \
    "edges in which a function's writes and reads of an object are followed",                      \
    "it initialises nothing, unless its name says so")                                             \
  L(ENTRY_ROOM, 256, "bytes of an output of which nothing says how large it is",                   \
    "a function that writes more fails")                                                           \
  L(EQUAL_ROOM, 32, "bytes of such an output of --equal", "calls that write more are left out")    \
  L(MADE_MAKERS, 6, "functions of a module that make an argument of --entry",                      \
    "further ones, those with more code, are left out")                                            \
  L(MADE_OPERATIONS, 8, "functions of a module that change an argument which was made",            \
    "further ones, those with more code, are left out")                                            \
  L(MADE_EDGES, 6000, "edges of such a function, with all that it calls", "it is left out")        \
  L(MADE_DEPTH, 2, "objects that are made to make an object, behind each other",                   \
    "deeper ones are filled by their types")                                                       \
  L(STRUCTURE_FIELDS, 24, "members of a structure whose invariant is looked for", "there is none") \
  L(STRUCTURE_FACTS, 2000, "candidates for the invariant of a structure", "others are left out")   \
  L(STRUCTURE_CONSTANT, 4096, "bytes of an object whose size an invariant names",                  \
    "only members say how large it is")                                                            \
  L(STRUCTURES, 4, "structures whose invariants are looked for together", "there are none")        \
  L(STRUCTURE_RUNS, 1500, "random runs that candidates for an invariant have to hold in",          \
    "the solver refutes the others")                                                               \
  L(STRUCTURE_STEPS, 20000, "steps of each of them", "the run ends")                               \
  L(STRUCTURE_OPERATIONS, 5, "calls that change a structure in these runs",                        \
    "the solver refutes what holds up to there only")                                              \
  L(STRUCTURE_BYTES, 1 << 18,                                                                      \
    "bytes of invariants of structures that the processes of a run share",                         \
    "others are looked for again")                                                                 \
  L(STRUCTURE_ROUNDS, 24, "sets of candidates that are tried", "there is no invariant")            \
  L(PRECONDITION_POINTERS, 2, "pointers behind each other to a member that a precondition names",  \
    "deeper members have no conditions")                                                           \
  L(PRECONDITION_NUMBERS, 16, "numbers that conditions of a precondition are about",               \
    "further ones have no conditions")                                                             \
  L(PRECONDITION_CONDITIONS, 4000, "conditions that a precondition is chosen from",                \
    "further ones, sums and products, are left out")                                               \
  L(PRECONDITION_CONSTANTS, 12, "constants of the program in conditions of a precondition",        \
    "further ones have no conditions")                                                             \
  L(PRECONDITION_LENGTH, 4, "conditions of a precondition", "there is no precondition")            \
  L(PRECONDITION_ROUNDS, 16, "preconditions of an entry that are verified",                        \
    "there is no precondition")                                                                    \
  L(PRECONDITION_RUNS, 4000, "random runs before the first precondition is chosen",                \
    "failures of the search refine it")                                                            \
  L(PRECONDITION_CALLS, 400, "calls that fail, and that come back, which conditions are tried on", \
    "further ones do not count")                                                                   \
  L(PRECONDITION_STEPS, 20000, "steps of a run that a precondition is chosen by",                  \
    "the run does not count")                                                                      \
  L(RETURN_RUNS, 400, "random runs that look for calls to the returns of an entry",                \
    "bounded checking looks for the rest")                                                         \
  L(EQUAL_ANSWERS, 8, "calls with different arguments of a function that --equal makes up",        \
    "runs with more are left out")                                                                 \
  L(EQUAL_ELEMENTS, 16, "elements of an input that --equal shows of an array", "others are dots")  \
  L(ENTRY_POINTERS, 4, "pointers between two structs of one type that make it a list or a tree",   \
    "in arguments of --entry its pointers are never null")                                         \
  L(PROOF_LEAST_MS, 50, "milliseconds of CPU of a clause proof that is checked by default",        \
    "a longer one is, within a share of the time that solving took (PROOF_SHARE); else "           \
    "--check=proof")                                                                               \
  L(PROOF_SHARE, 8,                                                                                \
    "this part of the time that solving took is the most that a clause proof may cost by default", \
    "--check=proof checks all")                                                                    \
  L(PAGE_PICTURES, 80, "pictures of heaps on a page",                                              \
    "further ones are in the folder of --pictures")                                                \
  L(LANES, 8, "engines that run at the same time, at most", "others wait")                         \
  L(BENCH_SAMPLE_MS, 50, "milliseconds between two looks at the processes of a task",              \
    "limits are noticed that much later")                                                          \
  L(BENCH_PROCESSES, 4096, "processes of a task that are looked at",                               \
    "others are ended with the task")                                                              \
  L(BENCH_OUTPUT_BYTES, 1 << 26, "bytes of output of a task that are kept", "the rest is dropped") \
  L(BENCH_SCRATCH_MB, 8192, "megabytes of temporary files of a task", "the task is ended")         \
  L(UNDEFINED_RUNS, 64, "random runs that look for an invalid operation behind a proof",           \
    "there are no more")                                                                           \
  L(UNDEFINED_STEPS, 20000, "steps of each of them", "the run ends")                               \
  L(UNDEFINED_MS, 50, "milliseconds of CPU for all of them", "there are no more")                  \
  L(UNDEFINED_SEARCH_S, 2, "seconds of CPU in which bounded checking looks for one",               \
    "it is not excluded")                                                                          \
  L(UNDEFINED_ROUNDS, 16, "failures elsewhere that this search sets aside",                        \
    "further ones are not looked for")                                                             \
  L(ABSENT_NAMES, 3, "absent functions, or variables, that a sentence names",                      \
    "the rest is counted")                                                                         \
  L(BENCH_JOBS, 32, "tasks at the same time", "others wait")                                       \
  L(WORKERS, 8, "workers that one step serves", "further ones wait for the next")                  \
  L(BENCH_SCRATCH_LEVELS, 8, "folders inside of each other whose files count as scratch",          \
    "deeper ones do not")                                                                          \
  L(HELP_COLUMNS, 80, "columns of help where no terminal says how many", "lines are broken")       \
  L(HELP_LEAST_COLUMNS, 60, "columns of help, at least", "lines are broken")                       \
  L(HELP_MOST_COLUMNS, 120, "columns of help, at most", "lines are broken")                        \
  L(PROGRESS_COLUMNS, 79, "columns of a progress line where no terminal says how many",            \
    "the rest is cut")                                                                             \
  L(SMALLER_RUNS, 400, "runs that look for smaller inputs of a failure", "the inputs stay")        \
  L(SMALLER_EDGES, 4000000, "steps of all of them",                                                \
    "the inputs stay, as those of longer failing runs do")                                         \
  L(VARIANTS, 3, "other inputs that are tried for a failure that was not confirmed",               \
    "it stays unconfirmed")                                                                        \
  L(ANSWER_MS, 200, "milliseconds between two looks whether the process of a property has ended",  \
    "an end without the end of its output is noticed that much later")                             \
  L(FINDING_BYTES, 1 << 16, "bytes about an answer for other properties of the run",               \
    "further assumptions are not compared with failures")                                          \
  L(ELSEWHERE, 4, "unconfirmed failures behind which the search goes on to others",                \
    "the answer is unknown")
enum {
#define TP_LIMIT(name, value, what, then) TP_APP_##name = value,
  TP_APP_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

/* Shares and times. */
#define TP_APP_FRACTIONS(L)                                                                      \
  L(RETURN_RUNS_S, 0.5, "CPU seconds of random runs to the returns of an entry",                 \
    "bounded checking looks for the rest")                                                       \
  L(RETURN_S, 2, "CPU seconds of bounded checking for the returns of an entry",                  \
    "the answer names those that no call came to")                                               \
  L(MADE_SHARE, 0.3, "part of the time that is left for arguments that no call has changed",     \
    "the rest is for those that calls have changed")                                             \
  L(CHANGED_SHARE, 0.5,                                                                          \
    "part of the time that is left then for arguments that calls have changed",                  \
    "the rest is for preconditions")                                                             \
  L(STRUCTURE_SAMPLE_S, 0.3, "CPU seconds of random runs for an invariant of structures",        \
    "the solver refutes more candidates")                                                        \
  L(STRUCTURE_ONE_SHARE, 0.3, "part of the time that is left for one function",                  \
    "there is no invariant")                                                                     \
  L(STRUCTURE_SHARE, 0.6, "part of the time that is left for an invariant of structures",        \
    "the rest is for the entry under it, or for structures that calls make")                     \
  L(PRECONDITION_S, 60, "CPU seconds for preconditions of an entry, without --timelimit",        \
    "there is no precondition")                                                                  \
  L(PRECONDITION_SHARE, 0.4, "part of the time that is left for one precondition",               \
    "another one is tried")                                                                      \
  L(PRECONDITION_SAMPLE_S, 1, "CPU seconds of random runs for preconditions",                    \
    "failures of the search refine them")                                                        \
  L(PRECONDITION_LOSS, 2,                                                                        \
    "weight of calls that come back and are excluded, against calls that fail",                  \
    "a condition that excludes too much is not chosen")                                          \
  L(PRECONDITION_COST, 0.004, "weight of the cost of a condition", "the simpler one is chosen")  \
  L(MADE_S, 60,                                                                                  \
    "CPU seconds for an entry with arguments that the module makes, without --timelimit",        \
    "the answer says that it fails for others")                                                  \
  L(FURTHER_FAILURE_S, 60,                                                                       \
    "seconds of CPU for each further failure (--failures), without a time limit",                \
    "there is no further one")                                                                   \
  L(CONFIRM_SHARE, 0.15, "part of the time for other inputs of a failure that is not confirmed", \
    "it stays unconfirmed")                                                                      \
  L(CONFIRM_S, 20, "seconds of CPU for them without a time limit", "it stays unconfirmed")       \
  L(SEARCH_SHARE, 0.8, "part of the time that engines have",                                     \
    "the rest is for checks of the answer")                                                      \
  L(WITNESS_SHARE, 0.5,                                                                          \
    "part of the time for all invariants of a witness together, or for its run",                 \
    "invariants are asked about one by one")                                                     \
  L(WITNESS_ONE_SHARE, 0.1, "part of what is left for one invariant of a witness",               \
    "it stays open")                                                                             \
  L(CHECK_SHARE, 0.5, "part of the time that is left for a check while others may still prove",  \
    "the check ends, and is made again at the end with the rest")                                \
  L(LEAST_TURN_S, 0.1, "seconds of CPU that a turn for goals has at least", "there is none")     \
  L(RAN_OUT_SHARE, 0.9, "part of its time from which an engine is said to have run out of it",   \
    "below it ended by itself")                                                                  \
  L(SUITE_S, 60, "seconds of CPU of `twoproof test` without a time limit", "the rest is open")   \
  L(SUITE_FUZZ_SHARE, 0.15, "part of the time of a suite for random runs", "there are no more")  \
  L(SUITE_CHECK_SHARE, 0.3, "part of what is left for the check of one certificate",             \
    "the goals stay open until another engine has one")                                          \
  L(SUITE_SMALL_SHARE, 0.1, "part of it for smaller numbers in tests", "numbers stay")           \
  L(SUITE_TURN_SHARE, 0.3, "part of what is left for one engine and all goals together",         \
    "the next has its turn")                                                                     \
  L(GRACE_S, 1, "seconds between asking an engine to stop and ending it", "it is ended")         \
  L(RANDOM_S, 0.5, "seconds of random runs before the first engine", "engines begin")            \
  L(RANDOM_SHARE, 0.0625, "part of its turn for the same", "engines begin")                      \
  L(FILLING_S, 2, "the same where a program fills arrays", "engines begin")                      \
  L(FILLING_SHARE, 0.2, "part of its turn for these runs", "engines begin")                      \
  L(ONE_RUN_S, 20, "seconds for the run of a program that asks for nothing", "engines begin")    \
  L(ONE_RUN_SHARE, 0.25, "part of the first turn for the same", "engines begin")                 \
  L(NATIVE_STEP_S, 1e-8,                                                                         \
    "seconds of CPU that one edge takes in a compiled program under sanitizers",                 \
    "a run has that much more time")                                                             \
  L(REDRAW_S, 0.2, "seconds between two progress lines on a terminal",                           \
    "lines in between are not drawn")                                                            \
  L(LINE_S, 5, "seconds between two progress lines elsewhere with -v",                           \
    "lines in between are not written")                                                          \
  L(BENCH_SPARE_S, 5, "seconds of CPU of a task beyond its limit before everything is ended",    \
    "everything is ended")                                                                       \
  L(BENCH_SPARE_WALL_S, 10, "seconds on the clock of a task beyond twice its limit of CPU",      \
    "everything is ended")                                                                       \
  L(BENCH_NOTABLE_S, 0.5, "seconds of CPU by which a task is notably faster or slower",          \
    "less is no difference")                                                                     \
  L(BENCH_NOTABLE_RATIO, 1.5, "and by which factor", "less is no difference")                    \
  L(BENCH_CLASS_S, 1, "seconds of CPU from which the ratio of a class counts",                   \
    "below it does not")                                                                         \
  L(REPLAY_STEPS, 1e10, "steps of the concrete machine that replays a failure",                  \
    "the failure is not confirmed")                                                              \
  L(LOG_S, 30, "seconds between two progress lines elsewhere without",                           \
    "lines in between are not written")                                                          \
  L(OPEN_S, 10, "seconds, at least, for a search again without what nobody stated",              \
    "the search ends")
#define TP_LIMIT(name, value, what, then) static const double TP_APP_##name = value;
TP_APP_FRACTIONS(TP_LIMIT)
#undef TP_LIMIT

#endif
