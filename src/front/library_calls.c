/* Functions with a built-in meaning: assumptions, errors, the end of the program, the heap.
 *
 * One table gives the meaning of a name; it applies only if the program does not define the
 * function itself, except for the error functions: where reaching them is the property, their call
 * is the error, whatever their body. */
#include "front/front_priv.h"

#include "front/front_limits.h"

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

static bool argument(tp_fb *fb, LLVMValueRef inst, unsigned i, tp_fe_value *out) {
  if (i >= LLVMGetNumArgOperands(inst)) {
    tp_fb_unsupported(fb, "call of a library function with too few arguments");
    return false;
  }
  if (!tp_fb_get(fb, LLVMGetOperand(inst, i), out)) return false;
  if (tp_term_is(out->t)) return true;
  tp_fb_unsupported(fb, "struct passed to a library function");
  return false;
}

/* An argument as a size. */
static bool size_argument(tp_fb *fb, LLVMValueRef inst, unsigned i, tp_term *out) {
  tp_fe_value v;
  if (!argument(fb, inst, i, &v)) return false;
  bool is_int = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, i))) == LLVMIntegerTypeKind;
  // an undeclared function gets an int, which the caller sign-extends as C does for its own size_t
  *out = is_int && tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, v.t)) == TP_SORT_BV
             ? tp_mk_resize(fb->tt, fb->fe->ptr_bits, true, v.t)
             : tp_fe_convert(fb->fe, v.t, tp_sort_bv(fb->tt, fb->fe->ptr_bits));
  return tp_term_is(*out);
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
    if (!argument(fb, inst, i, &v)) return;
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

// ------------------------------------------------------------------------- heap

static tp_loc fork_loc(tp_fb *fb) {
  return tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func, .pos = fb->pos});
}

/* to := new heap object of `size` bytes, or null where `fails` holds (NONE: never). */
static void allocate(tp_fb *fb, tp_var to, tp_term size, tp_term fill, tp_term fails,
                     const char *name) {
  tp_terms *tt = fb->tt;
  tp_malloc_policy policy = fb->fe->opt->malloc_policy;
  if (policy == TP_MALLOC_ZEROED && !tp_term_is(fill)) {
    fill = tp_mk_bv(tt, 8, 0);
    tp_fe_add_assumption(fb->fe, "allocated memory is zero");
  }
  if (policy == TP_MALLOC_MAY_FAIL) {
    tp_var choice = tp_fb_temp(fb, tp_sort_bool(tt), TP_TYPE_NONE);
    tp_fb_havoc(fb, choice, TP_I_ENVIRONMENT, tp_fe_printf(fb->fe, "%s fails", name), false);
    tp_term chosen = tp_var_of(fb->p, choice)->term;
    fails = tp_term_is(fails) ? tp_mk_or(tt, fails, chosen) : chosen;
  }
  if (policy != TP_MALLOC_MAY_FAIL) tp_fe_add_assumption(fb->fe, "memory can always be allocated");
  if (!tp_term_is(fails) || tp_is_false(tt, fails)) {
    (void)tp_fb_alloc(fb, to, size, TP_O_HEAP, fill, name, TP_TYPE_NONE);
    return;
  }
  tp_loc works, join = fork_loc(fb);
  tp_fb_branch(fb, fails, &works);
  tp_fb_assign(fb, to, tp_mk_null(tt));
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, works);
  (void)tp_fb_alloc(fb, to, size, TP_O_HEAP, fill, name, TP_TYPE_NONE);
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, join);
}

/* The call's value; undeclared allocators return int, which loses the object unless pointers are
 * that wide. */
static tp_var pointer_target(tp_fb *fb, LLVMValueRef inst) {
  if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMPointerTypeKind)
    return tp_fb_target(fb, inst, tp_sort_ptr(fb->tt), TP_TYPE_NONE);
  return tp_fb_temp(fb, tp_sort_ptr(fb->tt), TP_TYPE_NONE);
}

static void set_pointer(tp_fb *fb, LLVMValueRef inst, tp_var v) {
  tp_sort sort;
  if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMPointerTypeKind) {
    tp_fb_set_target(fb, inst, v);
  } else if (tp_fe_sort(fb->fe, LLVMTypeOf(inst), &sort)) {
    tp_term t = tp_fe_convert(fb->fe, tp_var_of(fb->p, v)->term, sort);
    if (tp_term_is(t)) tp_fb_set(fb, inst, (tp_fe_value){.t = t});
  }
}

