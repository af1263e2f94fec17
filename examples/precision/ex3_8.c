/* The server of ex1 without loops over p, 8 rounds in a row. Explicit values see one state after the other, predicates carry all of them along. */
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
          ok = 1;
        } else {
          state = 5;
          cmd = read_command();
        }
        break;
      case 9:
        if (ok && cmd != 78) reach_error();
        if (!ok && cmd != 79) reach_error();
        ok = 0;
        cmd = read_command();
        state = 10;
        break;
      case 10:
        if (cmd == 177) state = 11;
        else state = 12;
        break;
      case 11:
        if (cmd == 177) {
          state = 13;
          cmd = read_command();
        } else {
          state = 10;
        }
        break;
      case 12:
        if (cmd == 177) reach_error();
        cmd = 79;
        state = 14;
        break;
      case 13:
        if (cmd == 78) {
          state = 14;
          ok = 1;
        } else {
          state = 10;
          cmd = read_command();
        }
        break;
      case 14:
        if (ok && cmd != 78) reach_error();
        if (!ok && cmd != 79) reach_error();
        ok = 0;
        cmd = read_command();
        state = 15;
        break;
      case 15:
        if (cmd == 177) state = 16;
        else state = 17;
        break;
      case 16:
        if (cmd == 177) {
          state = 18;
          cmd = read_command();
        } else {
          state = 15;
        }
        break;
      case 17:
        if (cmd == 177) reach_error();
        cmd = 79;
        state = 19;
        break;
      case 18:
        if (cmd == 78) {
          state = 19;
          ok = 1;
        } else {
          state = 15;
          cmd = read_command();
        }
        break;
      case 19:
        if (ok && cmd != 78) reach_error();
        if (!ok && cmd != 79) reach_error();
        ok = 0;
        cmd = read_command();
        state = 20;
        break;
      case 20:
        if (cmd == 177) state = 21;
        else state = 22;
        break;
      case 21:
        if (cmd == 177) {
          state = 23;
          cmd = read_command();
        } else {
          state = 20;
        }
        break;
      case 22:
        if (cmd == 177) reach_error();
        cmd = 79;
        state = 24;
        break;
      case 23:
        if (cmd == 78) {
          state = 24;
          ok = 1;
        } else {
          state = 20;
          cmd = read_command();
        }
        break;
      case 24:
        if (ok && cmd != 78) reach_error();
        if (!ok && cmd != 79) reach_error();
        ok = 0;
        cmd = read_command();
        state = 25;
        break;
      case 25:
        if (cmd == 177) state = 26;
        else state = 27;
        break;
      case 26:
        if (cmd == 177) {
          state = 28;
          cmd = read_command();
        } else {
          state = 25;
        }
        break;
      case 27:
        if (cmd == 177) reach_error();
        cmd = 79;
        state = 29;
        break;
      case 28:
        if (cmd == 78) {
          state = 29;
          ok = 1;
        } else {
          state = 25;
          cmd = read_command();
        }
        break;
      case 29:
        if (ok && cmd != 78) reach_error();
        if (!ok && cmd != 79) reach_error();
        ok = 0;
        cmd = read_command();
        state = 30;
        break;
      case 30:
        if (cmd == 177) state = 31;
        else state = 32;
        break;
      case 31:
        if (cmd == 177) {
          state = 33;
          cmd = read_command();
        } else {
          state = 30;
        }
        break;
      case 32:
        if (cmd == 177) reach_error();
        cmd = 79;
        state = 34;
        break;
      case 33:
        if (cmd == 78) {
          state = 34;
          ok = 1;
        } else {
          state = 30;
          cmd = read_command();
        }
        break;
      case 34:
        if (ok && cmd != 78) reach_error();
        if (!ok && cmd != 79) reach_error();
        ok = 0;
        cmd = read_command();
        state = 35;
        break;
      case 35:
        if (cmd == 177) state = 36;
        else state = 37;
        break;
      case 36:
        if (cmd == 177) {
          state = 38;
          cmd = read_command();
        } else {
          state = 35;
        }
        break;
      case 37:
        if (cmd == 177) reach_error();
        cmd = 79;
        state = 39;
        break;
      case 38:
        if (cmd == 78) {
          state = 39;
          ok = 1;
        } else {
          state = 35;
          cmd = read_command();
        }
        break;
      case 39:
        if (ok && cmd != 78) reach_error();
        if (!ok && cmd != 79) reach_error();
        return 0;
      default: reach_error();
    }
  }
}
