/* The seats of a hall, counted row by row: both bounds are unknown, and the count is their product. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int rows = __VERIFIER_nondet_int(), width = __VERIFIER_nondet_int(), seats = 0;
  if (rows < 8 || rows > 9000 || width < 15 || width > 9000) return 0;
  for (int row = 0; row < rows; row++)
    for (int place = 0; place < width; place++) seats++;
  if (seats < 120) reach_error();
  return 0;
}
