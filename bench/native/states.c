/* A machine of six states, driven by letters drawn from a seed. Inputs: turns, seed. */
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned next_letter(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 29;
}

int main(void) {
  unsigned turns = __VERIFIER_nondet_uint(), seed = __VERIFIER_nondet_uint(), words = 0, depth = 0, state = 0;
  for (unsigned i = 0; i < turns; i++) {
    unsigned letter = next_letter(&seed);
    switch (state) {
      case 0: state = letter < 3 ? 1 : letter == 7 ? 4 : 0; break;
      case 1: state = letter < 5 ? 2 : 0; break;
      case 2:
        if (letter & 1u) words++;
        state = letter == 0 ? 3 : letter < 6 ? 1 : 5;
        break;
      case 3: depth += letter; state = depth > 1000u ? 5 : 2; break;
      case 4: state = letter & 2u ? 0 : 4; break;
      default: depth /= 2; state = letter % 3u; break;
    }
  }
  return (int)((words + depth) & 127u);
}
