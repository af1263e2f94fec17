/* A switch whose cases fall through on purpose adds the discounts of all lower grades. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int discount(int grade) {
  int percent = 0;
  switch (grade) {
    case 3:
      percent += 10; /* fall through */
    case 2:
      percent += 5;
    case 1:
      percent += 2;
      break;
    default:
      break;
  }
  return percent;
}

int main(void) {
  int grade = __VERIFIER_nondet_int();
  if (grade < 1 || grade > 3) {
    return 0;
  }
  const int expected[] = {0, 2, 7, 17};
  if (discount(grade) != expected[grade]) {
    reach_error();
  }
  return 0;
}
