/* The options table: one row per option; everything else is generated from it.
 *
 * What       the command line of every subcommand: fields, parser, --help, configuration files,
 *            doc/options.md.
 * Ownership  texts are borrowed from argv or from the arena of the struct. */
#ifndef TP_APP_OPTIONS_H
#define TP_APP_OPTIONS_H

#include "engine/engine.h"
#include "front/front.h"
#include "smt/backends.h"

/* Subcommands that take an option. */
enum {
  TP_FOR_CHECK = 1,
  TP_FOR_REPLAY = 2,
  TP_FOR_DUMP = 4,
  TP_FOR_BENCH = 8,
  TP_FOR_ADEQUACY = 16,
  TP_FOR_SPEC = 32,
  TP_FOR_TEST = 64,
  TP_FOR_ALL = 31 | 64
};
#define TP_FOR_MODEL                                              \
  (TP_FOR_CHECK | TP_FOR_REPLAY | TP_FOR_DUMP | TP_FOR_ADEQUACY | \
   TP_FOR_TEST)                                     // what reads a program
#define TP_FOR_SOURCE (TP_FOR_MODEL | TP_FOR_SPEC)  // what compiles a program
#define TP_FOR_RUNS (TP_FOR_CHECK | TP_FOR_BENCH)   // what runs engines

/* type, field, group, name, letter, argument, default, choices or NULL, subcommands, help. Sorted
 * by name. COUNT rows count how often the option stands; PATHS rows keep every value; LIST rows
 * keep every value with the letter in front; SETTING rows are lines of a composition
 * (cpa/composition.h), kept in `settings` with where they stand. */
