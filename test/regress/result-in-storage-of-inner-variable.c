// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: clang keeps m where the result goes; with no turn of the loop that storage did not exist, and the return ended the run
extern void reach_error(void);
union u {
  int f;
  unsigned g : 28;
};
static union u f(int n) {
  union u l = {3};
  for (int i = 0; i < n; i++) {
    union u m = {1};
    int *p = &m.f;
    *p += i;
    if (i == 2) return m;
  }
  return l;
}
int main(void) {
  union u x = f(0);
  if (x.f == 3) reach_error();
  return 0;
}
