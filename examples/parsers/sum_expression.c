/* A recursive-descent parser of sums of digits against a direct sum. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static const char *at;

static int number(void) { return *at++ - '0'; }

static int sum(void) {
  int value = number();
  while (*at == '+' || *at == '-') {
    value = *at++ == '+' ? value + number() : value - number();
  }
  return value;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int c = __VERIFIER_nondet_int();
  if (a < 0 || a > 9 || b < 0 || b > 9 || c < 0 || c > 9) {
    return 0;
  }
  char text[6] = {(char)('0' + a), '-', (char)('0' + b), '+', (char)('0' + c), '\0'};
  at = text;
  if (sum() != a - b + c) {
    reach_error();
  }
  return 0;
}