#define TP_OPTIONS(O)                                                                              \
  O(TEXT, add_to, EVERYDAY, "add-to", 0, "DIR", "", NULL, TP_FOR_TEST,                             \
    "write only tests for what those of this folder (or file) do not cover")                       \
  O(SETTING, adjust, EXPERIMENTS, "adjust", 0, "HOW", "", "componentwise|none|precision-transfer", \
    TP_FOR_RUNS,                                                                                   \
    "composition: how precisions and abstract states are adjusted (widening, interruptions)")      \
  O(FLAG, aliases, EXPERIMENTS, "aliases", 0, NULL, "", NULL,                                      \
    TP_FOR_CHECK | TP_FOR_TEST | TP_FOR_ADEQUACY,                                                  \
    "of --entry: pointer arguments of one type may lead to the same object")                       \
  O(FLAG, all, EVERYDAY, "all", 0, NULL, "", NULL, TP_FOR_CHECK,                                   \
    "verify unreach-call, valid-memsafety and undefined")                                          \
  O(FLAG, all_functions, EVERYDAY, "all-functions", 0, NULL, "", NULL, TP_FOR_CHECK,               \
    "verify all functions that other files could call")                                            \
  O(SETTING, analysis, ENGINES, "analysis", 0, "COMPONENTS", "", NULL, TP_FOR_RUNS,                \
    "composition: the analyses that work together, as in 'location callstack (interval octagon)'") \
  O(TEXT, arguments, EXPERIMENTS, "arguments", 0, "HOW", "auto", "auto|types|calls|invariant",     \
    TP_FOR_CHECK,                                                                                  \
    "of --entry: structures are filled by their types, made by calls of the module's functions, "  \
    "or any that have the invariant of those; auto: by types, and where that fails by calls, by "  \
    "an invariant: a failure counts if calls come to one (doc/entries.md)")                        \
  O(UINT, body_after, EXPERIMENTS, "body-after", 0, "N", "6", NULL, TP_FOR_SPEC,                   \
    "--calls=havoc, frame, summary: after N specifications at one call the whole body of the "     \
    "callee is put there; 0: never")                                                               \
  O(TEXT, call_failures, EXPERIMENTS, "call-failures", 0, "HOW", "checked", "checked|assumed",     \
    TP_FOR_SPEC,                                                                                   \
    "failures inside of calls that are refined: looked for, or assumed not to happen (said below " \
    "the answer)")                                                                                 \
  O(TEXT, calls, EVERYDAY, "calls", 0, "HOW", "inline", "inline|contracts|havoc|frame|summary",    \
    TP_FOR_SPEC,                                                                                   \
    "inline: functions with bodies are expanded where they are called; contracts: contracts "      \
    "stand for them; summary, frame, havoc: contracts, and of functions without one their "        \
    "summaries, what they may change, nothing, and this is refined as far as needed. Functions "   \
    "without bodies have their contracts only")                                                    \
  O(UINT, cells, EXPERIMENTS, "cells", 0, "N", "2", NULL,                                          \
    TP_FOR_CHECK | TP_FOR_TEST | TP_FOR_ADEQUACY,                                                  \
    "of --entry: structures of one type behind each other, as cells of a list; pointers of the "   \
    "last one are null")                                                                           \
  O(FLAG, cfa, EVERYDAY, "cfa", 0, NULL, "", NULL, TP_FOR_DUMP,                                    \
    "print the program model as text (the default)")                                               \
  O(TEXT, check, ENGINES, "check", 0, "HOW", "", "run|proof",                                      \
    TP_FOR_RUNS | TP_FOR_ADEQUACY | TP_FOR_SPEC,                                                   \
    "run: watch a proof's claims in 1,000 random runs; proof: no solver's word is accepted, each " \
    "obligation needs a clause proof")                                                             \
  O(FLAG, check_syntax, EVERYDAY, "check-syntax", 0, NULL, "", NULL, TP_FOR_SPEC,                  \
    "print every contract as it is understood, say what is wrong")                                 \
  O(TEXT, color, EVERYDAY, "color", 0, "WHEN", "auto", "auto|always|never",                        \
    TP_FOR_ALL | TP_FOR_SPEC, "colours in messages")                                               \
  O(SETTING, compare, EXPERIMENTS, "compare", 0, "HOW", "", "off|weaken", TP_FOR_RUNS,             \
    "composition: weaken an abstract state by what another component implies")                     \
  O(TEXT, config, ENGINES, "config", 0, "FILE", "", NULL, TP_FOR_RUNS,                             \
    "read options from a file, one 'name = value' per line, or the configuration of that name in " \
    "config/; later options win")                                                                  \
  O(TEXT, confirm, EXPERIMENTS, "confirm", 0, "HOW", "compiled", "compiled|machine",               \
    TP_FOR_RUNS | TP_FOR_REPLAY,                                                                   \
    "machine: a failure that only the interpreter shows counts, too, if its run uses no "          \
    "uninitialised value and no number made of an address")                                        \
  O(TEXT, contracts, EVERYDAY, "contracts", 0, "FILE", "", NULL, TP_FOR_SPEC,                      \
    "contracts in a file of their own, beside those in comments (doc/specifications.md)")          \
  O(FLAG, count, EXPERIMENTS, "count", 0, NULL, "", NULL, TP_FOR_SPEC,                             \
    "say how many heaps within the bounds a function may be called with, and from how many it "    \
    "returns, fails, breaks a clause; with --calls=inline or contracts")                           \
  O(TEXT, cover, EVERYDAY, "cover", 0, "WHAT", "branches", NULL, TP_FOR_TEST,                      \
    "what the suite is to come to: branches (outcomes of conditions), boundaries (branches, and "  \
    "equality apart), statements, or calls:NAME (calls of a function)")                            \
  O(TEXT, cutpoints, EVERYDAY, "cutpoints", 0, "WHERE", "loops", "loops|calls|all",                \
    TP_FOR_ADEQUACY,                                                                               \
    "where states are abstracted: at loop heads, also at calls, or before every statement")        \
  O(TEXT, default_predicates, ENGINES, "default-predicates", 0, "WHICH", "", "all|no-sizes|none",  \
    TP_FOR_ADEQUACY,                                                                               \
    "predicates taken from the program (all where none are given); no-sizes: without "             \
    "relations to sizes of objects")                                                               \
  O(LIST, define, EVERYDAY, "define", 'D', "NAME[=VALUE]", "", NULL, TP_FOR_SOURCE,                \
    "define a macro, as for the compiler")                                                         \
  O(TEXT, domain, ENGINES, "domain", 0, "WHAT", "predicates",                                      \
    "predicates|intervals|octagons|polyhedra|shapes", TP_FOR_ADEQUACY,                             \
    "what states are abstracted to")                                                               \
  O(FLAG, dot, EVERYDAY, "dot", 0, NULL, "", NULL, TP_FOR_DUMP,                                    \
    "print the program model as a Graphviz graph")                                                 \
  O(TEXT, edges, EXPERIMENTS, "edges", 0, "HOW", "", "exact|lazy", TP_FOR_RUNS,                    \
    "engines that split regions: query the solver about abstract steps before they are used "      \
    "(exact, the default), or only where a test fails (lazy)")                                     \
  O(UINT, elements, EXPERIMENTS, "elements", 0, "N", "4", NULL,                                    \
    TP_FOR_CHECK | TP_FOR_TEST | TP_FOR_ADEQUACY,                                                  \
    "of --entry: most elements of an array, most characters of a string")                          \
  O(TEXT, engine, ENGINES, "engine", 0, "NAME", "auto",                                            \
    "auto|bmc|cegar|cpa|directed|elements|heaps|horn|interval|kinduction|lee-yannakakis|octagon|"  \
    "random|"                                                                                      \
    "slam|"                                                                                        \
    "smash|split-cegar|synergy|value",                                                             \
    TP_FOR_RUNS,                                                                                   \
    "the engine; auto: several, chosen by features of the program; cpa: the composition that "     \
    "--analysis or --config names")                                                                \
  O(TEXT, entry, EVERYDAY, "entry", 0, "FUNC", "", NULL, TP_FOR_CHECK,                             \
    "verify this function, called with any arguments; of its types (doc/entries.md). Without "     \
    "--property as with --all")                                                                    \
  O(TEXT, equal, EVERYDAY, "equal", 0, "OLD.c", "", NULL, TP_FOR_CHECK,                            \
    "compare a function of FILE.c with OLD.c's: FILE.c FUNC; results, memory and failures for "    \
    "all inputs (doc/equal.md)")                                                                   \
  O(TEXT, exchange, EXPERIMENTS, "exchange", 0, "WHAT", "all",                                     \
    "all|none|no-inputs|no-goals|no-invariants", TP_FOR_RUNS,                                      \
    "engine auto: facts that engines pass on to others (doc/exchange.md); no-X: all but X")        \
  O(TEXT, fallback, EXPERIMENTS, "fallback", 0, "HOW", "inline", "inline|none", TP_FOR_SPEC,       \
    "what is done where refinement does not pay: all calls are executed, or nothing is known")     \
  O(TEXT, fair, EXPERIMENTS, "fair", 0, "N|never", "", NULL, TP_FOR_RUNS,                          \
    "engine synergy: a step of lee-yannakakis after N splits without a new test; 0: the default")  \
  O(TEXT, format, EVERYDAY, "format", 0, "HOW", "text", "text|json", TP_FOR_CHECK | TP_FOR_REPLAY, \
    "of the answer on standard output; json: one object (doc/json.md)")                            \
  O(TEXT, function, EVERYDAY, "function", 0, "NAME", "", NULL, TP_FOR_SPEC | TP_FOR_DUMP,          \
    "this function only; spec: without it, all that have a contract")                              \
  O(TEXT, generalize, EXPERIMENTS, "generalize", 0, "HOW", "", "interpolant|widen|none",           \
    TP_FOR_RUNS,                                                                                   \
    "engine synergy: what a region is split by when its pre-images repeat (interpolant "           \
    "is the default)")                                                                             \
  O(UINT, failures, EXPERIMENTS, "failures", 0, "N", "1", NULL, TP_FOR_CHECK,                      \
    "look for up to N failures at different places; 0: for all. Each has its own inputs and "      \
    "evidence")                                                                                    \
  O(TEXT, globals, EXPERIMENTS, "globals", 0, "HOW", "initial", "initial|any",                     \
    TP_FOR_CHECK | TP_FOR_TEST | TP_FOR_ADEQUACY,                                                  \
    "of --entry: numbers in file-scope variables are as initialised, or any")                      \
  O(FLAG, grow, EVERYDAY, "grow", 0, NULL, "", NULL, TP_FOR_SPEC,                                  \
    "start with one object and one iteration, go up to --objects and --unroll")                    \
  O(FLAG, harness, EXPERIMENTS, "harness", 0, NULL, "", NULL, TP_FOR_CHECK,                        \
    "with --entry: print the C program that calls the function, verify nothing")                   \
  O(TEXT, hints, EXPERIMENTS, "hints", 0, "FILE", "", NULL, TP_FOR_CHECK,                          \
    "facts that may help the proof, one a line; each is proved or left out: doc/hints.md")         \
  O(LIST, include, EVERYDAY, "include", 'I', "DIR", "", NULL, TP_FOR_SOURCE,                       \
    "search a folder for headers, as for the compiler")                                            \
  O(UINT, jobs, EVERYDAY, "jobs", 0, "N", "2", NULL, TP_FOR_BENCH,                                 \
    "how many tasks run at the same time")                                                         \
  O(TEXT, junit, EVERYDAY, "junit", 0, "FILE", "", NULL, TP_FOR_TEST | TP_FOR_SPEC,                \
    "write the results as JUnit XML, for build servers")                                           \
  O(TEXT, label, EVERYDAY, "label", 0, "NAME", "", NULL, TP_FOR_BENCH,                             \
    "name of the run in the store; without it, version and commit of the tool")                    \
  O(FLAG, limits, EVERYDAY, "limits", 0, NULL, "", NULL, TP_FOR_DUMP,                              \
    "print the tuning constants of all rooms; no program is needed")                               \
  O(TEXT, load_precision, ENGINES, "load-precision", 0, "FILE", "", NULL, TP_FOR_CHECK,            \
    "engines cegar, cpa: start with what an earlier run refined, of this program or of one "       \
    "before a change")                                                                             \
  O(TEXT, machine, EVERYDAY, "machine", 0, "MODEL", "lp64", "lp64|ilp32", TP_FOR_SOURCE,           \
    "data model; 64 or 32 bit pointers and longs")                                                 \
  O(TEXT, malloc, EVERYDAY, "malloc", 0, "HOW", "never-fails", "never-fails|may-fail|zeroed",      \
    TP_FOR_MODEL | TP_FOR_BENCH,                                                                   \
    "what malloc does; zeroed: never fails and gives memory full of zeros")                        \
  O(UINT, memlimit, EVERYDAY, "memlimit", 0, "MB", "4096", NULL,                                   \
    TP_FOR_RUNS | TP_FOR_TEST | TP_FOR_ADEQUACY | TP_FOR_SPEC,                                     \
    "memory of a worker in megabytes; 0: none")                                                    \
  O(SETTING, merge, EXPERIMENTS, "merge", 0, "HOW", "",                                            \
    "sep|join-on-location|pred-join|join-shape|join", TP_FOR_RUNS,                                 \
    "composition: how abstract states of the same location are merged")                            \
  O(TEXT, missing, EVERYDAY, "missing", 0, "HOW", "", "strict|any",                                \
    TP_FOR_CHECK | TP_FOR_REPLAY | TP_FOR_ADEQUACY | TP_FOR_BENCH,                                 \
    "functions without body; strict (default but for bench): a failure that rests on one is "      \
    "UNKNOWN; any: they return anything and write nothing, as inputs do")                          \
  O(TEXT, module, EVERYDAY, "module", 0, "PREFIX", "", NULL,                                       \
    TP_FOR_CHECK | TP_FOR_ADEQUACY | TP_FOR_TEST,                                                  \
    "the first file is a module without main: verify all uses of its functions with this prefix "  \
    "(*: of all)")                                                                                 \
  O(TEXT, monitor, EVERYDAY, "monitor", 0, "FILE", "", NULL, TP_FOR_ALL,                           \
    "protocols to check; the program is composed with the monitors of a file (doc/monitors.md), "  \
    "whose errors count as violations")                                                            \
  O(TEXT, nodes, EXPERIMENTS, "nodes", 0, "WHERE", "", "locations|loops", TP_FOR_RUNS,             \
    "engines that split regions: regions at every location (the default; synergy alternates "      \
    "both), or at loop heads only")                                                                \
  O(FLAG, no_runs, EXPERIMENTS, "no-runs", 0, NULL, "", NULL, TP_FOR_ADEQUACY,                     \
    "run nothing beyond what a model describes (for comparison)")                                  \
  O(FLAG, nulls, EXPERIMENTS, "nulls", 0, NULL, "", NULL, TP_FOR_CHECK,                            \
    "of --entry: every pointer may be null; without it arguments are not, and members are where "  \
    "a struct leads to itself")                                                                    \
  O(TEXT, objects, EVERYDAY, "objects", 0, "N", "3", NULL, TP_FOR_SPEC,                            \
    "objects of each type, elements of each array; with types behind it: 3,cell:5,list:1 "         \
    "(doc/specifications.md)")                                                                     \
  O(UINT, operations, EXPERIMENTS, "operations", 0, "N", "2", NULL, TP_FOR_CHECK,                  \
    "of --entry: calls that change a structure which the module has made, at most")                \
  O(TEXT, output, EVERYDAY, "output", 0, "DIR", "", NULL,                                          \
    TP_FOR_CHECK | TP_FOR_ADEQUACY | TP_FOR_SPEC | TP_FOR_TEST,                                    \
    "write the evidence there; certificate, or inputs, harness and error path; spec: the program " \
    "that breaks the contract")                                                                    \
  O(TEXT, pictures, EVERYDAY, "pictures", 0, "DIR", "", NULL, TP_FOR_CHECK | TP_FOR_SPEC,          \
    "draw heaps there; for Graphviz and, where it is installed, as SVG. check: what "              \
    "--config=shape or heap reached at loops, ends of functions and errors; spec: the heap "       \
    "before and after (doc/pictures.md)")                                                          \
  O(TEXT, places, EXPERIMENTS, "places", 0, "AS", "variables", "variables|memory",                 \
    TP_FOR_CHECK | TP_FOR_DUMP,                                                                    \
    "objects whose address only parameters hold: one variable for each place that "                \
    "is accessed, or memory")                                                                      \
  O(TEXT, predicates, EVERYDAY, "predicates", 0, "FILE", "", NULL, TP_FOR_ADEQUACY,                \
    "predicates, one per line: SCOPE: C-EXPRESSION (doc/adequacy.md)")                             \
  O(TEXT, project, EVERYDAY, "project", 'p', "DIR", "", NULL, TP_FOR_SOURCE,                       \
    "files and flags of a build; reads DIR/compile_commands.json, links what the files need of "   \
    "it (doc/projects.md)")                                                                        \
  O(TEXT, proposals, EXPERIMENTS, "proposals", 0, "FROM", "summary", "none|summary", TP_FOR_SPEC,  \
    "--calls=havoc, frame: a call that contradicts what the summary of its callee says is "        \
    "refined "                                                                                     \
    "by that, where the body is shown to keep it; none: refutations are the only source")          \
  O(TEXT, property, EVERYDAY, "property", 0, "PROPERTY", "unreach-call", NULL,                     \
    TP_FOR_MODEL & ~TP_FOR_TEST,                                                                   \
    "what to verify: one or several (with commas) of unreach-call, valid-memsafety (or "           \
    "memsafety), no-overflow (or overflow), valid-memcleanup, valid-deref, valid-free, "           \
    "valid-memtrack, or a property file (.prp)")                                                   \
  O(UINT, refinements, EXPERIMENTS, "refinements", 0, "N", "150", NULL, TP_FOR_SPEC,               \
    "--calls=havoc, frame, summary: how many specifications are drawn from refuted calls before "  \
    "the calls are executed instead; 0: none, and failures inside of calls are not looked at")     \
  O(TEXT, regions, EXPERIMENTS, "regions", 0, "HOW", "", "locations|three", TP_FOR_RUNS,           \
    "engines that split regions: start with one for each node (the default), or with three: "      \
    "start, errors, all else")                                                                     \
  O(TEXT, precondition, EXPERIMENTS, "requires", 0, "CONDITION", "", NULL, TP_FOR_CHECK,           \
    "of --entry: verify only calls for which this holds, a C expression over the parameters; or "  \
    "a file with lines FUNC: CONDITION (doc/entries.md)")                                          \
  O(TEXT, save_predicates, ENGINES, "save-predicates", 0, "FILE", "", NULL, TP_FOR_ADEQUACY,       \
    "write the predicates in use to a file")                                                       \
  O(TEXT, save_precision, ENGINES, "save-precision", 0, "FILE", "", NULL, TP_FOR_CHECK,            \
    "engines cegar, cpa: write what was refined, for --load-precision")                            \
  O(FLAG, schedule, EVERYDAY, "schedule", 0, NULL, "", NULL, TP_FOR_DUMP,                          \
    "print the engines that auto runs for this program, with their reasons")                       \
  O(FLAG, second_opinion, ENGINES, "second-opinion", 0, NULL, "", NULL,                            \
    TP_FOR_RUNS | TP_FOR_ADEQUACY, "check certificates with cvc5 as well")                         \
  O(UINT, seed, ENGINES, "seed", 0, "N", "1", NULL, TP_FOR_RUNS | TP_FOR_TEST | TP_FOR_ADEQUACY,   \
    "seed of every random choice")                                                                 \
  O(SETTING, set, ENGINES, "set", 0, "NAME.KEY=VALUE", "", NULL, TP_FOR_RUNS,                      \
    "composition: a setting of one analysis, also as a line of a configuration file")              \
  O(PATHS, shape_class, ENGINES, "shape-class", 0, "FILE", "", NULL, TP_FOR_CHECK,                 \
    "describe linked structures with the shape class of this file, beside those of lib/shape "     \
    "(doc/shape.md); several times, too. For auto and --config=shape")                             \
  O(TEXT, since, EXPERIMENTS, "since", 0, "COMMIT", "", NULL, TP_FOR_CHECK,                        \
    "verify only functions that reach what has changed since a commit, or a folder with the old "  \
    "version; of those the old version, too, and whether they behave as before")                   \
  O(TEXT, solver, ENGINES, "solver", 0, "NAME", "own", "own" TP_SMT_OPTION_NAMES, TP_FOR_RUNS,     \
    "solver of the engines; own: of each engine" TP_SMT_OPTION_HELP                                \
    "; certificates are checked with z3 always")                                                   \
  O(TEXT, split, EXPERIMENTS, "split", 0, "HOW", "", "drop|pre|interpolant|alias", TP_FOR_RUNS,    \
    "engines that split regions: by pre-images without what is not needed (drop, the default), "   \
    "exact ones, interpolants, or pre-images under the aliases that a test shows")                 \
  O(TEXT, state, EXPERIMENTS, "state", 0, "WHICH", "", "first|last", TP_FOR_RUNS,                  \
    "engine synergy: which of the states that tests reached in a region is tried (the first is "   \
    "the "                                                                                         \
    "default)")                                                                                    \
  O(TEXT, stats, EVERYDAY, "stats", 0, "FILE", "", NULL,                                           \
    TP_FOR_RUNS | TP_FOR_ADEQUACY | TP_FOR_SPEC, "write statistics as JSON")                       \
  O(UINT, steps, ENGINES, "steps", 0, "N", "0", NULL, TP_FOR_RUNS | TP_FOR_ADEQUACY,               \
    "most iterations of the engine's loop; 0: no limit")                                           \
  O(FLAG, stop_at_seen, EXPERIMENTS, "stop-at-seen", 0, NULL, "", NULL, TP_FOR_ADEQUACY,           \
    "end runs at abstract states that were visited before (for comparison)")                       \
  O(SETTING, stop, EXPERIMENTS, "stop", 0, "HOW", "", "sep|join|pred-join", TP_FOR_RUNS,           \
    "composition: when an abstract state counts as covered")                                       \
  O(TEXT, store, EVERYDAY, "store", 0, "FILE", "", NULL, TP_FOR_BENCH,                             \
    "SQLite file that keeps every result; a run that was ended goes on there (doc/bench.md)")      \
  O(TEXT, style, EVERYDAY, "style", 0, "WHAT", "assert", "assert|cmocka",                          \
    TP_FOR_TEST | TP_FOR_ADEQUACY,                                                                 \
    "unit tests of a module (a file without main) with assert.h, or for cmocka")                   \
  O(TEXT, suggest, EVERYDAY, "suggest", 0, "FUNC", "", NULL, TP_FOR_SPEC,                          \
    "print a contract of the function to start from: what it needs so that nothing fails in its "  \
    "body (tried within the bounds), what it changes and ensures (its summary)")                   \
  O(FLAG, summaries, EVERYDAY, "summaries", 0, NULL, "", NULL, TP_FOR_SPEC | TP_FOR_DUMP,          \
    "spec: print what each function does to the heap, as contracts, by abstract interpretation: "  \
    "for heaps of any size, no bounds. dump: run the engine smash and print what tests show that " \
    "functions do (must), and what is proved that they never do (not-may)")                        \
  O(UINT, summary_k, ENGINES, "summary-k", 0, "N", "3", NULL, TP_FOR_SPEC,                         \
    "summaries: paths that go on in the same way before they become a closure")                    \
  O(UINT, summary_l, ENGINES, "summary-l", 0, "N", "5", NULL, TP_FOR_SPEC,                         \
    "summaries: templates of a function for calls of one kind, beside the one for all calls")      \
  O(UINT, summary_m, ENGINES, "summary-m", 0, "N", "5", NULL, TP_FOR_SPEC,                         \
    "summaries: new objects of a type that are told apart; more are a set")                        \
  O(UINT, summary_n, ENGINES, "summary-n", 0, "N", "5000", NULL, TP_FOR_SPEC,                      \
    "summaries: operators of an expression; a larger one loses its choices, or all")               \
  O(SECONDS, timelimit, EVERYDAY, "timelimit", 0, "SECONDS", "0", NULL,                            \
    TP_FOR_RUNS | TP_FOR_TEST | TP_FOR_ADEQUACY | TP_FOR_SPEC | TP_FOR_DUMP,                       \
    "CPU time of all workers; with several properties (--all), of each of them. 0: no limit. "     \
    "spec: "                                                                                       \
    "of each solver query")                                                                        \
  O(TEXT, tests, EVERYDAY, "tests", 0, "DIR", "", NULL, TP_FOR_ADEQUACY,                           \
    "the tests: a folder of inputs (as from check --output, or test --output), or one file")       \
  O(TEXT, tool, EVERYDAY, "tool", 0, "PATH", "", NULL, TP_FOR_BENCH,                               \
    "run this twoproof instead of the one that is asked")                                          \
  O(SETTING, transfer, EXPERIMENTS, "transfer", 0, "HOW", "", "cartesian|strengthened",            \
    TP_FOR_RUNS, "composition: whether components strengthen each other after each step")          \
  O(LIST, undefine, EVERYDAY, "undefine", 'U', "NAME", "", NULL, TP_FOR_SOURCE,                    \
    "undefine a macro, as for the compiler")                                                       \
  O(UINT, unroll, EVERYDAY, "unroll", 0, "N", "0", NULL, TP_FOR_RUNS | TP_FOR_SPEC,                \
    "ask about runs within N iterations of each loop; and within N nested calls of each "          \
    "function: the answer is bounded(...) or false. spec: 0 is 3")                                 \
  O(COUNT, verbose, EVERYDAY, "verbose", 'v', NULL, "", NULL, TP_FOR_ALL | TP_FOR_SPEC,            \
    "say more; progress, the whole error path, what each engine did, statistics")                  \
  O(SETTING, waitlist, EXPERIMENTS, "waitlist", 0, "ORDER", "",                                    \
    "bfs|callstack|dfs|reverse-postorder", TP_FOR_RUNS,                                            \
    "composition: in which order abstract states are expanded")                                    \
  O(SECONDS, walltime, EVERYDAY, "walltime", 0, "SECONDS", "900", NULL,                            \
    TP_FOR_CHECK | TP_FOR_TEST | TP_FOR_ADEQUACY,                                                  \
    "most time on the clock; with several properties for each; then the answer is what is known "  \
    "by "                                                                                          \
    "then; 0: no limit")                                                                           \
  O(TEXT, witness, EVERYDAY, "witness", 0, "FILE", "", NULL, TP_FOR_CHECK,                         \
    "validate a verification witness of the program (YAML, format 2.0 or 2.1): doc/witnesses.md")  \
  O(UINT, width, EVERYDAY, "width", 0, "BITS", "4", NULL, TP_FOR_SPEC,                             \
    "integers have this width, from 2 to 8 bits; others are outside of the bounds")                \
  O(UINT, workers, ENGINES, "workers", 0, "N", "0", NULL, TP_FOR_RUNS,                             \
    "engine auto: N engines side by side, up to 8; 0: one a core, two at least; with --steps one")
