/* What each exit status means, for --help and the manual. */
#include "app/exit.h"

const tp_exit_row tp_exit_rows[] = {
    {TP_EXIT_TRUE, "true"},
    {TP_EXIT_BOUNDED, "bounded"},
    {TP_EXIT_FALSE, "false"},
    {TP_EXIT_UNKNOWN, "unknown"},
    {TP_EXIT_INPUT, "the input cannot be handled"},
    {TP_EXIT_USAGE, "wrong usage"},
    {TP_EXIT_MISSING, "a program that is needed is missing"},
    {TP_EXIT_INTERNAL, "internal error"},
    {TP_EXIT_OUTPUT, "the result cannot be written"},
};
const size_t tp_n_exit_rows = sizeof tp_exit_rows / sizeof *tp_exit_rows;

const char *tp_exit_word(int status) {
  switch (status) {
    case TP_EXIT_TRUE: return "TRUE";
    case TP_EXIT_BOUNDED: return "BOUNDED";
    case TP_EXIT_FALSE: return "FALSE";
    case TP_EXIT_UNKNOWN: return "UNKNOWN";
    default: return "not verified";
  }
}
