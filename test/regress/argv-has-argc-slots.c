// expect: false(valid-deref)  property: valid-deref  machine: lp64  cause: argv was an array of fixed size, so slots behind argv[argc] could be read
int main(int argc, char *argv[]) {
  if (argc == 2) return argv[5] != 0;
  return 0;
}
