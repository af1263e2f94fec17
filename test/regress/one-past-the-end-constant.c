// expect: unknown  property: unreach-call  machine: lp64  cause: addresses of neighbours were compared while the model was built
void reach_error(void) {}
int a[1], b[1];
int main(void) {
  if (a + 1 == b || b + 1 == a) reach_error();
  return 0;
}
