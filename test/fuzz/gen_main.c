/* gen SEED [COUNT [long-bits [no-heap]]]: prints a file of random programs. */
#include "gen.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s SEED [COUNT [32|64 [no-heap]]]\n", argv[0]);
    return 64;
  }
  gen_options options = {argc > 3 ? (unsigned)atoi(argv[3]) : 64, argc <= 4};
  tp_str text = {0};
  gen_file(strtoull(argv[1], NULL, 0), argc > 2 ? (unsigned)atoi(argv[2]) : 1, options, &text);
  fputs(tp_str_text(&text), stdout);
  tp_str_clear(&text);
  return 0;
}
