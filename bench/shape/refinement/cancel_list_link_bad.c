/* The broken twin of cancel_list_link.c. */
#define BROKEN
#include "cancel_list_link.c"
