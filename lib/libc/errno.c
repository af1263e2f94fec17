/* errno: set by the program itself, by library functions to a value that the standard names, or to
 * something.
 *
 * Functions that may set it to something mark it stale, which costs nothing; the next look at it
 * makes it an input. */
#include "tp_model.h"

_Bool __tp_errno_is_stale;
static int value;

void __tp_set_errno(int to) {
  __tp_errno_is_stale = 0;
  value = to;
}

int *__errno_location(void) {
  if (__tp_errno_is_stale) {
    __tp_errno_is_stale = 0;
    value = __tp_env_int("~errno");
    __tp_assume(value >= 0 && value < 4096);
  }
  return &value;
}
