/* The last flag is set to something that is not a flag: commands 177, then 78, 2 times.
 * Fails with inputs: 177 78 177 78 344791004 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int state = 0;
  int ok0 = 0;
  int ok1 = 0;
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
        if (cmd == 78) ok1 = 2;
        state = cmd == 78 ? 8 : 4;
        cmd = __VERIFIER_nondet_int();
        break;
      case 8:
        if ((ok0 != 0 && ok0 != 1) || (ok1 != 0 && ok1 != 1)) reach_error();
        return 0;
      default: reach_error();
    }
  }
}
