/* The broken twin of bintree_rotate_right.c. */
#define BROKEN
#include "bintree_rotate_right.c"
