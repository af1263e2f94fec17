/* The paper's figures, built by hand with the digest's locations, for the tests of this room. An
 * input that the paper leaves to the environment is asked for at a location that does nothing else.
 */
#ifndef TP_SEARCH_FIGURES_TEST_H
#define TP_SEARCH_FIGURES_TEST_H

#include "certify/certify.h"
#include "search/partition.h"
#include "exec/testing.h"

static inline tp_sort figure_int(const build *b) { return tp_sort_bv(b->tt, 32); }
static inline tp_term figure_sum(const build *b, tp_var v, tp_term n) {
  return tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, v), n);
}
static inline tp_term figure_is(const build *b, tp_var v, int64_t n) {
  return tp_mk_eq(b->tt, build_term(b, v), bv(b, 32, n));
}
static inline tp_term figure_less(const build *b, tp_var v, int64_t n) {
  return tp_mk2(b->tt, TP_OP_BV_SLT, build_term(b, v), bv(b, 32, n));
}
static inline tp_term figure_not(const build *b, tp_term t) { return tp_mk_not(b->tt, t); }
static inline void figure_input(build *b, tp_var v) {
  build_edge(b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "nondet"});
}
static inline void figure_go(build *b, tp_loc l) {
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = l});
}
/* Goes on behind the assumption; a run that does not meet it ends. */
static inline void figure_assume(build *b, tp_term c, tp_loc to) {
  build_edge(b, (tp_edge_info){.kind = TP_E_ASSUME, .a = c, .to = to});
}
static inline void figure_branch(build *b, tp_loc from, tp_term c, tp_loc yes, tp_loc no) {
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_ASSUME, .from = from, .to = yes, .a = c});
  tp_program_add_edge(
      b->p,
      (tp_edge_info){
          .kind = TP_E_ASSUME, .from = from, .to = no, .a = tp_mk_not(b->tt, c), .negated = true});
}
/* Where the run ends well. */
static inline tp_loc figure_end(build *b) {
  tp_loc end = build_loc(b);
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_RETURN, .from = end, .to = b->exit});
  return end;
}
static inline build figure_new(void) {
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  return b;
}

/* a := input; i := 0; c := 0; n times c += i, i += 1; then an error if a <= 0. Safe: if a > 0 came
 * in only. As printed: nobody asks for a, it is what it is. */
typedef enum { FIGURE_1_FAILS, FIGURE_1_SAFE, FIGURE_1_AS_PRINTED } figure_1_form;
static inline build figure_1(int64_t n, figure_1_form form) {
  build b = figure_new();
  tp_var i = build_var(&b, "i", figure_int(&b)), a = build_var(&b, "a", figure_int(&b)),
         c = build_var(&b, "c", figure_int(&b));
  tp_term is_low = tp_mk2(b.tt, TP_OP_BV_SLE, build_term(&b, a), bv(&b, 32, 0));
  if (form != FIGURE_1_AS_PRINTED) figure_input(&b, a);
  if (form == FIGURE_1_SAFE) figure_assume(&b, figure_not(&b, is_low), build_loc(&b));
  build_assign(&b, i, bv(&b, 32, 0));
  build_assign(&b, c, bv(&b, 32, 0));
  tp_loc head = b.at, body = build_loc(&b), out = build_loc(&b);
  figure_branch(&b, head, figure_less(&b, i, n), body, out);
  b.at = body;
  build_assign(&b, c, figure_sum(&b, c, build_term(&b, i)));
  build_edge(&b,
             (tp_edge_info){
                 .kind = TP_E_ASSIGN, .var = i, .a = figure_sum(&b, i, bv(&b, 32, 1)), .to = head});
  b.at = out;
  figure_assume(&b, is_low, build_error(&b, TP_P_UNREACH_CALL));
  build_done(&b);
  return b;
}

typedef struct {
  build b;
  tp_loc at[10];  // the digest's numbers
  tp_var lock, x, y;
} figure_locks;

/* do { lock := 1; x := y; if (input) { lock := 0; y += 1; } } while (x != y); if (lock != 1) error.
 * Broken: without y += 1. */
