// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: a product and a sum that may be fused were taken for fused
void reach_error(void) {}
int main(void) {
#pragma STDC FP_CONTRACT ON
  double a = 1.0 + 0x1p-30, p = a * a;
  double rest = a * a - p;
  if (rest == 0) reach_error();
  return 0;
}
