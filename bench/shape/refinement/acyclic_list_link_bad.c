/* The broken twin of acyclic_list_link.c. */
#define BROKEN
#include "acyclic_list_link.c"