#define TP_FIELD_FLAG unsigned
#define TP_FIELD_COUNT unsigned
#define TP_FIELD_TEXT const char *
#define TP_FIELD_UINT uint64_t
#define TP_FIELD_SECONDS double
#define TP_FIELD_PATHS tp_option_paths
#define TP_FIELD_LIST unsigned     // how many; the values are in clang_args
#define TP_FIELD_SETTING unsigned  // how many; the values are in settings

typedef TP_VEC(const char *) tp_option_paths;

typedef struct {
  const char *name, *value;  // "merge", "interval.widen-after"
  const char *origin;        // "--merge", "a.conf:3"
} tp_option_setting;

typedef struct {
#define TP_O(type, field, group, name, letter, argument, value, choices, commands, help) \
  TP_FIELD_##type field;
  TP_OPTIONS(TP_O)
#undef TP_O
  unsigned command;            // TP_FOR_...
  tp_option_paths clang_args;  // -D..., -I..., -U...
  tp_option_paths files;       // what is no option
  tp_option_paths heads;  // of --project where units differ (app/project.h): lines in front of each
                          // file; else empty
  size_t n_linked;        // of files, at the end: chosen by --project because others need them
  size_t n_own_args;      // of clang_args, at the start: not from --project; only with it
  bool is_project_read;   // files and clang_args are those of the build
  TP_VEC(tp_option_setting) settings;  // of the composition, the last of a name wins
  const char *composition;    // for cpa engines: the text that they make, or NULL: the engine's own
  const char *precision;      // the text of load_precision, or NULL
  tp_search_settings search;  // of engines that split regions (app/settings.h)
  const char *others;  // the names of all properties of this run (app/several.h), or NULL: one
  struct tp_shared_structures *invariants;      // that processes of this run have found
                                                // (app/structure_share.h), or NULL
  const struct tp_made_structures *probed;      // what runs have shown of initialisers, or NULL
  const struct tp_made_structures *structures;  // of an entry: those that are any with these facts
                                                // (app/structures.h), or NULL
  struct tp_shared_finding *finding;  // where the process of a property leaves what others need of
                                      // its answer, or NULL
  tp_arena arena;
} tp_options;

/* Reads argv (argv[0] is the subcommand). Wrong usage ends the process with status 64, --help with
 * 0. */
void tp_options_parse(tp_options *o, unsigned command, int argc, char **argv);
void tp_options_clear(tp_options *o);
/* The value of a TEXT option by its name. */
const char *tp_option_text(const tp_options *o, const char *name);
/* Did the command line and --config leave a TEXT option as it was? */
bool tp_option_is_default(const tp_options *o, const char *name);
/* Sets a TEXT option that the command line and --config left as it was. False: it has no such
 * value. */
bool tp_option_offer(tp_options *o, const char *name, const char *value, tp_str *why) TP_MUST_USE;
/* What the front end is asked for: files, data model, arguments of the compiler. Borrows from o. */
tp_front_options tp_options_front(const tp_options *o, tp_property property);
/* Are messages on standard error to be in colour? */
bool tp_options_colour(const tp_options *o);

/* doc/options.md */
void tp_options_document(tp_str *out);

#endif