static void lower_malloc(tp_fb *fb, LLVMValueRef inst, unsigned size_at, const char *name) {
  tp_term size;
  if (!size_argument(fb, inst, size_at, &size)) return;
  tp_var to = pointer_target(fb, inst);
  allocate(fb, to, size, TP_TERM_NONE, TP_TERM_NONE, name);
  set_pointer(fb, inst, to);
}

/* n * m does not fit. */
static tp_term product_wraps(tp_fb *fb, tp_term n, tp_term m) {
  TP_REQUIRE(tp_width(fb->tt, n) == tp_width(fb->tt, m));
  tp_terms *tt = fb->tt;
  uint32_t w = fb->fe->ptr_bits;
  uint64_t c, max = w == 64 ? UINT64_MAX : UINT32_MAX;
  if (tp_bv_value_u64(tt, n, &c)) {
    tp_term other = n;
    n = m;
    m = other;
  }
  if (tp_bv_value_u64(tt, m, &c))
    return c == 0 ? tp_mk_false(tt) : tp_mk2(tt, TP_OP_BV_ULT, tp_mk_bv(tt, w, max / c), n);
  tp_term wide = tp_mk2(tt, TP_OP_BV_MUL, tp_mk_zext(tt, 2 * w, n), tp_mk_zext(tt, 2 * w, m));
  return tp_mk_bv_to_bool(tt, tp_mk_extract(tt, 2 * w - 1, w, wide));
}

static void lower_calloc(tp_fb *fb, LLVMValueRef inst) {
  tp_term n, m;
  if (!size_argument(fb, inst, 0, &n) || !size_argument(fb, inst, 1, &m)) return;
  tp_term fails = product_wraps(fb, n, m);
  tp_var to = pointer_target(fb, inst);
  allocate(fb, to, tp_mk2(fb->tt, TP_OP_BV_MUL, n, m), tp_mk_bv(fb->tt, 8, 0), fails, "calloc");
  set_pointer(fb, inst, to);
}

/* The precondition of free. */
static tp_term may_be_freed(tp_fb *fb, tp_term p) {
  TP_REQUIRE(tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, p)) == TP_SORT_PTR);
  tp_terms *tt = fb->tt;
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, p), off = tp_mk1(tt, TP_OP_PTR_OFF, p);
  tp_term live = tp_mk2(tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_live)->term, object);
  tp_term kind = tp_mk2(tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_kind)->term, object);
  tp_term heap = tp_mk_eq(tt, kind, tp_mk_bv(tt, 8, TP_O_HEAP));
  tp_term start = tp_mk_eq(tt, off, tp_fe_size_term(fb->fe, 0));
  return tp_mk_or(tt, tp_mk_eq(tt, p, tp_mk_null(tt)),
                  tp_mk_and(tt, live, tp_mk_and(tt, heap, start)));
}

static void check_free(tp_fb *fb, tp_term p) {
  if (!fb->fe->check_free) return;
  tp_fb_check(fb, may_be_freed(fb, p), TP_P_VALID_FREE,
              "free of a pointer that is not the start of a live heap object");
}

static void lower_free(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value p;
  if (!argument(fb, inst, 0, &p)) return;
  p.t = tp_fe_convert(fb->fe, p.t, tp_sort_ptr(fb->tt));
  if (!tp_term_is(p.t)) return;
  check_free(fb, p.t);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_FREE, .a = p.t});
}

/* realloc(p, n): a new object with the old content as far as it fits; the old one is freed. If that
 * fails the old one stays. realloc(p, 0) frees and gives null, as glibc does. */
