// expect: unknown  property: unreach-call  machine: lp64  cause: the third parameter of main was a null pointer
void reach_error(void) {}
int main(int argc, char **argv, char **envp) {
  if (envp[0] == 0) reach_error();
  return 0;
}
