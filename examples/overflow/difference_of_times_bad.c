/* The difference of two times of day in seconds fits well.
 * Broken: hours are not limited, so their seconds overflow.
 * Fails with inputs: 600000 0 0 0 0 0 */
extern int __VERIFIER_nondet_int(void);

struct time {
  int hour, minute, second;
};

static int seconds(struct time t) { return (t.hour * 60 + t.minute) * 60 + t.second; }

static struct time read_time(void) {
  struct time t;
  t.hour = __VERIFIER_nondet_int();
  t.minute = __VERIFIER_nondet_int();
  t.second = __VERIFIER_nondet_int();
  if (t.hour < 0) {
    t.hour = 0;
  }
  if (t.minute < 0 || t.minute > 59) {
    t.minute = 0;
  }
  if (t.second < 0 || t.second > 59) {
    t.second = 0;
  }
  return t;
}

int main(void) {
  struct time start = read_time();
  struct time end = read_time();
  int difference = seconds(end) - seconds(start);
  return difference > 86399;
}
