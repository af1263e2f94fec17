/* A signed bit-field holds -4 .. 3; its neighbours are not touched.
 * Broken: the counter may reach 4, which reads as -4.
 * Fails with inputs: 4 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct status {
  unsigned ready : 1;
  signed int level : 3;
  unsigned code : 12;
};

int main(void) {
  struct status s = {1, 0, 0xabc};
  int level = __VERIFIER_nondet_int();
  if (level < -4 || level > 4) {
    return 0;
  }
  s.level = level;
  if (s.level != level || s.ready != 1 || s.code != 0xabc) {
    reach_error();
  }
  return 0;
}
