/* Functions of the heap: malloc, calloc, realloc, free and their sisters, as edges of the program
 * model.
 *
 * Whether an allocation may fail is the user's choice (options.h: malloc_policy). An undeclared
 * allocator returns an int, which loses the object unless pointers are that wide. */
#include "front/front_priv.h"

tp_loc tp_fb_fork_loc(tp_fb *fb) {
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
  tp_loc works, join = tp_fb_fork_loc(fb);
  tp_fb_branch(fb, fails, &works);
  tp_fb_assign(fb, to, tp_mk_null(tt));
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, works);
  (void)tp_fb_alloc(fb, to, size, TP_O_HEAP, fill, name, TP_TYPE_NONE);
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, join);
}

void tp_fb_lower_malloc(tp_fb *fb, LLVMValueRef inst, unsigned size_at, const char *name) {
  tp_term size;
  if (!tp_fb_size_argument(fb, inst, size_at, &size)) return;
  tp_var to = tp_fb_pointer_target(fb, inst);
  allocate(fb, to, size, TP_TERM_NONE, TP_TERM_NONE, name);
  tp_fb_set_pointer(fb, inst, to);
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

void tp_fb_lower_calloc(tp_fb *fb, LLVMValueRef inst) {
  tp_term n, m;
  if (!tp_fb_size_argument(fb, inst, 0, &n) || !tp_fb_size_argument(fb, inst, 1, &m)) return;
  tp_term fails = product_wraps(fb, n, m);
  tp_var to = tp_fb_pointer_target(fb, inst);
  allocate(fb, to, tp_mk2(fb->tt, TP_OP_BV_MUL, n, m), tp_mk_bv(fb->tt, 8, 0), fails, "calloc");
  tp_fb_set_pointer(fb, inst, to);
}

/* The precondition of free. */
tp_term tp_fb_may_be_freed(tp_fb *fb, tp_term p) {
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

void tp_fb_check_free(tp_fb *fb, tp_term p) {
  if (!fb->fe->check_free) return;
  tp_fb_check(fb, tp_fb_may_be_freed(fb, p), TP_P_VALID_FREE,
              "free of a pointer that is not the start of a live heap object");
}

void tp_fb_lower_free(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value p;
  if (!tp_fb_argument(fb, inst, 0, &p)) return;
  p.t = tp_fe_convert(fb->fe, p.t, tp_sort_ptr(fb->tt));
  if (!tp_term_is(p.t)) return;
  tp_fb_check_free(fb, p.t);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_FREE, .a = p.t});
}

/* realloc(p, n): a new object with the old content as far as it fits; the old one is freed. If that
 * fails the old one stays. realloc(p, 0) frees and gives null, as glibc does. */
void tp_fb_lower_realloc(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value p;
  tp_term n;
  if (!tp_fb_argument(fb, inst, 0, &p) || !tp_fb_size_argument(fb, inst, 1, &n)) return;
  p.t = tp_fe_convert(fb->fe, p.t, tp_sort_ptr(tt));
  if (!tp_term_is(p.t)) return;
  tp_fb_check_free(fb, p.t);
  tp_var to = tp_fb_temp(fb, tp_sort_ptr(tt), TP_TYPE_NONE);
  tp_term result = tp_var_of(fb->p, to)->term, null = tp_mk_null(tt);
  tp_loc join = tp_fb_fork_loc(fb), moved, stays;
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
  tp_fb_set_pointer(fb, inst, to);
}

void tp_fb_lower_alloca_call(tp_fb *fb, LLVMValueRef inst) {
  tp_term n;
  if (fb->fe->check_deref) {
    tp_fb_unsupported(fb, "alloca called as a function");
    return;
  }
  if (!tp_fb_size_argument(fb, inst, 0, &n)) return;
  tp_var to = tp_fb_pointer_target(fb, inst);
  (void)tp_fb_alloc(fb, to, n, TP_O_STACK, TP_TERM_NONE, "alloca", TP_TYPE_NONE);
  tp_fb_set_pointer(fb, inst, to);
}
