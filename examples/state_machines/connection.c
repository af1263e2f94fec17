/* A connection carries data only between opening and closing; the requests come without end. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum state { CLOSED, OPENING, OPEN };
enum request { CONNECT, SEND, CLOSE };

int main(void) {
  enum state state = CLOSED;
  int is_open = 0;
  while (1) {
    unsigned request = __VERIFIER_nondet_uint();
    switch (request) {
      case CONNECT:
        state = state == CLOSED ? OPENING : OPEN;
        is_open = state == OPEN;
        break;
      case SEND:
        if (state == OPEN && !is_open) {
          reach_error();
        }
        break;
      case CLOSE:
        state = CLOSED;
        is_open = 0;
        break;
      default:
        return 0;
    }
  }
}
