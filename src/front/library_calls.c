/* Functions with a built-in meaning: assumptions, errors, the end of the program, what models ask
 * for. Those of the heap stand in allocator_calls.c.
 *
 * One table gives the meaning of a name; it applies only if the program does not define the
 * function itself, except for the error functions: where reaching them is the property, their call
 * is the error, whatever their body. */
#include "front/front_priv.h"

typedef enum {
  K_NONE,
  K_ASSUME,
  K_RELY,
  K_UNREACHABLE,
  K_ASSERT,
  K_ERROR,
  K_ERROR_UNLESS_BODY,
  K_ASSERT_FAIL,
  K_ABORT,
  K_EXIT,
  K_MALLOC,
  K_CALLOC,
  K_REALLOC,
  K_FREE,
  K_ALIGNED_ALLOC,
  K_ALLOCA,
  K_NONDET_MEMORY,
  K_NOTHING,
  K_FIRST_ARGUMENT,
  K_JUMP,
  K_NON_LOCAL,
  K_CONCURRENT,
  K_GNU_ERROR,
  K_OBJECT_SIZE,
  K_WITHIN,
  K_ROOM,
  K_IS_BLOCK,
  K_TP_BYTES,
  K_TP_NEW_GLOBAL,
  K_TP_CHECK_FREE,
  K_TP_MEMORY_CHECKED,
  K_TP_FORMAT_STORES,
  K_TP_CHECK_DEFINED,
  K_TP_CHECK_OVERFLOW,
  K_TP_CHECK_APART,
  K_TP_ASSUMPTION,
  K_TP_UNSUPPORTED
} meaning;

typedef struct {
  const char *name;
  meaning what;
} row;

static const row table[] = {{"__VERIFIER_assume", K_ASSUME},
                            {"assume", K_ASSUME},
                            {"__ESBMC_assume", K_ASSUME},
                            {"__CPROVER_assume", K_ASSUME},
                            {"assume_abort_if_not", K_ASSUME},
                            {"tp___builtin_assume", K_RELY},
                            {"assert", K_ASSERT},
                            {"__ESBMC_assert", K_ASSERT},
                            {"__CPROVER_assert", K_ASSERT},
                            {"__VERIFIER_assert", K_ASSERT},
                            {"__SMACK_assert", K_ASSERT},
                            {"reach_error", K_ERROR},
                            {"__VERIFIER_error", K_ERROR},
                            {"error", K_ERROR_UNLESS_BODY},
                            {"__assert_fail", K_ASSERT_FAIL},
                            {"__assert", K_ASSERT_FAIL},
                            {"__assert_perror_fail", K_ASSERT_FAIL},
                            {"abort", K_ABORT},
                            {"tp___builtin_trap", K_ABORT},
                            {"tp___builtin_unreachable", K_UNREACHABLE},
                            {"exit", K_EXIT},
                            {"_exit", K_EXIT},
                            {"_Exit", K_EXIT},
                            {"quick_exit", K_EXIT},
                            {"malloc", K_MALLOC},
                            {"valloc", K_MALLOC},
                            {"calloc", K_CALLOC},
                            {"realloc", K_REALLOC},
                            {"free", K_FREE},
                            {"cfree", K_FREE},
                            {"aligned_alloc", K_ALIGNED_ALLOC},
                            {"memalign", K_ALIGNED_ALLOC},
                            {"alloca", K_ALLOCA},
                            {"__builtin_alloca", K_ALLOCA},
                            {"__VERIFIER_nondet_memory", K_NONDET_MEMORY},
                            {"__VERIFIER_atomic_begin", K_NOTHING},
                            {"__VERIFIER_atomic_end", K_NOTHING},
                            {"__ESBMC_atomic_begin", K_NOTHING},
                            {"__ESBMC_atomic_end", K_NOTHING},
                            {"setjmp", K_JUMP},
                            {"_setjmp", K_JUMP},
                            {"__sigsetjmp", K_JUMP},
                            {"sigsetjmp", K_JUMP},
                            {"longjmp", K_JUMP},
                            {"_longjmp", K_JUMP},
                            {"siglongjmp", K_JUMP},
                            {"getcontext", K_NON_LOCAL},
                            {"setcontext", K_NON_LOCAL},
                            {"makecontext", K_NON_LOCAL},
                            {"swapcontext", K_NON_LOCAL},
                            {"fork", K_CONCURRENT},
                            {"vfork", K_CONCURRENT},
                            {"clone", K_CONCURRENT},
                            {"pthread_create", K_CONCURRENT},
                            {"thrd_create", K_CONCURRENT},
                            {"tp___builtin_expect", K_FIRST_ARGUMENT},
                            {"__tp_object_size", K_OBJECT_SIZE},
                            {"__twoproof_within", K_WITHIN},
                            {"__twoproof_room", K_ROOM},
                            {"__twoproof_is_block", K_IS_BLOCK},
                            {"__tp_assume", K_ASSUME},
                            {"__tp_env_bytes", K_TP_BYTES},
                            {"__tp_new_global", K_TP_NEW_GLOBAL},
                            {"__tp_end", K_EXIT},
                            {"__tp_check_free", K_TP_CHECK_FREE},
                            {"__tp_memory_checked", K_TP_MEMORY_CHECKED},
                            {"__tp_format_stores", K_TP_FORMAT_STORES},
                            {"__tp_check_defined", K_TP_CHECK_DEFINED},
                            {"__tp_check_apart", K_TP_CHECK_APART},
                            {"__tp_assumption", K_TP_ASSUMPTION},
                            {"__tp_check_overflow", K_TP_CHECK_OVERFLOW},
                            {"__tp_unsupported", K_TP_UNSUPPORTED}};

