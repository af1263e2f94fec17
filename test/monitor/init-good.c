// expect: true  monitor: init.mon  machine: lp64
extern int __VERIFIER_nondet_int(void);
struct device { int fd, uses; };
static int init(struct device *d) {
  if (__VERIFIER_nondet_int() != 3) return -1;
  d->fd = 3;
  d->uses = 0;
  return 0;
}
static void deinit(struct device *d) { d->fd = -1; }
static void use(struct device *d, double scale, int n) { d->uses += n + (int)scale; }

int main(void) {
  struct device d = {-1, 0};
  int ok = init(&d) == 0;
  for (int i = 0; i < 2; i++) {
    if (!ok) ok = init(&d) == 0;
    if (ok) use(&d, 0.5, i);
    if (ok && __VERIFIER_nondet_int() == 1) {
      deinit(&d);
      ok = 0;
    }
  }
  if (ok) deinit(&d);
  return d.uses;
}
