// expect: unknown  property: unreach-call  machine: lp64  cause: a function in a section that runs before main was not called
void reach_error(void) {}
static void before(void) { reach_error(); }
__attribute__((section(".init_array"), used)) static void (*entry)(void) = before;
int main(void) { return 0; }