static meaning meaning_of(const char *name) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].name, name) == 0) return table[i].what;
  return K_NONE;
}

/* The built-in meaning of a call of this function. The body of an error function is used only where
 * its call is no error, that of __twoproof_within only by compiled programs. */
static meaning meaning_of_call(const tp_fe *fe, const char *name, bool has_body, unsigned n_args) {
  meaning m = meaning_of(name);
  if ((m == K_ERROR && fe->check_reach) || m == K_WITHIN) return m;
  if (has_body) return K_NONE;
  if (m == K_ERROR_UNLESS_BODY) return n_args == 0 ? K_ERROR : n_args >= 3 ? K_GNU_ERROR : K_NONE;
  return m;
}

bool tp_fe_is_error_function(const tp_fe *fe, const char *name) {
  return fe->check_reach && meaning_of(name) == K_ERROR;
}

bool tp_fe_is_known(const char *name) {
  return meaning_of(name) != K_NONE || strncmp(name, "__tp_", 5) == 0;
}

void tp_fe_call_ends(const tp_fe *fe, const char *name, bool *silently, bool *with_error) {
  const meaning m = meaning_of(name);
  const bool asserts =
      m == K_ERROR || m == K_ERROR_UNLESS_BODY || m == K_ASSERT || m == K_ASSERT_FAIL;
  *with_error = asserts && fe->check_reach;
  *silently = m == K_ASSUME || m == K_ABORT || m == K_EXIT || (asserts && !fe->check_reach);
}

typedef struct {
  tp_map seen;  // functions, by address
  TP_VEC(LLVMValueRef) todo;
} reachable;

/* Functions that v names, also inside constants (tables of functions). */
static void reach_operand(reachable *r, LLVMValueRef v) {
  if (!v || (!LLVMIsAFunction(v) && !LLVMIsAConstantExpr(v) && !LLVMIsAGlobalVariable(v) &&
             !LLVMIsAConstantArray(v) && !LLVMIsAConstantStruct(v)))
    return;
  if (tp_map_has(&r->seen, (uint64_t)(uintptr_t)v)) return;
  tp_map_set(&r->seen, (uint64_t)(uintptr_t)v, 1);
  tp_vec_push(&r->todo, v);
}

