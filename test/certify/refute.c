/* cadical as a child process on files in a temporary directory; its exit status says the answer. */
#include "refute.h"

#include "base/process.h"

#include <unistd.h>

static tp_status run(const char *cnf, const char *proof, double cpu_s) {
  const char *const argv[] = {"cadical", "-q", cnf, proof, NULL};
  tp_process p;
  const tp_process_spec spec = {
      .argv = argv, .out = TP_STDIO_DISCARD, .err = TP_STDIO_DISCARD, .limits = {.cpu_s = cpu_s}};
  tp_status st = tp_process_run(&p, spec);
  if (st == TP_OK && p.end == TP_PROCESS_EXITED)
    st = p.code == 20    ? TP_OK
         : p.code == 10  ? TP_ERR_INPUT
         : p.code == 127 ? TP_ERR_SYSTEM
                         : TP_ERR_LIMIT;
  else if (st == TP_OK)
    st = TP_ERR_LIMIT;
  tp_process_clear(&p);
  return st;
}

tp_status tp_refute(const tp_str *cnf, double cpu_s, tp_str *proof) {
  tp_str directory = {0}, question = {0}, answer = {0};
  tp_status st = tp_temp_dir(&directory);
  tp_str_printf(&question, "%s/question.cnf", tp_str_text(&directory));
  tp_str_printf(&answer, "%s/proof", tp_str_text(&directory));
  if (st == TP_OK) st = tp_write_file(question.text, tp_str_text(cnf), cnf->n);
  if (st == TP_OK) st = run(question.text, answer.text, cpu_s);
  if (st == TP_OK) st = tp_read_file(answer.text, proof);
  unlink(question.text);
  unlink(answer.text);
  rmdir(tp_str_text(&directory));
  tp_str_clear(&directory);
  tp_str_clear(&question);
  tp_str_clear(&answer);
  return st;
}
