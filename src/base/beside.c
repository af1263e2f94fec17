/* Search for installed files relative to the executable. */
#include "base/beside.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool tp_find_own_folder(const char *file, char *folder, size_t size) {
  // Of an installation; of build/twoproof, of build/VARIANT/twoproof and of its test programs.
  static const char *const places[] = {"../lib/twoproof", "lib", "../lib", "../../../lib",
                                       "../../../../lib"};
  char self[4096], path[8192];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return false;
  self[n] = '\0';
  char *slash = strrchr(self, '/');
  if (slash) *slash = '\0';
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    if ((size_t)snprintf(folder, size, "%s/%s", self, places[i]) >= size) continue;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path ||
        access(path, R_OK) != 0)
      continue;
    char plain[PATH_MAX];  // messages show it
    if (realpath(folder, plain) && strlen(plain) < size) memcpy(folder, plain, strlen(plain) + 1);
    return true;
  }
  return false;
}
