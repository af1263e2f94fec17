/* The broken twin of treep_rotate_left_right.c. */
#define BROKEN
#include "treep_rotate_left_right.c"
