/* Reads every file of contracts of the C library beside the program. */
#include "contracts/spec/contract_library.h"

#include "base/beside.h"

#include <stdio.h>

tp_status tp_contract_library_read(tp_clauses *c) {
  static const char file[] = "spec/libc.contracts";
  char folder[4096], path[4200];
  if (!tp_find_own_folder(file, folder, sizeof folder)) return TP_ERR_SYSTEM;
  snprintf(path, sizeof path, "%s/%s", folder, file);
  tp_str text = {0};
  const tp_status status = tp_read_file(path, &text);
  if (status == TP_OK) tp_clauses_read_library(c, path, tp_str_text(&text));
  tp_str_clear(&text);
  return status;
}
