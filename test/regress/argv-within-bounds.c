// expect: true  property: valid-deref  machine: lp64  cause: twin of argv-strings-end.c and argv-has-argc-slots.c
int main(int argc, char *argv[]) {
  int n = 0;
  if (argc > 1 && argv[1][0] == 'a' && argv[1][1] == 'b') n = argv[1][2];
  return n + (argv[argc] != 0);
}
