/* Nothing but a list of any length: what the others have in common. */
#include "list.h"

int main(void) {
  x = any_list();
  return 0;
}
