/* The last flag is set to something that is not a flag: commands 177, then 78, 8 times.
 * Fails with inputs: 177 78 177 78 177 78 177 78 177 78 177 78 177 78 177 78 -642034168 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int state = 0;
  int ok0 = 0;
  int ok1 = 0;
  int ok2 = 0;
  int ok3 = 0;
  int ok4 = 0;
  int ok5 = 0;
  int ok6 = 0;
  int ok7 = 0;
  int cmd = __VERIFIER_nondet_int();
  for (;;) {
    switch (state) {
      case 0: state = cmd == 177 ? 1 : 2; break;
      case 1:
        if (cmd == 177) {
          state = 3;
          cmd = __VERIFIER_nondet_int();
        } else {
          state = 0;
        }
        break;
      case 2:
        if (cmd == 177) reach_error();
        ok0 = 0;
        state = 4;
        break;
      case 3:
        if (cmd == 78) ok0 = 1;
        state = cmd == 78 ? 4 : 0;
        cmd = __VERIFIER_nondet_int();
        break;
      case 4: state = cmd == 177 ? 5 : 6; break;
      case 5:
        if (cmd == 177) {
          state = 7;
          cmd = __VERIFIER_nondet_int();
        } else {
          state = 4;
        }
        break;
      case 6:
        if (cmd == 177) reach_error();
        ok1 = 0;
        state = 8;
        break;
      case 7:
        if (cmd == 78) ok1 = 1;
        state = cmd == 78 ? 8 : 4;
        cmd = __VERIFIER_nondet_int();
        break;
      case 8: state = cmd == 177 ? 9 : 10; break;
      case 9:
        if (cmd == 177) {
          state = 11;
          cmd = __VERIFIER_nondet_int();
        } else {
          state = 8;
        }
        break;
      case 10:
        if (cmd == 177) reach_error();
        ok2 = 0;
        state = 12;
        break;
      case 11:
        if (cmd == 78) ok2 = 1;
        state = cmd == 78 ? 12 : 8;
        cmd = __VERIFIER_nondet_int();
        break;
      case 12: state = cmd == 177 ? 13 : 14; break;
      case 13:
        if (cmd == 177) {
          state = 15;
          cmd = __VERIFIER_nondet_int();
        } else {
          state = 12;
        }
        break;
      case 14:
        if (cmd == 177) reach_error();
        ok3 = 0;
        state = 16;
        break;
      case 15:
        if (cmd == 78) ok3 = 1;
        state = cmd == 78 ? 16 : 12;
        cmd = __VERIFIER_nondet_int();
        break;
      case 16: state = cmd == 177 ? 17 : 18; break;
      case 17:
        if (cmd == 177) {
          state = 19;
          cmd = __VERIFIER_nondet_int();
        } else {
          state = 16;
        }
        break;
      case 18:
        if (cmd == 177) reach_error();
        ok4 = 0;
        state = 20;
        break;
      case 19:
        if (cmd == 78) ok4 = 1;
        state = cmd == 78 ? 20 : 16;
        cmd = __VERIFIER_nondet_int();
        break;
      case 20: state = cmd == 177 ? 21 : 22; break;
      case 21:
        if (cmd == 177) {
          state = 23;
          cmd = __VERIFIER_nondet_int();
        } else {
          state = 20;
        }
        break;
      case 22:
        if (cmd == 177) reach_error();
        ok5 = 0;
        state = 24;
        break;
      case 23:
        if (cmd == 78) ok5 = 1;
        state = cmd == 78 ? 24 : 20;
        cmd = __VERIFIER_nondet_int();
        break;
      case 24: state = cmd == 177 ? 25 : 26; break;
      case 25:
        if (cmd == 177) {
          state = 27;
          cmd = __VERIFIER_nondet_int();
        } else {
          state = 24;
        }
        break;
      case 26:
        if (cmd == 177) reach_error();
        ok6 = 0;
        state = 28;
        break;
      case 27:
        if (cmd == 78) ok6 = 1;
        state = cmd == 78 ? 28 : 24;
        cmd = __VERIFIER_nondet_int();
        break;
      case 28: state = cmd == 177 ? 29 : 30; break;
      case 29:
        if (cmd == 177) {
          state = 31;
          cmd = __VERIFIER_nondet_int();
        } else {
          state = 28;
        }
        break;
      case 30:
        if (cmd == 177) reach_error();
        ok7 = 0;
        state = 32;
        break;
      case 31:
        if (cmd == 78) ok7 = 2;
        state = cmd == 78 ? 32 : 28;
        cmd = __VERIFIER_nondet_int();
        break;
      case 32:
        if ((ok0 != 0 && ok0 != 1) || (ok1 != 0 && ok1 != 1) || (ok2 != 0 && ok2 != 1) || (ok3 != 0 && ok3 != 1) || (ok4 != 0 && ok4 != 1) || (ok5 != 0 && ok5 != 1) || (ok6 != 0 && ok6 != 1) || (ok7 != 0 && ok7 != 1)) reach_error();
        return 0;
      default: reach_error();
    }
  }
}