static void reach_from(reachable *r, LLVMValueRef v) {
  if (!LLVMIsAFunction(v)) {
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
      reach_operand(r, LLVMGetOperand(v, (unsigned)i));
    return;
  }
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(b); inst; inst = LLVMGetNextInstruction(inst))
      for (int i = 0; i < LLVMGetNumOperands(inst); i++)
        reach_operand(r, LLVMGetOperand(inst, (unsigned)i));
}

/* Does main reach a call of an error function? Unreachable calls do not count: many programs
 * contain libraries with assertions that they never use. */
bool tp_fe_uses_error_functions(tp_fe *fe) {
  reachable r = {0};
  bool uses = false;
  reach_operand(&r, LLVMGetNamedFunction(fe->module, "main"));
  while (r.todo.n && !uses) {
    LLVMValueRef v = tp_vec_pop(&r.todo);
    if (LLVMIsAFunction(v)) {
      meaning m = meaning_of(tp_fe_func_name(fe, v));
      uses = m == K_ERROR || (LLVMIsDeclaration(v) &&
                              (m == K_ERROR_UNLESS_BODY || m == K_ASSERT || m == K_ASSERT_FAIL));
    }
    reach_from(&r, v);
  }
  tp_map_clear(&r.seen);
  tp_vec_clear(&r.todo);
  return uses;
}

// -------------------------------------------------------------------- small ones

static tp_term truth(tp_fb *fb, tp_term t) {
  tp_terms *tt = fb->tt;
  switch (tp_sort_kind_of(tt, tp_sort_of(tt, t))) {
    case TP_SORT_BOOL: return t;
    case TP_SORT_PTR: return tp_mk_not(tt, tp_mk_eq(tt, t, tp_mk_null(tt)));
    case TP_SORT_FP:
      return tp_mk_not(tt, tp_mk2(tt, TP_OP_FP_EQ, t, tp_mk_fp(tt, tp_width(tt, t), 0)));
    case TP_SORT_BV:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  // match: ite(c, 1, 0)   result: c
  uint64_t yes, no;
  if (tp_kind(tt, t) == TP_OP_ITE && tp_bv_value_u64(tt, tp_arg(tt, t, 1), &yes) &&
      tp_bv_value_u64(tt, tp_arg(tt, t, 2), &no) && yes && !no)
    return tp_arg(tt, t, 0);
  return tp_mk_bv_to_bool(tt, t);
}

/* The program ends as by abort(): memory that is still allocated counts as leaked. */
static void abort_here(tp_fb *fb) {
  tp_fb_check_end(fb, TP_END_AT_ONCE);
  tp_fb_block(fb, "the program aborts");
}

static void fail(tp_fb *fb, const char *message) {
  TP_REQUIRE(message);
  if (fb->fe->check_reach)
    tp_fb_error_here(fb, TP_P_UNREACH_CALL, message);
  else
    abort_here(fb);
}

/* An assertion outside of the property: assumed. */
static void abort_unless(tp_fb *fb, tp_term ok) {
  tp_loc goes_on;
  if ((!fb->fe->check_leak && !fb->fe->check_cleanup) || tp_is_true(fb->tt, ok)) {
    tp_fb_assume(fb, ok, "assertion");
  } else {
    tp_fb_branch(fb, tp_mk_not(fb->tt, ok), &goes_on);
    abort_here(fb);
    tp_fb_continue_at(fb, goes_on);
  }
}

/* With what the program says of it, in an argument that is a text: __CPROVER_assert(c, "why"). */
static const char *assertion_message(tp_fb *fb, LLVMValueRef inst) {
  const char *message = "assertion violated";
  for (unsigned i = 0; i < (unsigned)LLVMGetNumArgOperands(inst); i++) {
    tp_str text = {0};
    if (tp_fe_literal_text(fb->fe, LLVMGetOperand(inst, i), &text) && text.n)
      message = tp_fe_printf(fb->fe, "assertion violated: %.400s", tp_str_text(&text));
    tp_str_clear(&text);
  }
  return message;
}

static void lower_assert(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value v;
  unsigned n = LLVMGetNumArgOperands(inst);
  // the condition is the first argument that is no text
  for (unsigned i = 0; i < n; i++) {
    if (i + 1 < n && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, i))) == LLVMPointerTypeKind)
      continue;
    if (!tp_fb_argument(fb, inst, i, &v)) return;
    tp_term ok = truth(fb, v.t);
    if (fb->fe->check_reach)
      tp_fb_check(fb, ok, TP_P_UNREACH_CALL, assertion_message(fb, inst));
    else
      abort_unless(fb, ok);
    return;
  }
}

