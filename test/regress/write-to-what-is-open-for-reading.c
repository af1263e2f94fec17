// expect: unknown  property: unreach-call  machine: lp64  cause: whether a write to a file succeeds that the program opened for reading was taken for an input of the world
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
void reach_error(void) { abort(); }
int main(void) {
  int fd = open("name", O_RDONLY);
  if (fd >= 0 && write(fd, "a", 1) == 1) reach_error();
  return 0;
}