static void lower_realloc(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value p;
  tp_term n;
  if (!argument(fb, inst, 0, &p) || !size_argument(fb, inst, 1, &n)) return;
  p.t = tp_fe_convert(fb->fe, p.t, tp_sort_ptr(tt));
  if (!tp_term_is(p.t)) return;
  check_free(fb, p.t);
  tp_var to = tp_fb_temp(fb, tp_sort_ptr(tt), TP_TYPE_NONE);
  tp_term result = tp_var_of(fb->p, to)->term, null = tp_mk_null(tt);
  tp_loc join = fork_loc(fb), moved, stays;
  tp_term ends = tp_mk_and(tt, tp_mk_eq(tt, n, tp_fe_size_term(fb->fe, 0)),
                           tp_mk_not(tt, tp_mk_eq(tt, p.t, null)));
  if (!tp_is_false(tt, ends)) {
    tp_fb_branch(fb, ends, &stays);
    (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_FREE, .a = p.t});
    tp_fb_assign(fb, to, null);
    tp_fb_goto(fb, join);
    tp_fb_continue_at(fb, stays);
  }
  allocate(fb, to, n, TP_TERM_NONE, TP_TERM_NONE, "realloc");
  tp_term nothing = tp_mk_or(tt, tp_mk_eq(tt, p.t, null), tp_mk_eq(tt, result, null));
  tp_fb_branch(fb, nothing, &moved);
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, moved);
  tp_term old = tp_mk2(tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_size)->term,
                       tp_mk1(tt, TP_OP_PTR_OBJ, p.t));
  tp_term both = tp_mk_ite(tt, tp_mk2(tt, TP_OP_BV_ULT, n, old), n, old);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_COPY, .a = result, .b = p.t, .c = both});
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_FREE, .a = p.t});
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, join);
  set_pointer(fb, inst, to);
}

static void lower_alloca_call(tp_fb *fb, LLVMValueRef inst) {
  tp_term n;
  if (fb->fe->check_deref) {
    tp_fb_unsupported(fb, "alloca called as a function");
    return;
  }
  if (!size_argument(fb, inst, 0, &n)) return;
  tp_var to = pointer_target(fb, inst);
  (void)tp_fb_alloc(fb, to, n, TP_O_STACK, TP_TERM_NONE, "alloca", TP_TYPE_NONE);
  set_pointer(fb, inst, to);
}

/* error(status, errnum, format, ...) of glibc: a message, and the end of the program unless status
 * is 0. */
static void lower_gnu_error(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value status;
  if (!argument(fb, inst, 0, &status)) return;
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
  if (!argument(fb, inst, 0, &p) || !size_argument(fb, inst, 1, &n)) return;
  tp_fb_check_access(fb, p.t, n, TP_FRONT_WRITE);
  (void)tp_fb_emit(
      fb, (tp_edge_info){
              .kind = TP_E_HAVOC_MEMORY, .a = p.t, .c = n, .input = TP_I_NONDET, .name = name});
}

static void lower_object_size(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value p;
  tp_sort sort;
  if (!argument(fb, inst, 0, &p) || !tp_fe_sort(fb->fe, LLVMTypeOf(inst), &sort)) return;
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
  if (!argument(fb, inst, 1, &p) || !size_argument(fb, inst, 2, &n)) return;
  tp_fb_check_access(fb, p.t, n, TP_FRONT_WRITE);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_HAVOC_MEMORY,
                                      .a = p.t,
                                      .c = n,
                                      .input = TP_I_ENVIRONMENT,
                                      .name = text_argument(fb, inst, "environment")});
}

static void lower_new_global(tp_fb *fb, LLVMValueRef inst) {
  tp_term n;
  if (!size_argument(fb, inst, 1, &n)) return;
  tp_var to = pointer_target(fb, inst);
  (void)tp_fb_alloc(fb, to, n, TP_O_GLOBAL, TP_TERM_NONE, text_argument(fb, inst, "object"),
                    TP_TYPE_NONE);
  set_pointer(fb, inst, to);
}

static void lower_check_free(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value p;
  if (!argument(fb, inst, 0, &p)) return;
  check_free(fb, p.t);
  if (!fb->fe->check_free) tp_fb_assume(fb, may_be_freed(fb, p.t), "free of a live heap object");
}

static void lower_check_defined(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value c;
  if (!fb->fe->check_undefined || !argument(fb, inst, 0, &c)) return;
  tp_fb_check(fb, truth(fb, c.t), TP_P_UNDEFINED,
              text_argument_at(fb, inst, 1, "argument outside of what the function accepts"));
}

