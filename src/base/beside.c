/* Search for installed files relative to the executable. */
#include "base/beside.h"

#include <stdio.h>
#include <unistd.h>

bool tp_find_beside_executable(const char *const *places, const char *file, char *folder,
                               size_t size) {
  char self[4096], path[8192];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return false;
  self[n] = '\0';
  char *slash = strrchr(self, '/');
  if (slash) *slash = '\0';
  for (; *places; places++) {
    if ((size_t)snprintf(folder, size, "%s/%s", self, *places) >= size) continue;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) < sizeof path &&
        access(path, R_OK) == 0)
      return true;
  }
  return false;
}
