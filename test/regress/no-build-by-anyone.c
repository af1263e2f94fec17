// expect: unknown  property: unreach-call  machine: lp64  cause: the replay waited for ever when no compiler could build the program
extern void reach_error(void);
__asm__("no_such_instruction");
int main(void) {
  reach_error();
  return 0;
}
