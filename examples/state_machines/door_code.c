/* A door opens only for the code 4-7-1, typed in a row. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  const int code[3] = {4, 7, 1};
  int typed[6];
  int progress = 0;
  int opened_at = -1;
  for (int i = 0; i < 6 && opened_at < 0; i++) {
    typed[i] = __VERIFIER_nondet_int();
    if (typed[i] == code[progress]) {
      progress++;
    } else {
      progress = typed[i] == code[0];
    }
    if (progress == 3) {
      opened_at = i;
    }
  }
  if (opened_at >= 0) {
    if (opened_at < 2 || typed[opened_at - 2] != 4 || typed[opened_at - 1] != 7 || typed[opened_at] != 1) {
      reach_error();
    }
  }
  return 0;
}
