/* The last of 2 rounds forgets that a command was confirmed.
 * Fails with inputs: 0 1 0 1 */
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
  int cmd = read_command();
  for (;;) {
    switch (state) {
      case 0:
        if (cmd == 177) state = 1;
        else state = 2;
        break;
      case 1:
        if (cmd == 177) {
          state = 3;
          cmd = read_command();
        } else {
          state = 0;
        }
        break;
      case 2:
        if (cmd == 177) reach_error();
        cmd = 79;
        state = 4;
        break;
      case 3:
        if (cmd == 78) {
          state = 4;
          ok = 1;
        } else {
          state = 0;
          cmd = read_command();
        }
        break;
      case 4:
        if (ok && cmd != 78) reach_error();
        if (!ok && cmd != 79) reach_error();
        ok = 0;
        cmd = read_command();
        state = 5;
        break;
      case 5:
        if (cmd == 177) state = 6;
        else state = 7;
        break;
      case 6:
        if (cmd == 177) {
          state = 8;
          cmd = read_command();
        } else {
          state = 5;
        }
        break;
      case 7:
        if (cmd == 177) reach_error();
        cmd = 79;
        state = 9;
        break;
      case 8:
        if (cmd == 78) {
          state = 9;
          ok = 0;
        } else {
          state = 5;
          cmd = read_command();
        }
        break;
      case 9:
        if (ok && cmd != 78) reach_error();
        if (!ok && cmd != 79) reach_error();
        return 0;
      default: reach_error();
    }
  }
}
