/* The broken twin of acyclic_list_remove.c. */
#define BROKEN
#include "acyclic_list_remove.c"
