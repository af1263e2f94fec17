/* What library functions read although the model makes nothing of it. */
#include "tp_model.h"

void __tp_touch(const char *s) {
  if (__tp_memory_checked())
    while (*s) s++;
}
