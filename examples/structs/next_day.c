/* The day after a valid date is a valid date. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct date {
  int year, month, day;
};

static int is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int days_in(int month, int year) {
  switch (month) {
    case 2:
      return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
      return 30;
    default:
      return 31;
  }
}

static int is_valid(const struct date *d) {
  return d->month >= 1 && d->month <= 12 && d->day >= 1 && d->day <= days_in(d->month, d->year);
}

static struct date next_day(struct date d) {
  d.day++;
  if (d.day > days_in(d.month, d.year)) {
    d.day = 1;
    d.month++;
  }
  if (d.month > 12) {
    d.month = 1;
    d.year++;
  }
  return d;
}

int main(void) {
  struct date d;
  d.year = __VERIFIER_nondet_int();
  d.month = __VERIFIER_nondet_int();
  d.day = __VERIFIER_nondet_int();
  if (d.year < 1583 || d.year > 9999 || !is_valid(&d)) {
    return 0;
  }
  struct date next = next_day(d);
  if (!is_valid(&next)) {
    reach_error();
  }
  return 0;
}
