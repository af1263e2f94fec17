/* The server of ex1 without loops over p, 1 round in a row. Explicit values see one state after the other, predicates carry all of them along. */
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
        return 0;
      default: reach_error();
    }
  }
}