static void lower_assert_fail(tp_fb *fb, LLVMValueRef inst) {
  tp_str text = {0};
  const char *message = "assertion violated";
  if (LLVMGetNumArgOperands(inst) && tp_fe_literal_text(fb->fe, LLVMGetOperand(inst, 0), &text))
    message = tp_fe_printf(fb->fe, "assertion violated: %.400s", tp_str_text(&text));
  tp_str_clear(&text);
  fail(fb, message);
}

/* Functions registered with atexit run when main returns or exit is called, if the program can
 * register any. */
static void run_handlers(tp_fb *fb) {
  LLVMValueRef handlers = LLVMGetNamedFunction(fb->fe->module, "__tp_run_atexit");
  LLVMValueRef registration = LLVMGetNamedFunction(fb->fe->module, "atexit");
  if (!handlers || LLVMIsDeclaration(handlers) || !registration || !LLVMGetFirstUse(registration))
    return;
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_CALL, .callee = tp_fe_func(fb->fe, handlers)});
  if (tp_fe_call_may_jump(fb->fe, handlers))
    tp_fb_unsupported(fb, "longjmp in a function that atexit registered");
}

/* When main has returned, the lifetimes of its variables have ended: they make no object reachable.
 */
static void clear_pointers(tp_fb *fb) {
  for (uint32_t i = 1; i < fb->p->vars.n; i++) {
    const tp_var_info *v = &fb->p->vars.at[i];
    bool pointer = tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, v->term)) == TP_SORT_PTR;
    if (v->func.id == fb->func.id && v->kind != TP_V_GHOST && pointer)
      tp_fb_forget_pointer(fb, (tp_var){i});
  }
}

void tp_fb_check_end(tp_fb *fb, tp_program_end how) {
  TP_REQUIRE((unsigned)how <= TP_END_AT_ONCE);
  tp_fe *fe = fb->fe;
  const tp_failure_manner manner =
      how == TP_END_BY_RETURN ? TP_FAILS_MAIN_RETURN : TP_FAILS_AT_LOCATION;
  if (how != TP_END_AT_ONCE) {
    run_handlers(fb);
    tp_fb_run_destructors(fb);
    if (fe->destructors.n > 0) run_handlers(fb);  // a destructor may have registered more
  }
  if (how != TP_END_AT_ONCE) tp_fb_add_exit_event(fb);
  if (fe->check_leak) {
    if (how == TP_END_BY_RETURN) clear_pointers(fb);
    tp_term lost = tp_var_of(fb->p, fb->p->ghost_leaked)->term;
    tp_fb_check_manner(fb, tp_mk_not(fb->tt, lost), TP_P_VALID_MEMTRACK, manner,
                       "memory is neither freed nor reachable at the end of the program");
  }
  if (fe->check_cleanup) {
    tp_term heap = tp_var_of(fb->p, fb->p->ghost_heap)->term;
    tp_term none = tp_mk_eq(fb->tt, heap, tp_mk_bv(fb->tt, tp_width(fb->tt, heap), 0));
    tp_fb_check_manner(fb, none, TP_P_VALID_MEMCLEANUP, manner,
                       "memory is not freed at the end of the program");
  }
}

