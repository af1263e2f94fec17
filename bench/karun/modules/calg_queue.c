/* queue.c of c-algorithms. */
#include "queue.c"
