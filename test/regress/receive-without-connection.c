// expect: unknown  property: unreach-call  machine: lp64  cause: what a socket receives that is not connected was taken for an input of the world
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
void reach_error(void) { abort(); }
int main(void) {
  char c;
  struct sockaddr_in a = {.sin_family = AF_INET};
  int s = socket(AF_INET, SOCK_STREAM, 0);
  if (s < 0) return 1;
  if (connect(s, (struct sockaddr *)&a, sizeof a) == 0) return 0;
  if (recv(s, &c, 1, 0) == 1) reach_error();
  return 0;
}
