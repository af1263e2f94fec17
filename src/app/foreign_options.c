/* One row per option of CBMC or CPAchecker; several of them have one answer. */
#include "app/foreign_options.h"

#include "base/base.h"

#include <string.h>
#include <strings.h>

static const char
    memory[] = "memory is checked by --property=valid-memsafety, or --all",
    arithmetic[] = "signed arithmetic is checked by --property=no-overflow, or --all",
    undefined[] = "undefined behaviour is checked by --property=undefined",
    leaks[] = "memory that is never freed is found by --property=valid-memcleanup",
    entry[] =
        "that is --entry=NAME: arguments by their types, a harness without parameters "
        "as it is",
    proofs[] =
        "--output=DIR writes witness.yml (format 2.0) beside the certificate of a "
        "proof, or the test of a failure; --witness=FILE.yml validates one; GraphML "
        "is neither read nor written",
    path[] =
        "a failure is printed with its error path, in full with -v; --output=DIR "
        "writes it to a file",
    model[] = "the program model is printed by 'twoproof dump'",
    bound[] =
        "--unroll=N is a bound for all loops; without it proofs are about all "
        "runs",
    always[] =
        "leave it out: an answer about some runs only is bounded(...), never "
        "true",
    lp64[] = "that is --machine=lp64", ilp32[] = "that is --machine=ilp32",
    malloc_fails[] = "that is --malloc=may-fail: malloc may return NULL",
    solver[] =
        "the engines' solver is named by --solver=NAME (--help=engines lists "
        "them)",
    needless[] =
        "leave it out: a setting of the other tool's own, with no "
        "counterpart here",
    quiet[] =
        "leave it out: only messages and the answer are printed, files are "
        "written with --output=DIR only",
    conversions[] =
        "there is no property for it: conversions and floats are computed as the "
        "machine does; write an assert",
    kinduction[] = "that is --engine=kinduction", cegar[] = "that is --engine=cegar",
    value_cegar[] = "that is --config=value-cegar",
    portfolio[] =
        "leave it out: without --engine and --config several engines run side by "
        "side";

typedef struct {
  const char *name, *hint;
} row;

static const row rows[] = {
    // CBMC
    {"32", ilp32},
    {"64", lp64},
    {"arch", "the data model is --machine=lp64 or --machine=ilp32"},
    {"bitwuzla", solver},
    {"boolector", solver},
    {"bounds-check", memory},
    {"compact-trace", path},
    {"conversion-check", conversions},
    {"cover", "what tests miss is listed by 'twoproof adequacy --tests=DIR'"},
    {"cvc5", "--second-opinion checks certificates with cvc5 as well"},
    {"depth",
     "--unroll=N is a bound for iterations and nested calls, --timelimit=SECONDS for time; "
     "without them proofs are about all runs"},
    {"div-by-zero-check", undefined},
    {"drop-unused-functions", "leave it out: functions that main does not reach are not verified"},
    {"error-label", "call reach_error() at the label: --property=unreach-call"},
    {"float-overflow-check", conversions},
    {"function", entry},
    {"graphml-witness", proofs},
    {"ILP32", ilp32},
    {"json-ui", "that is --format=json"},
    {"LP64", lp64},
    {"malloc-fail-assert", malloc_fails},
    {"malloc-fail-null", malloc_fails},
    {"malloc-may-fail", malloc_fails},
    {"memory-cleanup-check", leaks},
    {"memory-leak-check", leaks},
    {"nan-check", conversions},
    {"no-malloc-may-fail", "leave it out: malloc does not fail without --malloc=may-fail"},
    {"no-standard-checks", "leave it out: --property says what is verified"},
    {"no-unwinding-assertions", always},
    {"nondet-static",
     "static objects start as C says: give them inputs, such as __VERIFIER_nondet_int(), at the "
     "start of main"},
    {"object-bits", "leave it out: the number of objects is not bounded by bits of a pointer"},
    {"partial-loops", always},
    {"pointer-check", memory},
    {"pointer-overflow-check", undefined},
    {"pointer-primitive-check", memory},
    {"refine", needless},
    {"show-goto-functions", model},
    {"show-loops", model},
    {"show-properties",
     "what is verified is named by --property (--all: three properties); 'twoproof dump' prints "
     "the program model with its errors"},
    {"show-vcc", proofs},
    {"signed-overflow-check", arithmetic},
    {"slice-formula", needless},
    {"smt2", solver},
    {"stop-on-fail", "leave it out: each property ends with its first failure"},
    {"trace", path},
    {"undefined-shift-check", undefined},
    {"unsigned-overflow-check",
     "unsigned arithmetic wraps in C: there is no property for it; write an assert"},
    {"unwind", bound},
    {"unwinding-assertions", always},
    {"unwindset", bound},
    {"verbosity", "more is said with -v"},
    {"xml-ui", "there is no XML; --format=json writes the answer as an object"},
    {"z3", "that is --solver=z3"},
    // CPAchecker
    {"benchmark", needless},
    {"bmc", "that is --engine=bmc"},
    {"default", portfolio},
    {"entryfunction", entry},
    {"entry-function", entry},
    {"heap", "memory of a worker is limited by --memlimit=MB"},
    {"intervalAnalysis", "that is --engine=interval"},
    {"kInduction", kinduction},
    {"linux32", ilp32},
    {"linux64", lp64},
    {"nolog", quiet},
    {"noout", quiet},
    {"outputpath", "that is --output=DIR"},
    {"predicateAnalysis", cegar},
    {"preprocess", "leave it out: the compiler's preprocessor is always run"},
    {"setprop", "that is --set=NAME.KEY=VALUE"},
    {"smg", memory},
    {"spec", "property files (.prp) are read by --property=FILE, protocols by --monitor=FILE"},
    {"stack", needless},
    {"statistics", "statistics are printed by -v and written as JSON by --stats=FILE"},
    {"valueAnalysis", value_cegar},
    {"witness", proofs},
};

/* Names that begin so: "svcomp24", "svcomp25--memsafety". */
static const row beginnings[] = {
    {"bmc-", "that is --engine=bmc"},
    {"kInduction-", kinduction},
    {"predicateAnalysis-", cegar},
    {"smg-", memory},
    {"svcomp", portfolio},
    {"valueAnalysis-", value_cegar},
};

const char *tp_foreign_option_hint(const char *name) {
  TP_REQUIRE(name);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0) return rows[i].hint;
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(beginnings[i].name, name, strlen(beginnings[i].name)) == 0)
      return beginnings[i].hint;
  return NULL;
}

/* "config/predicateAnalysis.properties" is the option -predicateAnalysis. */
static const char *configuration_hint(const char *file) {
  char name[64];
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
  const size_t n = strcspn(base, ".");
  if (n >= sizeof name) return NULL;
  memcpy(name, base, n);
  name[n] = 0;
  return tp_foreign_option_hint(name);
}

const char *tp_foreign_value_hint(const char *option, const char *value) {
  TP_REQUIRE(option && value);
  static const row machines[] = {
      {"32", ilp32},    {"64", lp64},     {"linux32", ilp32}, {"linux64", lp64}, {"i386", ilp32},
      {"x86_64", lp64}, {"ILP32", ilp32}, {"LP64", lp64},     {"m32", ilp32},    {"m64", lp64}};
  if (strcmp(option, "config") == 0) return configuration_hint(value);
  if (strcmp(option, "machine") != 0) return NULL;
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
    if (strcasecmp(machines[i].name, value) == 0) return machines[i].hint;
  return NULL;
}