/* A result of the library that its type cannot represent: as for the operators of the program. */
static void lower_check_overflow(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value c;
  const bool is_checked = fb->fe->check_overflow || fb->fe->check_undefined;
  if (!is_checked || !argument(fb, inst, 0, &c)) return;
  tp_fb_check(fb, truth(fb, c.t), fb->fe->check_overflow ? TP_P_NO_OVERFLOW : TP_P_UNDEFINED,
              text_argument_at(fb, inst, 1, "overflow in a library function"));
}

static void lower_check_apart(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value a, b;
  if (!fb->fe->check_undefined || !argument(fb, inst, 0, &a) || !argument(fb, inst, 1, &b)) return;
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
  if (!argument(fb, inst, 0, &p) || !argument(fb, inst, 1, &start) ||
      !size_argument(fb, inst, 2, &n))
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
  if (!argument(fb, inst, 0, &p) || !tp_fe_sort(fb->fe, LLVMTypeOf(inst), &sort)) return;
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
  if (!argument(fb, inst, 0, &p)) return;
  const tp_var v = tp_fb_temp(fb, tp_sort_bool(fb->tt), TP_TYPE_NONE);
  tp_fb_assign(fb, v, may_be_freed(fb, p.t));
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
      if (argument(fb, inst, 0, &v)) tp_fb_assume(fb, truth(fb, v.t), "assume");
      return true;
    case K_RELY:
      if (argument(fb, inst, 0, &v))
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
    case K_MALLOC: lower_malloc(fb, inst, 0, name); return true;
    case K_ALIGNED_ALLOC: lower_malloc(fb, inst, 1, name); return true;
    case K_CALLOC: lower_calloc(fb, inst); return true;
    case K_REALLOC: lower_realloc(fb, inst); return true;
    case K_FREE: lower_free(fb, inst); return true;
    case K_ALLOCA: lower_alloca_call(fb, inst); return true;
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
      if (argument(fb, inst, 0, &v)) tp_fb_set(fb, inst, v);
      return true;
  }
  return false;
}

// ------------------------------------------------------------------------- main

/* Length of the string in the TP_FRONT_MAIN_ARGUMENT_BYTES bytes at `text`, whose last byte is 0.
 */
static tp_term length_of_text(tp_fb *fb, tp_term text) {
  tp_terms *tt = fb->tt;
  tp_term length = tp_fe_size_term(fb->fe, TP_FRONT_MAIN_ARGUMENT_BYTES - 1);
  for (uint32_t i = TP_FRONT_MAIN_ARGUMENT_BYTES - 1; i-- > 0;) {
    tp_var c = tp_fb_temp(fb, tp_sort_bv(tt, 8), TP_TYPE_NONE);
    (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_LOAD,
                                        .var = c,
                                        .a = tp_mk_ptr_add(tt, text, tp_fe_size_term(fb->fe, i))});
    length = tp_mk_ite(tt, tp_mk_bv_to_bool(tt, tp_var_of(fb->p, c)->term), length,
                       tp_fe_size_term(fb->fe, i));
  }
  return length;
}

/* One argument: a string in an object that ends with it. An input fills a scratch object, which
 * no other code can reach. */
static tp_term make_argument(tp_fb *fb) {
  tp_terms *tt = fb->tt;
  tp_term zero = tp_mk_bv(tt, 8, 0), one = tp_fe_size_term(fb->fe, 1);
  tp_var scratch = tp_fb_temp(fb, tp_sort_ptr(tt), TP_TYPE_NONE),
         text = tp_fb_temp(fb, tp_sort_ptr(tt), TP_TYPE_NONE);
  tp_term from = tp_var_of(fb->p, scratch)->term, to = tp_var_of(fb->p, text)->term;
  (void)tp_fb_alloc(fb, scratch, tp_fe_size_term(fb->fe, TP_FRONT_MAIN_ARGUMENT_BYTES), TP_O_STACK,
                    zero, "argv", TP_TYPE_NONE);
  (void)tp_fb_emit(fb,
                   (tp_edge_info){.kind = TP_E_HAVOC_MEMORY,
                                  .a = from,
                                  .c = tp_fe_size_term(fb->fe, TP_FRONT_MAIN_ARGUMENT_BYTES - 1),
                                  .input = TP_I_ARGS,
                                  .name = "argv"});
  tp_var size = tp_fb_temp(fb, tp_sort_of(tt, one), TP_TYPE_NONE);
  tp_term n = tp_var_of(fb->p, size)->term;
  tp_term bytes = tp_mk2(tt, TP_OP_BV_ADD, length_of_text(fb, from), one);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSIGN, .var = size, .a = bytes});
  (void)tp_fb_alloc(fb, text, n, TP_O_STACK, zero, "argv", TP_TYPE_NONE);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_COPY, .a = to, .b = from, .c = n});
  return to;
}