void tp_fb_check_turn(tp_fb *fb) {
  TP_REQUIRE(fb->fe->check_leak);
  tp_term lost = tp_var_of(fb->p, fb->p->ghost_leaked)->term;
  tp_fb_check_manner(fb, tp_mk_not(fb->tt, lost), TP_P_VALID_MEMTRACK, TP_FAILS_AT_LOCATION,
                     "memory is neither freed nor reachable in a loop that never ends");
}

/* error(status, errnum, format, ...) of glibc: a message, and the end of the program unless status
 * is 0. */
static void lower_gnu_error(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value status;
  if (!tp_fb_argument(fb, inst, 0, &status)) return;
  tp_loc goes_on;
  tp_term ends = truth(fb, status.t);
  if (tp_is_false(fb->tt, ends)) return;
  if (tp_is_true(fb->tt, ends)) {
    tp_fb_check_end(fb, TP_END_BY_EXIT);
    tp_fb_stop(fb);
    return;
  }
  tp_fb_branch(fb, ends, &goes_on);
  tp_fb_check_end(fb, TP_END_BY_EXIT);
  tp_fb_stop(fb);
  tp_fb_continue_at(fb, goes_on);
}

static void lower_nondet_memory(tp_fb *fb, LLVMValueRef inst, const char *name) {
  tp_fe_value p;
  tp_term n;
  if (!tp_fb_argument(fb, inst, 0, &p) || !tp_fb_size_argument(fb, inst, 1, &n)) return;
  tp_fb_check_access(fb, p.t, n, TP_FRONT_WRITE);
  (void)tp_fb_emit(
      fb, (tp_edge_info){
              .kind = TP_E_HAVOC_MEMORY, .a = p.t, .c = n, .input = TP_I_NONDET, .name = name});
}

static void lower_object_size(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value p;
  tp_sort sort;
  if (!tp_fb_argument(fb, inst, 0, &p) || !tp_fe_sort(fb->fe, LLVMTypeOf(inst), &sort)) return;
  tp_term size = tp_mk2(fb->tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_size)->term,
                        tp_mk1(fb->tt, TP_OP_PTR_OBJ, p.t));
  tp_var v = tp_fb_temp(fb, sort, TP_TYPE_NONE);
  tp_fb_assign(fb, v, tp_mk_resize(fb->tt, tp_sort_width(fb->tt, sort), false, size));
  tp_fb_set_target(fb, inst, v);
}

// ------------------------------------------------- what library models may ask for

/* The text of string argument i, or `otherwise`. */
static const char *text_argument_at(tp_fb *fb, LLVMValueRef inst, unsigned i,
                                    const char *otherwise) {
  tp_str text = {0};
  const char *result = otherwise;
  if (LLVMGetNumArgOperands(inst) > i && tp_fe_literal_text(fb->fe, LLVMGetOperand(inst, i), &text))
    result = tp_arena_strdup(&fb->p->arena, tp_str_text(&text));
  tp_str_clear(&text);
  return result;
}
static const char *text_argument(tp_fb *fb, LLVMValueRef inst, const char *otherwise) {
  return text_argument_at(fb, inst, 0, otherwise);
}

/* A value of the environment: __tp_env_int("getchar") and its sisters. */
static bool lower_environment(tp_fb *fb, LLVMValueRef inst, const char *name) {
  tp_sort sort;
  if (strncmp(name, "__tp_env_", 9) != 0 || !tp_fe_sort(fb->fe, LLVMTypeOf(inst), &sort))
    return false;
  tp_var v = tp_fb_target(fb, inst, sort, TP_TYPE_NONE);
  tp_fb_havoc(fb, v, TP_I_ENVIRONMENT, text_argument(fb, inst, "environment"), false);
  tp_fb_set_target(fb, inst, v);
  return true;
}

