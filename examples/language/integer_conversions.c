/* A signed index is compared with an unsigned length, safely. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static const char text[] = "conversion";

static int is_inside(int index) {
  unsigned length = sizeof text - 1;
  return index >= 0 && (unsigned)index < length;
}

int main(void) {
  int index = __VERIFIER_nondet_int();
  if (is_inside(index) && (index < 0 || index > 9)) {
    reach_error();
  }
  return 0;
}
