// expect: true  monitor: file.mon  machine: lp64
extern int file_open(const char *name);
extern int file_read(int f);
extern void file_close(int f);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = file_open("a"), b = -1;
  if (a < 0) return 1;
  if (__VERIFIER_nondet_int()) b = file_open("b");
  if (b == a) b = -1;
  char c = 0;
  for (int i = 0; i < 3 && c != 'q'; i++) {
    c = (char)file_read(a);
    if (b >= 0 && file_read(b) != 1) break;
  }
  file_close(a);
  if (b >= 0) file_close(b);
  return 0;
}
