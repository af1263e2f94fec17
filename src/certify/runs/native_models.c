/* Models of library functions in a compiled program: how they are linked.
 *
 * The program calls them in place of the C library's functions. The runtime of a sanitizer calls
 * some of the same functions for itself (sysconf before main starts, isatty for its reports), and
 * must get the C library's: the runtime is linked as a shared library, gcc's always is, and a
 * version script keeps the models' names from it. */
#include "certify/runs/native_replay_priv.h"

#include "base/process.h"

// Made by the Makefile from the index of the models.
static const char model_map[] = {
#include "certify/runs/model_map.inc"
};

const char *tp_chk_native_model_map(void) { return model_map; }

tp_status tp_chk_native_models_prepare(tp_chk_native_job *j) {
  if (j->r->n_models == 0) return TP_OK;
  j->model_map = tp_arena_printf(&j->arena, "%s/models.map", j->dir);
  return tp_write_file(j->model_map, model_map, strlen(model_map));
}

/* The folder with clang's runtime libraries; NULL: clang does not say it. */
static const char *runtime_folder(tp_chk_native_job *j, const char *clang) {
  const char *const argv[] = {clang, "-print-file-name=libclang_rt.asan-x86_64.so", NULL};
  const char *folder = NULL;
  tp_process p;
  const tp_process_spec spec = {
      .argv = argv,
      .out = TP_STDIO_CAPTURE,
      .limits = tp_process_compiler_limits(j->r->left_s, j->r->memory_bytes)};
  if (tp_process_run(&p, spec) == TP_OK && p.end == TP_PROCESS_EXITED && p.code == 0) {
    const char *path = tp_str_text(&p.out), *slash = strrchr(path, '/');
    if (slash && path[0] == '/')
      folder = tp_arena_printf(&j->arena, "%.*s", (int)(slash - path), path);
  }
  tp_process_clear(&p);
  return folder;
}

/* MemorySanitizer has no shared runtime; builds with it have no models (tp_chk_native_prepare). */
static bool has_shared_runtime(const tp_chk_native_request *r) {
  const tp_chk_detector *d = tp_chk_detector_of(r);
  bool has = r->storage == TP_CHK_STORAGE_ALIGNED;
  for (const char *const *o = d->options[TP_CHK_NATIVE_CLANG]; *o; o++)
    has |= strncmp(*o, "-fsanitize=", 11) == 0;
  return has && !d->is_of_unset_values;
}

void tp_chk_native_models_link(tp_chk_native_job *j, int compiler, tp_chk_native_args *args) {
  TP_REQUIRE(compiler >= 0 && compiler < TP_CHK_N_NATIVE && args->n > 0);
  if (j->r->n_models == 0) return;
  TP_REQUIRE(j->model_map);
  if (compiler == TP_CHK_NATIVE_CLANG && has_shared_runtime(j->r)) {
    const char *folder = runtime_folder(j, args->at[0]);
    if (folder) {
      tp_vec_push(args, "-shared-libsan");
      tp_vec_push(args, tp_arena_printf(&j->arena, "-Wl,-rpath,%s", folder));
    }
  }
  tp_vec_push(args, tp_arena_printf(&j->arena, "-Wl,--version-script,%s", j->model_map));
  tp_vec_push(args, "-Wl,-z,muldefs");  // the program's own functions come first
  for (size_t i = 0; i < j->r->n_models; i++) tp_vec_push(args, j->r->models[i]);
}
