/* Versions of what is linked come from the libraries, those of programs from the programs. */
#include "app/version.h"

#include "base/process.h"
#include "circuit/sat.h"
#include "smt/smt.h"

#include <stdio.h>

const char tp_version_number[] = "0.1";
static const char note[] =
#include "app/commit.inc"
    ;

const char *tp_version_text(void) {
  static char text[80];
  snprintf(text, sizeof text, note[0] ? "%s (%s)" : "%s", tp_version_number, note);
  return text;
}

/* The first line that the program prints about itself, or that it is not there. */
static void add_program(const char *name, const char *use, tp_str *out) {
  const char *argv[] = {name, "--version", NULL};
  tp_process p;
  const tp_status st = tp_process_run(
      &p, (tp_process_spec){.program = name, .argv = argv, .limits = {.wall_s = 10}});
  const bool is_there = st == TP_OK && p.end == TP_PROCESS_EXITED && p.code == 0;
  const char *line = is_there ? tp_str_text(&p.out) : "not installed";
  tp_str_printf(out, "  %-9s %-46s %.*s\n", name, use, (int)strcspn(line, "\n"), line);
  tp_process_clear(&p);
}

void tp_version_print(tp_str *out) {
  TP_REQUIRE(out);
  tp_str_printf(out, "twoproof %s\n", tp_version_text());
  tp_str_printf(out, "  %-9s %-46s %s\n", "Z3", "solver of engines and of the certificate checker",
                tp_smt_z3_version());
  tp_str_printf(out, "  %-9s %-46s %s\n", "CaDiCaL", "solver of the own circuits",
                tp_sat_solver_version());
  add_program("clang-19", "reads C; one of the two builds of a failing run", out);
  add_program("gcc", "the other build of a failing run", out);
  add_program("cvc5", "--second-opinion", out);
}