/* argv: an array of exactly argc strings and a null pointer; each string is up to 15 characters
 * long. */
static void make_argv(tp_fb *fb, tp_var argc, tp_var argv) {
  tp_fe *fe = fb->fe;
  tp_terms *tt = fb->tt;
  tp_term array = tp_var_of(fb->p, argv)->term, count = tp_var_of(fb->p, argc)->term;
  tp_term slot_bytes = tp_fe_size_term(fe, (uint64_t)fe->ptr_bytes);
  tp_term slots = tp_mk2(tt, TP_OP_BV_ADD, tp_mk_resize(tt, tp_width(tt, slot_bytes), true, count),
                         tp_fe_size_term(fe, 1));
  (void)tp_fb_alloc(fb, argv, tp_mk2(tt, TP_OP_BV_MUL, slots, slot_bytes), TP_O_STACK,
                    tp_mk_bv(tt, 8, 0), "argv", TP_TYPE_NONE);
  tp_loc done = fork_loc(fb);
  for (uint32_t i = 0; i < TP_FRONT_MAIN_ARGUMENTS; i++) {
    tp_loc more;
    tp_fb_branch(fb, tp_mk2(tt, TP_OP_BV_SLE, count, tp_mk_bv(tt, tp_width(tt, count), i)), &more);
    tp_fb_goto(fb, done);
    tp_fb_continue_at(fb, more);
    tp_term text = make_argument(fb);
    tp_term slot = tp_mk_ptr_add(tt, array, tp_fe_size_term(fe, i * (uint64_t)fe->ptr_bytes));
    (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_STORE, .a = slot, .b = text});
  }
  tp_fb_goto(fb, done);
  tp_fb_continue_at(fb, done);
}

/* Is the parameter used, beyond being stored into its variable? */
static bool is_read(tp_fb *fb, unsigned i) {
  LLVMValueRef arg = LLVMGetParam(fb->fn, i);
  for (LLVMUseRef u = LLVMGetFirstUse(arg); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAStoreInst(user)) return true;
    for (LLVMUseRef w = LLVMGetFirstUse(LLVMGetOperand(user, 1)); w; w = LLVMGetNextUse(w))
      if (LLVMGetUser(w) != user) return true;
  }
  return false;
}

/* The arguments of main are inputs. */
void tp_fb_enter_main(tp_fb *fb) {
  TP_REQUIRE(tp_fe_is_main(fb->fe, fb->func));
  tp_terms *tt = fb->tt;
  if (fb->args.n == 0) return;
  tp_term count = fb->args.at[0].t;
  tp_var argc = tp_program_var_of(fb->p, count);
  bool wants_argv = fb->args.n > 1 && is_read(fb, 1);
  if (tp_sort_kind_of(tt, tp_sort_of(tt, count)) != TP_SORT_BV) {
    tp_fb_unsupported(fb, "main whose first parameter is no integer");
    return;
  }
  if (is_read(fb, 0) || wants_argv) {
    tp_fb_havoc(fb, argc, TP_I_ARGS, "argc", false);
    uint32_t w = tp_width(tt, count);
    int64_t most = wants_argv ? TP_FRONT_MAIN_ARGUMENTS : INT16_MAX;
    tp_fb_assume(fb,
                 tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_SLE, tp_mk_bv(tt, w, 1), count),
                           tp_mk2(tt, TP_OP_BV_SLE, count, tp_mk_bv_signed(tt, w, most))),
                 "number of arguments");
    tp_vec_push(&fb->p->assumptions,
                wants_argv ? "the program gets at most 7 arguments of at most 15 characters"
                           : "the program gets at most 32766 arguments");
  }
  if (wants_argv) make_argv(fb, argc, tp_program_var_of(fb->p, fb->args.at[1].t));
  if (fb->args.n > 2 && is_read(fb, 2)) tp_fb_unsupported(fb, "third parameter of main");
}