/* Bytes of the environment: __tp_env_bytes("read", p, n). */
static void lower_environment_bytes(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value p;
  tp_term n;
  if (!tp_fb_argument(fb, inst, 1, &p) || !tp_fb_size_argument(fb, inst, 2, &n)) return;
  tp_fb_check_access(fb, p.t, n, TP_FRONT_WRITE);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_HAVOC_MEMORY,
                                      .a = p.t,
                                      .c = n,
                                      .input = TP_I_ENVIRONMENT,
                                      .name = text_argument(fb, inst, "environment")});
}

static void lower_new_global(tp_fb *fb, LLVMValueRef inst) {
  tp_term n;
  if (!tp_fb_size_argument(fb, inst, 1, &n)) return;
  tp_var to = tp_fb_pointer_target(fb, inst);
  (void)tp_fb_alloc(fb, to, n, TP_O_GLOBAL, TP_TERM_NONE, text_argument(fb, inst, "object"),
                    TP_TYPE_NONE);
  tp_fb_set_pointer(fb, inst, to);
}

static void lower_check_free(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value p;
  if (!tp_fb_argument(fb, inst, 0, &p)) return;
  tp_fb_check_free(fb, p.t);
  if (!fb->fe->check_free)
    tp_fb_assume(fb, tp_fb_may_be_freed(fb, p.t), "free of a live heap object");
}

static void lower_check_defined(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value c;
  if (!fb->fe->check_undefined || !tp_fb_argument(fb, inst, 0, &c)) return;
  tp_fb_check(fb, truth(fb, c.t), TP_P_UNDEFINED,
              text_argument_at(fb, inst, 1, "argument outside of what the function accepts"));
}

/* A result of the library that its type cannot represent: as for the operators of the program. */
static void lower_check_overflow(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value c;
  const bool is_checked = fb->fe->check_overflow || fb->fe->check_undefined;
  if (!is_checked || !tp_fb_argument(fb, inst, 0, &c)) return;
  tp_fb_check(fb, truth(fb, c.t), fb->fe->check_overflow ? TP_P_NO_OVERFLOW : TP_P_UNDEFINED,
              text_argument_at(fb, inst, 1, "overflow in a library function"));
}

static void lower_check_apart(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value a, b;
  if (!fb->fe->check_undefined || !tp_fb_argument(fb, inst, 0, &a) ||
      !tp_fb_argument(fb, inst, 1, &b))
    return;
  tp_term same_object =
      tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, a.t), tp_mk1(tt, TP_OP_PTR_OBJ, b.t));
  tp_term same_offset =
      tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, a.t), tp_mk1(tt, TP_OP_PTR_OFF, b.t));
  tp_fb_check(fb, tp_mk_not(tt, tp_mk_and(tt, same_object, same_offset)), TP_P_UNDEFINED,
              "copy between objects that overlap");
}

/* __twoproof_within(p, start, n): does p lead into the object of `start`, at most n bytes behind
 * it? Whoever compares two objects of one layout asks; addresses alone do not answer. */
static void lower_within(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value p, start;
  tp_term n;
  if (!tp_fb_argument(fb, inst, 0, &p) || !tp_fb_argument(fb, inst, 1, &start) ||
      !tp_fb_size_argument(fb, inst, 2, &n))
    return;
  const tp_term same_object = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, p.t),
                                       tp_mk1(tt, TP_OP_PTR_OBJ, start.t)),
                distance = tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_OFF, p.t),
                                     tp_mk1(tt, TP_OP_PTR_OFF, start.t));
  const tp_var v = tp_fb_temp(fb, tp_sort_bool(tt), TP_TYPE_NONE);
  tp_fb_assign(fb, v, tp_mk_and(tt, same_object, tp_mk2(tt, TP_OP_BV_ULE, distance, n)));
  tp_fb_set_target(fb, inst, v);
}

