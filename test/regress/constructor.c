// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: functions that run before main were not called
int ready;
void reach_error(void) {}
__attribute__((constructor)) static void prepare(void) { ready = 1; }
int main(void) {
  if (ready) reach_error();
  return 0;
}
