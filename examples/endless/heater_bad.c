/* A heater is off, heating or resting; it is never in a state that the program does not know.
 * Broken: the rest ends in a state behind the last one.
 * Fails with inputs: 1 1 1 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum heater { OFF, HEATING, RESTING };

int main(void) {
  enum heater heater = OFF;
  while (__VERIFIER_nondet_bool()) {
    switch (heater) {
      case OFF: heater = HEATING; break;
      case HEATING: heater = RESTING + 1; break;
      case RESTING: heater = OFF; break;
      default: reach_error();
    }
  }
  return 0;
}