static inline figure_locks figure_3(bool is_safe) {
  figure_locks f = {.b = figure_new()};
  build *b = &f.b;
  tp_var in = build_var(b, "in", figure_int(b));
  f.lock = build_var(b, "lock", figure_int(b));
  f.x = build_var(b, "x", figure_int(b));
  f.y = build_var(b, "y", figure_int(b));
  f.at[0] = b->at;
  for (int i = 1; i < 9; i++) f.at[i] = build_loc(b);
  f.at[9] = build_error(b, TP_P_UNREACH_CALL);
  build_edge(b,
             (tp_edge_info){.kind = TP_E_ASSIGN, .var = f.lock, .a = bv(b, 32, 0), .to = f.at[1]});
  build_edge(
      b, (tp_edge_info){
             .kind = TP_E_HAVOC, .var = in, .input = TP_I_NONDET, .name = "nondet", .to = f.at[2]});
  build_edge(b,
             (tp_edge_info){.kind = TP_E_ASSIGN, .var = f.lock, .a = bv(b, 32, 1), .to = f.at[3]});
  build_edge(
      b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = f.x, .a = build_term(b, f.y), .to = f.at[4]});
  figure_branch(b, f.at[4], figure_not(b, figure_is(b, in, 0)), f.at[5], f.at[7]);
  b->at = f.at[5];
  build_edge(b,
             (tp_edge_info){.kind = TP_E_ASSIGN, .var = f.lock, .a = bv(b, 32, 0), .to = f.at[6]});
  if (is_safe)
    build_edge(
        b,
        (tp_edge_info){
            .kind = TP_E_ASSIGN, .var = f.y, .a = figure_sum(b, f.y, bv(b, 32, 1)), .to = f.at[7]});
  else
    figure_go(b, f.at[7]);
  figure_branch(b, f.at[7], figure_not(b, tp_mk_eq(b->tt, build_term(b, f.x), build_term(b, f.y))),
                f.at[1], f.at[8]);
  figure_branch(b, f.at[8], figure_not(b, figure_is(b, f.lock, 1)), f.at[9], figure_end(b));
  build_done(b);
  return f;
}

/* y := input; while (y > 0) y -= 1; then nothing. The error is behind what no edge leads to;
 * broken: behind the loop. */
static inline build figure_6(bool is_safe) {
  build b = figure_new();
  tp_var y = build_var(&b, "y", figure_int(&b));
  figure_input(&b, y);
  tp_loc head = b.at, body = build_loc(&b), out = build_loc(&b);
  figure_branch(&b, head, tp_mk2(b.tt, TP_OP_BV_SLT, bv(&b, 32, 0), build_term(&b, y)), body, out);
  b.at = body;
  build_edge(
      &b, (tp_edge_info){
              .kind = TP_E_ASSIGN, .var = y, .a = figure_sum(&b, y, bv(&b, 32, -1)), .to = head});
  b.at = out;
  figure_assume(&b, tp_mk_bool(b.tt, !is_safe), build_error(&b, TP_P_UNREACH_CALL));
  build_done(&b);
  return b;
}

/* x, y := inputs; if (x != y && 2 x == x + 10) error. Safe: and y == 3 x and x != 10 then. */
static inline build figure_7(bool is_safe) {
  build b = figure_new();
  tp_var x = build_var(&b, "x", figure_int(&b)), y = build_var(&b, "y", figure_int(&b));
  figure_input(&b, x);
  figure_input(&b, y);
  tp_loc out =
      build_branch(&b, figure_not(&b, tp_mk_eq(b.tt, build_term(&b, x), build_term(&b, y))));
  figure_branch(
      &b, b.at,
      tp_mk_eq(b.tt, figure_sum(&b, x, build_term(&b, x)), figure_sum(&b, x, bv(&b, 32, 10))),
      build_loc(&b), out);
  b.at = (tp_loc){(uint32_t)b.p->locs.n - 1};
  tp_term also = is_safe ? figure_not(&b, figure_is(&b, x, 10)) : tp_mk_true(b.tt);
  figure_assume(&b, also, build_error(&b, TP_P_UNREACH_CALL));
  build_done(&b);
  return b;
}

/* lock := 1; n diamonds, each with x += 1 or x -= 1 by an input; an error if lock != 1. Broken: one
 * path through the last sets lock to 0. */
static inline build figure_8(int n, bool is_safe) {
  build b = figure_new();
  tp_var lock = build_var(&b, "lock", figure_int(&b)), in = build_var(&b, "in", figure_int(&b));
  build_assign(&b, lock, bv(&b, 32, 1));
  for (int i = 0; i < n; i++) {
    tp_var x = build_var(&b, "x", figure_int(&b));
    figure_input(&b, in);
    tp_loc up = build_loc(&b), down = build_loc(&b), join = build_loc(&b);
    figure_branch(&b, b.at, figure_not(&b, figure_is(&b, in, 0)), up, down);
    b.at = up;
    build_edge(
        &b, (tp_edge_info){
                .kind = TP_E_ASSIGN, .var = x, .a = figure_sum(&b, x, bv(&b, 32, 1)), .to = join});
    b.at = down;
    bool breaks = !is_safe && i == n - 1;
    build_edge(&b, (tp_edge_info){.kind = TP_E_ASSIGN,
                                  .var = breaks ? lock : x,
                                  .a = breaks ? bv(&b, 32, 0) : figure_sum(&b, x, bv(&b, 32, -1)),
                                  .to = join});
  }
  figure_branch(&b, b.at, figure_not(&b, figure_is(&b, lock, 1)),
                build_error(&b, TP_P_UNREACH_CALL), figure_end(&b));
  build_done(&b);
  return b;
}

