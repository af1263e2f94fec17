// In a program without error functions the label ERROR is the error.
int main(void) {
  int n = 0;
  while (n < 10) n += 3;
  if (n != 12) goto ERROR;
  return 0;
ERROR:
  return 1;
}
