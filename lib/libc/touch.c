/* What library functions read although the model makes nothing of it. */
#include "tp_model.h"

void __tp_touch(const char *s) {
  if (__tp_memory_checked())
    while (*s) s++;
}

void __tp_touch_bytes(const void *p, unsigned long n) {
  if (__tp_memory_checked())
    for (unsigned long i = 0; i < n; i++) (void)((const volatile char *)p)[i];
}
