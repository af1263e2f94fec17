// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: clang knew that a library function does not return, the program has one that does
void reach_error(void) {}
void exit(int status) { (void)status; }
int main(void) {
  exit(3);
  reach_error();
  return 0;
}
