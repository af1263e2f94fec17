/* Any of the cells may have changed. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int cells[4] = {1, 1, 1, 1}, same = 3;
  int *p = &cells[__VERIFIER_nondet_int() & 3];
  *p = 2;
  if (same != 3) reach_error();
  if (cells[0] == 1 && cells[1] == 1 && cells[2] == 1 && cells[3] == 1) return 1;
  if (cells[2] != 1) reach_error();
  return 0;
}
