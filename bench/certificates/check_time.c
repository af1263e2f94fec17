/* The checker alone: reads a program and a certificate, checks the certificate TURNS times, and
 * prints one line: CPU seconds of a check in the mean, its result, its solver queries. Each time
 * the terms have other numbers, and the solver with them another order: the mean evens out its
 * luck. usage: check_time TURNS lp64|ilp32 PROPERTY FILE.c CERTIFICATE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "certify/certify.h"
#include "front/front.h"

static double cpu_s(void) {
  double sum = 0;
  const int who[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
  for (int i = 0; i < 2; i++) {
    struct rusage u;
    getrusage(who[i], &u);
    sum += (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
  }
  return sum;
}

static char *text_of(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  const size_t n = (size_t)ftell(f);
  rewind(f);
  char *text = calloc(n + 1, 1);
  if (text && fread(text, 1, n, f) != n) text[0] = 0;
  fclose(f);
  return text;
}

static int measure(const tp_program *p, tp_property property, const char *certificate, int turns) {
  double sum = 0;
  uint64_t queries = 0;
  tp_certify_result result = TP_CERTIFY_UNDECIDED;
  for (int i = 0; i < turns; i++) {
    tp_certify_report report;
    tp_certify_report_init(&report);
    const tp_certify_limits limits = {.cpu_s = 300};
    const double before = cpu_s();
    result = tp_certify_true(p, property, certificate, &limits, NULL, &report);
    sum += cpu_s() - before;
    queries = report.queries;
    tp_certify_report_clear(&report);
  }
  printf("%.4f\t%s\t%llu\n", sum / turns, tp_certify_result_name(result),
         (unsigned long long)queries);
  return result != TP_CERTIFY_ACCEPTED;
}

int main(int argc, char **argv) {
  if (argc != 6) return 64;
  tp_property property;
  if (!tp_property_parse(argv[3], &property)) return 64;
  const tp_front_options front = {
      .files = (const char *const[]){argv[4]},
      .n_files = 1,
      .property = property,
      .model_dir = getenv("MODELS"),
      .machine = strcmp(argv[2], "ilp32") == 0 ? TP_MACHINE_ILP32 : TP_MACHINE_LP64};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *program = NULL;
  if (tp_front_load(&front, diag, &program) != TP_OK) return 65;
  char *certificate = text_of(argv[5]);
  if (!certificate) return 66;
  const int status = measure(program, property, certificate, atoi(argv[1]));
  free(certificate);
  return status;
}
