/* One row per option of CBMC or CPAchecker; several of them have one answer. */
#include "app/foreign_options.h"

#include "base/base.h"

#include <string.h>

static const char memory[] = "memory is checked by --property=valid-memsafety, or --all",
                  arithmetic[] = "signed arithmetic is checked by --property=no-overflow, or --all",
                  undefined[] = "undefined behaviour is checked by --property=undefined",
                  leaks[] = "memory that is never freed is found by --property=valid-memcleanup",
                  entry[] =
                      "the program starts with main: write a main that calls the function with "
                      "inputs such as __VERIFIER_nondet_int(), or let 'twoproof adequacy "
                      "--module=PREFIX' call the functions of a file",
                  proofs[] =
                      "--output=DIR writes the certificate of a proof, or the test and the "
                      "error path of a failure; witness files are neither read nor written",
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
                  lp64[] = "that is --machine=lp64", ilp32[] = "that is --machine=ilp32";

static const struct {
  const char *name, *hint;
} rows[] = {
    // CBMC
    {"32", ilp32},
    {"64", lp64},
    {"bounds-check", memory},
    {"cover", "what tests miss is listed by 'twoproof adequacy --tests=DIR'"},
    {"div-by-zero-check", undefined},
    {"function", entry},
    {"json-ui", "that is --format=json"},
    {"memory-cleanup-check", leaks},
    {"memory-leak-check", leaks},
    {"pointer-check", memory},
    {"pointer-overflow-check", undefined},
    {"show-goto-functions", model},
    {"signed-overflow-check", arithmetic},
    {"trace", path},
    {"undefined-shift-check", undefined},
    {"unsigned-overflow-check",
     "unsigned arithmetic wraps in C: there is no property for it; write an assert"},
    {"unwind", bound},
    {"unwinding-assertions", always},
    {"unwindset", bound},
    // CPAchecker
    {"bmc", "that is --engine=bmc"},
    {"entryfunction", entry},
    {"entry-function", entry},
    {"heap", "memory of a worker is limited by --memlimit=MB"},
    {"kInduction", "that is --engine=kinduction"},
    {"outputpath", "that is --output=DIR"},
    {"predicateAnalysis", "that is --engine=cegar"},
    {"preprocess", "leave it out: the compiler's preprocessor is always run"},
    {"setprop", "that is --set=NAME.KEY=VALUE"},
    {"spec", "property files (.prp) are read by --property=FILE, protocols by --monitor=FILE"},
    {"statistics", "statistics are printed by -v and written as JSON by --stats=FILE"},
    {"valueAnalysis", "that is --config=value-cegar"},
    {"witness", proofs},
};

const char *tp_foreign_option_hint(const char *name) {
  TP_REQUIRE(name);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0) return rows[i].hint;
  return NULL;
}
