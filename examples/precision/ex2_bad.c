/* Refused with the wrong code: any first command but 177.
 * Fails with inputs: 1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

/* A command that a client may send: 177 opens, 78 confirms, 79 refuses. */
static int read_command(void) {
  int wire = __VERIFIER_nondet_int();
  if (wire == 0) return 177;
  if (wire == 1) return 78;
  return 79;
}

int main(void) {
  int state = 0;
  int ok = 0;
  int p = 0;
  char cells[101];
  int cmd = read_command();
  for (;;) {
    if (state == 0) {
      if (cmd == 177) state = 1;
      else state = 2;
    } else if (state == 1) {
      if (cmd == 177) {
        state = 3;
        cmd = read_command();
      } else {
        state = 0;
      }
    } else if (state == 2) {
      if (cmd == 177) reach_error();
      cmd = 80;
      state = 4;
      p = cmd;
      while (p > 0) {
        cells[p] = 0;
        p--;
      }
      if (p > 0) reach_error();
    } else if (state == 3) {
      if (cmd == 78) {
        state = 4;
        ok = 1;
      } else {
        state = 0;
        cmd = read_command();
      }
    } else {
      if (ok && cmd != 78) reach_error();
      if (!ok && cmd != 79) reach_error();
      break;
    }
  }
  p = cmd;
  while (p < 100) {
    p++;
    cells[p] = 0;
  }
  if (p < 100) reach_error();
  return cells[cmd];
}
