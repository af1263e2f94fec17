// expect: unknown  property: unreach-call  machine: lp64  cause: what is read from a file that the program has closed was taken for an input of the world, and played to the compiled program
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
void reach_error(void) { abort(); }
int main(void) {
  char c;
  int fd = open("name", O_RDONLY);
  if (fd < 0) return read(fd, &c, 1) == 1 ? (reach_error(), 1) : 0;
  close(fd);
  if (read(fd, &c, 1) == 1) reach_error();
  return 0;
}
