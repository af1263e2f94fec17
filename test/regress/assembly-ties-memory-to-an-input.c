// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: an input tied to an output in memory was dropped where the assembly has no text
void reach_error(void) {}
int main(void) {
  int x = 1, y = 2;
  __asm__ volatile("" : "=rm"(x) : "0"(y));
  if (x == 2) reach_error();
  return 0;
}
