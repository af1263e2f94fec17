/* Exit statuses of the command line; scripts depend on them. */
#ifndef TP_APP_EXIT_H
#define TP_APP_EXIT_H

#include <stddef.h>

enum {
  TP_EXIT_TRUE = 0,
  TP_EXIT_BOUNDED = 1,
  TP_EXIT_UNKNOWN = 5,
  TP_EXIT_INPUT = 6,  // the input cannot be handled
  TP_EXIT_FALSE = 10,
  TP_EXIT_USAGE = 64,
  TP_EXIT_MISSING = 69,   // a program or process that is needed, as the compiler, cannot be started
  TP_EXIT_INTERNAL = 70,  // an error of ours
  TP_EXIT_MEMORY = 71,    // of a worker only: out of memory
  TP_EXIT_OUTPUT = 74     // the result, its evidence or temporary files cannot be written
};

/* The statuses that users see, in the order of explanation. */
typedef struct {
  int status;
  const char *meaning;
} tp_exit_row;
extern const tp_exit_row tp_exit_rows[];
extern const size_t tp_n_exit_rows;

/* The verdict behind a status as tables show it: "TRUE", ..., "not verified" where there is none.
 */
const char *tp_exit_word(int status);

#endif
