/* The broken twin of cancel_list_remove.c. */
#define BROKEN
#include "cancel_list_remove.c"