/* x := 0; y := 0; while (y >= 0) y += x; error. Splitting goes on for ever: y < 0, y + x < 0, y + 2
 * x < 0, ... */
static inline build figure_9(void) {
  build b = figure_new();
  tp_var x = build_var(&b, "x", figure_int(&b)), y = build_var(&b, "y", figure_int(&b));
  build_assign(&b, x, bv(&b, 32, 0));
  build_assign(&b, y, bv(&b, 32, 0));
  tp_loc head = b.at, body = build_loc(&b);
  figure_branch(&b, head, figure_not(&b, figure_less(&b, y, 0)), body,
                build_error(&b, TP_P_UNREACH_CALL));
  b.at = body;
  build_edge(
      &b,
      (tp_edge_info){
          .kind = TP_E_ASSIGN, .var = y, .a = figure_sum(&b, y, build_term(&b, x)), .to = head});
  build_done(&b);
  return b;
}

/* flag := 1; i := 0; while (i < n) i += 1; an error if flag != 1 (broken: if it is 1): a loop that
 * does not touch what is checked. */
static inline build figure_flag(int64_t n, bool is_safe) {
  build b = figure_new();
  tp_var flag = build_var(&b, "flag", figure_int(&b)), i = build_var(&b, "i", figure_int(&b));
  build_assign(&b, flag, bv(&b, 32, 1));
  build_assign(&b, i, bv(&b, 32, 0));
  tp_loc head = b.at, body = build_loc(&b), out = build_loc(&b);
  figure_branch(&b, head, figure_less(&b, i, n), body, out);
  b.at = body;
  build_edge(&b,
             (tp_edge_info){
                 .kind = TP_E_ASSIGN, .var = i, .a = figure_sum(&b, i, bv(&b, 32, 1)), .to = head});
  tp_term is_set = figure_is(&b, flag, 1);
  figure_branch(&b, out, is_safe ? figure_not(&b, is_set) : is_set,
                build_error(&b, TP_P_UNREACH_CALL), figure_end(&b));
  build_done(&b);
  return b;
}

// ------------------------------------------------------------------------ setting

/* A partition of a program's graph. */
typedef struct {
  tp_paths paths;
  tp_contexts contexts;
  tp_blocks blocks;
  tp_stats stats;
  tp_partition pt;
} figure_setting;

static inline figure_setting *figure_open(const build *b, tp_search_settings settings) {
  figure_setting *s = TP_NEW(figure_setting);
  tp_contexts_init(&s->contexts);
  tp_paths_init(&s->paths, b->p);
  tp_blocks_build(&s->blocks, &s->paths, &s->contexts, TP_P_UNREACH_CALL,
                  tp_partition_block_ends(settings), 0);
  tp_partition_init(&s->pt, &s->blocks, settings, (tp_smt_options){0}, &s->stats);
  return s;
}

static inline void figure_close(figure_setting *s) {
  tp_partition_clear(&s->pt);
  tp_blocks_clear(&s->blocks);
  tp_paths_clear(&s->paths);
  tp_contexts_clear(&s->contexts);
  tp_free(s);
}

static inline tp_smt_answer figure_ask(figure_setting *s, tp_term t) {
  tp_smt *fresh = tp_smt_new(s->paths.tt, (tp_smt_options){0});
  tp_smt_assert(fresh, tp_paths_query(&s->paths, t));
  tp_smt_answer a = tp_smt_check(fresh, NULL, 0);
  tp_smt_free(fresh);
  return a;
}

static inline uint32_t figure_node(const figure_setting *s, tp_loc l) {
  for (uint32_t n = 1; n < s->blocks.nodes.n; n++)
    if (s->blocks.nodes.at[n].loc.id == l.id) return n;
  fail_msg("no node at location %u", l.id);
  return 0;
}

static inline tp_certify_result figure_check(const build *b, const char *certificate, tp_str *why) {
  tp_certify_limits limits = {0};
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_result r =
      tp_certify_true(b->p, TP_P_UNREACH_CALL, certificate, &limits, NULL, &report);
  if (why) tp_str_add(why, tp_str_text(&report.why));
  tp_certify_report_clear(&report);
  return r;
}

#endif
