/* Functions that run before main and after it: __attribute__((constructor)) and ((destructor)).
 *
 * clang lists them with their priorities, in the order of the text and of the files. As on Linux,
 * constructors run by rising priority, those of one priority as listed; destructors the other way
 * round, behind the functions that atexit registered (a destructor may register more, which run
 * last). main calls them: the first ones when it starts, the others where the program ends by
 * exit() or main's return. */
#include "front/front_priv.h"

typedef struct {
  LLVMValueRef function;
  uint64_t priority;
} listed;
typedef TP_VEC(listed) listed_functions;

/* The entry {priority, function, data} of a list; false: it is something else than a function of
 * the program that takes nothing. */
static bool read_entry(LLVMValueRef entry, listed *out) {
  if (!LLVMIsAConstantStruct(entry) || LLVMGetNumOperands(entry) != 3) return false;
  LLVMValueRef priority = LLVMGetOperand(entry, 0), function = LLVMGetOperand(entry, 1);
  if (!LLVMIsAConstantInt(priority) || !LLVMIsAFunction(function) || LLVMIsDeclaration(function) ||
      LLVMCountParams(function) > 0)
    return false;
  *out = (listed){function, LLVMConstIntGetZExtValue(priority)};
  return true;
}

/* Before the first entry of a higher priority: the order of the list decides among equals. */
static void insert(listed_functions *list, listed f) {
  tp_vec_push(list, f);
  for (size_t i = list->n - 1; i > 0 && list->at[i - 1].priority > f.priority; i--) {
    list->at[i] = list->at[i - 1];
    list->at[i - 1] = f;
  }
}

/* By rising priority; false: there is something in the list that is not understood. */
static bool read_list(LLVMModuleRef module, const char *name, listed_functions *out) {
  LLVMValueRef variable = LLVMGetNamedGlobal(module, name);
  if (!variable) return true;
  LLVMValueRef entries = LLVMGetInitializer(variable);
  if (!entries || !LLVMIsAConstantArray(entries)) return false;
  for (int i = 0; i < LLVMGetNumOperands(entries); i++) {
    listed f;
    if (!read_entry(LLVMGetOperand(entries, (unsigned)i), &f)) return false;
    insert(out, f);
  }
  return true;
}

static void note_order(tp_fe *fe, const listed_functions *list, const char *what) {
  for (size_t i = 1; i < list->n; i++)
    if (list->at[i].priority == list->at[i - 1].priority) {
      tp_fe_add_assumption(fe, what);
      return;
    }
}

void tp_fe_find_constructors(tp_fe *fe) {
  listed_functions before = {0}, after = {0};
  if (!read_list(fe->module, "llvm.global_ctors", &before) || (fe->is_module && before.n > 0))
    tp_vec_push(&fe->p->unsupported, (tp_unsupported){.what = "function that runs before main"});
  if (!read_list(fe->module, "llvm.global_dtors", &after) || (fe->is_module && after.n > 0))
    tp_vec_push(&fe->p->unsupported, (tp_unsupported){.what = "function that runs after main"});
  for (size_t i = 0; i < before.n; i++) tp_vec_push(&fe->constructors, before.at[i].function);
  for (size_t i = after.n; i-- > 0;) tp_vec_push(&fe->destructors, after.at[i].function);
  note_order(fe, &before, "constructors of one priority run in the order of the text");
  note_order(fe, &after, "destructors of one priority run against the order of the text");
  tp_vec_clear(&before);
  tp_vec_clear(&after);
}

static void run(tp_fb *fb, LLVMValueRef function) {
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_CALL, .callee = tp_fe_func(fb->fe, function)});
  if (tp_fe_call_may_jump(fb->fe, function))
    tp_fb_unsupported(fb, "longjmp in a constructor or destructor");
}

void tp_fb_run_constructors(tp_fb *fb) {
  TP_REQUIRE(fb->is_main);
  for (size_t i = 0; i < fb->fe->constructors.n; i++) run(fb, fb->fe->constructors.at[i]);
}

void tp_fb_run_destructors(tp_fb *fb) {
  for (size_t i = 0; i < fb->fe->destructors.n; i++) run(fb, fb->fe->destructors.at[i]);
}

bool tp_fe_main_ends_with_work(const tp_fe *fe) {
  const tp_monitors *m = fe->opt->monitors;
  return fe->check_leak || fe->check_cleanup || (m && m->observes_exit) || fe->destructors.n > 0 ||
         LLVMGetNamedFunction(fe->module, "atexit");
}

bool tp_fe_main_has_work(const tp_fe *fe) {
  return fe->constructors.n > 0 || fe->jumpers.n > 0 || tp_fe_main_ends_with_work(fe);
}