static tp_term ghost_of(tp_fb *fb, tp_var ghost, tp_term p) {
  return tp_mk2(fb->tt, TP_OP_SELECT, tp_var_of(fb->p, ghost)->term,
                tp_mk1(fb->tt, TP_OP_PTR_OBJ, p));
}

/* __twoproof_room(p): the bytes from p to the end of its object; 0 where that has ended, or p leads
 * into none. */
static void lower_room(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value p;
  tp_sort sort;
  if (!tp_fb_argument(fb, inst, 0, &p) || !tp_fe_sort(fb->fe, LLVMTypeOf(inst), &sort)) return;
  const tp_term size = ghost_of(fb, fb->p->ghost_size, p.t),
                offset = tp_mk1(tt, TP_OP_PTR_OFF, p.t),
                is_inside = tp_mk_and(tt, ghost_of(fb, fb->p->ghost_live, p.t),
                                      tp_mk2(tt, TP_OP_BV_ULE, offset, size)),
                room = tp_mk_ite(tt, is_inside, tp_mk_sub(tt, size, offset),
                                 tp_mk_bv(tt, tp_width(tt, size), 0));
  const tp_var v = tp_fb_temp(fb, sort, TP_TYPE_NONE);
  tp_fb_assign(fb, v, tp_mk_resize(tt, tp_sort_width(tt, sort), false, room));
  tp_fb_set_target(fb, inst, v);
}

/* __twoproof_is_block(p): could p be freed? */
static void lower_is_block(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value p;
  if (!tp_fb_argument(fb, inst, 0, &p)) return;
  const tp_var v = tp_fb_temp(fb, tp_sort_bool(fb->tt), TP_TYPE_NONE);
  tp_fb_assign(fb, v, tp_fb_may_be_freed(fb, p.t));
  tp_fb_set_target(fb, inst, v);
}

static void lower_memory_checked(tp_fb *fb, LLVMValueRef inst) {
  const tp_fe *fe = fb->fe;
  bool checked = fe->check_deref || fe->check_free || fe->check_leak || fe->check_cleanup;
  tp_fb_set(fb, inst, (tp_fe_value){.t = tp_mk_bool(fb->tt, checked)});
}

/* Does the text contain printf's %n, with any flags, width, precision and length? */
static bool stores_count(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (text[i] != '%') continue;
    i++;
    while (i < n && text[i] && strchr("-+ #0123456789*.$hlqjztZL", text[i])) i++;
    if (i < n && text[i] == 'n') return true;
  }
  return false;
}

bool tp_fe_some_format_stores(const tp_fe *fe) {
  bool stores = false;
  for (LLVMValueRef g = LLVMGetFirstGlobal(fe->module); g && !stores; g = LLVMGetNextGlobal(g)) {
    LLVMValueRef value = LLVMGetInitializer(g);
    if (!value || !LLVMIsAConstantDataSequential(value) || !LLVMIsConstantString(value)) continue;
    size_t n;
    const char *text = LLVMGetAsString(value, &n);
    stores = stores_count(text, n);
  }
  return stores;
}

static void lower_format_stores(tp_fb *fb, LLVMValueRef inst) {
  tp_fb_set(fb, inst, (tp_fe_value){.t = tp_mk_bool(fb->tt, tp_fe_some_format_stores(fb->fe))});
}

