/* The three parts of clibs/list. */
#include "list.c"
#include "list_iterator.c"
#include "list_node.c"
