/* The arguments of main: inputs, which its first instructions read. */
#include "front/front_priv.h"

#include "front/front_limits.h"

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
  tp_loc done = tp_fb_fork_loc(fb);
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