bool tp_fb_lower_known(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee, const char *name) {
  TP_REQUIRE(LLVMIsACallInst(inst) && name);
  bool body = !LLVMIsDeclaration(callee);
  tp_fe_value v;
  switch (meaning_of_call(fb->fe, name, body, LLVMGetNumArgOperands(inst))) {
    case K_NONE:
    case K_ERROR_UNLESS_BODY: return !body && lower_environment(fb, inst, name);
    case K_ASSUME:
      if (tp_fb_argument(fb, inst, 0, &v)) tp_fb_assume(fb, truth(fb, v.t), "assume");
      return true;
    case K_RELY:
      if (tp_fb_argument(fb, inst, 0, &v))
        tp_fb_rely_on(fb, truth(fb, v.t), "wrong __builtin_assume",
                      "the condition of __builtin_assume does not hold");
      return true;
    case K_UNREACHABLE:
      tp_fb_rely_on(fb, tp_mk_false(fb->tt), "unreachable code", "unreachable code is reached");
      return true;
    case K_ASSERT: lower_assert(fb, inst); return true;
    case K_ERROR: fail(fb, tp_fe_printf(fb->fe, "call of %s", name)); return true;
    case K_ASSERT_FAIL: lower_assert_fail(fb, inst); return true;
    case K_ABORT:  // ends a run like _exit, where memory is concerned
      if (strcmp(name, "abort") == 0)
        abort_here(fb);
      else
        tp_fb_block(fb, "the program aborts");
      return true;
    case K_EXIT:
      tp_fb_check_end(fb, strcmp(name, "exit") == 0 ? TP_END_BY_EXIT : TP_END_AT_ONCE);
      tp_fb_stop(fb);
      return true;
    case K_MALLOC: tp_fb_lower_malloc(fb, inst, 0, name); return true;
    case K_ALIGNED_ALLOC: tp_fb_lower_malloc(fb, inst, 1, name); return true;
    case K_CALLOC: tp_fb_lower_calloc(fb, inst); return true;
    case K_REALLOC: tp_fb_lower_realloc(fb, inst); return true;
    case K_FREE: tp_fb_lower_free(fb, inst); return true;
    case K_ALLOCA: tp_fb_lower_alloca_call(fb, inst); return true;
    case K_NONDET_MEMORY: lower_nondet_memory(fb, inst, name); return true;
    case K_NOTHING: return true;
    case K_GNU_ERROR: lower_gnu_error(fb, inst); return true;
    case K_JUMP: tp_fb_lower_jump(fb, inst); return true;
    case K_NON_LOCAL:
      tp_fb_unsupported(fb, tp_fe_printf(fb->fe, "non-local jump (%s)", name));
      return true;
    case K_CONCURRENT:
      tp_fb_unsupported(fb, tp_fe_printf(fb->fe, "second thread or process (%s)", name));
      return true;
    case K_OBJECT_SIZE: lower_object_size(fb, inst); return true;
    case K_WITHIN: lower_within(fb, inst); return true;
    case K_ROOM: lower_room(fb, inst); return true;
    case K_IS_BLOCK: lower_is_block(fb, inst); return true;
    case K_TP_BYTES: lower_environment_bytes(fb, inst); return true;
    case K_TP_NEW_GLOBAL: lower_new_global(fb, inst); return true;
    case K_TP_CHECK_FREE: lower_check_free(fb, inst); return true;
    case K_TP_MEMORY_CHECKED: lower_memory_checked(fb, inst); return true;
    case K_TP_FORMAT_STORES: lower_format_stores(fb, inst); return true;
    case K_TP_ASSUMPTION:
      tp_fe_add_assumption(fb->fe, text_argument(fb, inst, "a library model"));
      return true;
    case K_TP_CHECK_DEFINED: lower_check_defined(fb, inst); return true;
    case K_TP_CHECK_OVERFLOW: lower_check_overflow(fb, inst); return true;
    case K_TP_CHECK_APART: lower_check_apart(fb, inst); return true;
    case K_TP_UNSUPPORTED:
      tp_fb_unsupported(fb, text_argument(fb, inst, "library function"));
      return true;
    case K_FIRST_ARGUMENT:
      if (tp_fb_argument(fb, inst, 0, &v)) tp_fb_set(fb, inst, v);
      return true;
  }
  return false;
}
