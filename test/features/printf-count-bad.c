// %n stores the number of characters written so far, also where nobody asks about memory.
#include <stdio.h>
void reach_error(void) {}
int main(void) {
  int n = 0;
  printf("abc%n\n", &n);
  if (n == 3) reach_error();
  return 0;
}
