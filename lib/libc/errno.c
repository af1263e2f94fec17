/* errno: set by the program itself, or by library functions to something.
 *
 * Functions that may set it mark it stale, which costs nothing; the next look
 * at it makes it an input. */
#include "tp_model.h"

_Bool __tp_errno_is_stale;

int *__errno_location(void) {
  static int value;
  if (__tp_errno_is_stale) {
    __tp_errno_is_stale = 0;
    value = __tp_env_int("~errno");
    __tp_assume(value >= 0 && value < 4096);
  }
  return &value;
}
