// expect: false(valid-deref)  property: valid-deref  machine: lp64  cause: strings of argv were objects of fixed size, so bytes behind their end could be read
int main(int argc, char *argv[]) {
  if (argc > 1 && argv[1][0] == 'a' && argv[1][1] == 0) return argv[1][2];
  return 0;
}
