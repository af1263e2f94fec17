/* The options table as data. */
#include "app/options_table.h"

const tp_option_row tp_option_rows[] = {
#define TP_O(type, field, group, name, letter, argument, value, choices, commands, help) \
  {TP_OPTION_##type,                                                                     \
   TP_OPTION_##group,                                                                    \
   offsetof(tp_options, field),                                                          \
   name,                                                                                 \
   letter,                                                                               \
   argument,                                                                             \
   value,                                                                                \
   choices,                                                                              \
   commands,                                                                             \
   help},
    TP_OPTIONS(TP_O)
#undef TP_O
};
const size_t tp_n_option_rows = sizeof tp_option_rows / sizeof *tp_option_rows;

const tp_option_command tp_option_commands[] = {
    {.name = "check",
     .usage = "FILE.c... [-- COMPILER FLAGS]",
     .about =
         "Verify a C program: TRUE with a checked proof, FALSE with inputs that make the compiled "
         "program fail, or UNKNOWN.",
     .examples = {{"twoproof check --all a.c",
                   "three properties: asserts, accesses to memory, undefined behaviour"},
                  {"twoproof check --output=evidence a.c; sh evidence/run.sh",
                   "see a failing run as compiled"},
                  {"twoproof check --entry=largest --timelimit=60 a.c",
                   "a function of a library, called with any arguments"}}},
    {.name = "replay",
     .usage = "FILE.c... TEST [-- COMPILER FLAGS]",
     .about = "Run a test (inputs in the order of asking) on the concrete machine and on builds of "
              "clang and gcc. The test says its property, data model, ...; options count more.",
     .examples = {{"twoproof replay a.c evidence/inputs.txt",
                   "run what `twoproof check --output=evidence a.c` left"}}},
    {.name = "dump",
     .usage = "FILE.c... [-- COMPILER FLAGS]",
     .about = "Print the program model.",
     .examples = {{"twoproof dump --dot --function=main a.c | dot -Tsvg >main.svg",
                   "draw the control-flow automaton of main"},
                  {"twoproof dump --schedule a.c", "the engines that `auto` would run, and why"}}},
    {.name = "bench",
     .usage = "DIR|SET|TASK.yml...",
     .about =
         "Verify many tasks and compare with the verdicts that their .yml files expect. compare: "
         "what became wrong, lost, gained, slower between two kept runs; report: runs as HTML.",
     .other_usages = "       twoproof bench compare A.db[:LABEL] B.db[:LABEL]\n"
                     "       twoproof bench report A.db[:LABEL] [B.db[:LABEL]] >report.html\n",
     .words = "compare|report",
     .examples = {{"twoproof bench --timelimit=20 --store=runs.db --label=before tasks",
                   "run all tasks of a folder, keep the results"},
                  {"twoproof bench compare runs.db:before runs.db:after",
                   "what changed between two runs"}}},
    {.name = "adequacy",
     .usage = "FILE.c... [-- COMPILER FLAGS]",
     .about = "Are these tests enough? Lists the abstract states that they miss, and verifies the "
              "program from what they reach.",
     .examples = {{"twoproof adequacy --tests=suite a.c",
                   "do the tests of a folder reach all abstract states?"}}},
    {.name = "spec",
     .usage = "FILE.c... [-- COMPILER FLAGS]",
     .about = "Contracts of functions and data structures (doc/specifications.md).",
     .examples = {{"twoproof spec a.c", "all functions that have a contract"},
                  {"twoproof spec --function=largest --objects=4 --unroll=4 a.c",
                   "one of them, within larger bounds"}}},
    {.name = "test",
     .usage = "FILE.c... --output=DIR [-- COMPILER FLAGS]",
     .about = "Write a suite of tests for coverage. What they do not cover is proved dead, with a "
              "checked certificate, or named open (doc/test-suites.md).",
     .examples = {{"twoproof test --output=suite a.c",
                   "inputs and harnesses in a folder, one for each test"}}},
};
const size_t tp_n_option_commands = sizeof tp_option_commands / sizeof *tp_option_commands;

const tp_option_command *tp_option_command_of(unsigned command) {
  TP_REQUIRE(command && (command & (command - 1)) == 0);
  size_t c = 0;
  while (command >> (c + 1)) c++;
  TP_INVARIANT(c < tp_n_option_commands);
  return &tp_option_commands[c];
}
