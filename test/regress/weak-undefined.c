// expect: unknown  property: unreach-call  machine: lp64  cause: the address of a weak function that nobody defines was not null
void reach_error(void) {}
extern void optional(void) __attribute__((weak));
int main(void) {
  if (!optional) reach_error();
  return 0;
}
