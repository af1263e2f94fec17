/* Engines: who drives the search.
 *
 * What       one interface, a table of engines, verdicts with evidence.
 * Law        an engine returns evidence, never prints, and stops in time. TRUE without a
 *            certificate and FALSE without inputs do not exist. A failure only lowers a verdict. */
#ifndef TP_ENGINE_ENGINE_H
#define TP_ENGINE_ENGINE_H

#include "diag/stats.h"
#include "exec/exec.h"

typedef enum { TP_VERDICT_UNKNOWN, TP_VERDICT_TRUE, TP_VERDICT_FALSE } tp_verdict;

/* How the engines that split regions search (search/): options of the same names. Zero is the
 * default of each. */
typedef enum { TP_SPLIT_DROP, TP_SPLIT_PRE, TP_SPLIT_INTERPOLANT, TP_SPLIT_ALIAS } tp_split_method;
typedef enum {
  TP_GENERALIZE_INTERPOLANT,
  TP_GENERALIZE_WIDEN,
  TP_GENERALIZE_NONE
} tp_generalize_method;
/* Where regions are: at every location, as in the paper, or at loop heads only. The default of
 * synergy is both, in turns; of others, locations. */
typedef enum { TP_NODES_DEFAULT, TP_NODES_LOCATIONS, TP_NODES_LOOPS } tp_region_locations;
typedef struct {
  tp_split_method split;
  tp_generalize_method generalize;
  tp_region_locations nodes;
  bool lazy_edges;     // abstract steps are possible until a test fails; else the solver is asked
                       // before one is used
  bool three_regions;  // start with the start, the errors, and the rest, as in the paper; else one
                       // region for each node
  bool latest_state;   // of the states of a region the last; else the first
  uint32_t fair;  // a Lee-Yannakakis step after this many splits without a new test; 0: default;
                  // UINT32_MAX: never
} tp_search_settings;

/* A formula that may hold at a head of a loop whenever a run is there: a guess of others, which an
 * engine may try to prove and otherwise drops. */
typedef struct {
  tp_loc at;
  tp_term formula;
  uint32_t number;  // whose claim it is; equal numbers: one claim at several locations; 0: nobody
                    // wants to know what became of it
} tp_candidate;
typedef TP_VEC(tp_candidate) tp_candidate_list;

/* What became of a claim (blocks/claims.h). */
typedef enum {
  TP_CLAIM_OPEN,  // a solver gave up, or it speaks of what does not exist there
  TP_CLAIM_PROVED,
  TP_CLAIM_STARTS_FALSE,  // a path formula from the start leads to a state where it fails
  TP_CLAIM_NOT_KEPT,      // a counterexample to induction
  TP_CLAIM_RESTS          // kept as long as all claims hold, and not all of them do
} tp_claim_state;
typedef struct {
  uint32_t number;  // of candidates
  tp_claim_state state;
  const char *before, *after;  // the two states: "i = 3, n = 2", or NULL
  const char *from;            // the place of the first state, or NULL
} tp_claim;

/* What engines of one run exchange (engine/board.h). */
typedef enum {
  TP_BOARD_INPUTS,
  TP_BOARD_GOAL,
  TP_BOARD_INVARIANTS,
  TP_N_BOARD_KINDS
} tp_board_kind;

typedef struct {
  const tp_program *program;
  tp_property property;
  uint64_t seed;
  const char *solver;       // back end; NULL: default
  uint32_t bmc_max_unroll;  // bmc gives up beyond this bound; 0: no limit
  uint32_t within;          // bmc: the question is about runs within this bound; 0: about all runs
  const char *composition;  // cpa engines: text of the configuration (cpa/composition.h); NULL: the
                            // engine's own
  const char *precision;    // what an earlier run refined (proof/precision.h), or NULL; for cegar
  const struct tp_shape_library *shape_classes;  // that cpa engines can choose from
                                                 // (shape/library.h); NULL: those of lib/shape
  tp_search_settings search;
  const char *imported;  // certificates of kind `invariants` that engines of other processes
                         // proved, or NULL; the engine may use them
  const struct tp_board *board;         // of other engines, of any kind but invariants; or NULL
  const tp_candidate_list *candidates;  // or NULL
  bool pictures;                        // the result should have some (proof/reached_pictures.h)
} tp_task;

typedef struct {
  double cpu_s;            // 0: none
  uint64_t solver_rlimit;  // per query, 0: default
  uint64_t steps;          // of the engine's own loop, 0: none
  /* Called between steps; true asks the engine to stop with UNKNOWN. May be NULL. */
  bool (*should_stop)(void *ctx);
  void (*progress)(void *ctx, const tp_stats *stats, const char *phase);
  /* A fact for other engines of the run (engine/board.h). May be NULL. */
  void (*publish)(void *ctx, tp_board_kind kind, const char *text);
  void *ctx;
} tp_budget;

/* What is left of the CPU time of an engine that began at start_s (very much without a limit); a
 * share of that for a callee to whom 0 means no limit: 0 without one, else more than 0, also when
 * nothing is left; is it to stop; such a share as the budget of an engine that helps; what it is
 * doing now. */
double tp_engine_left_s(const tp_budget *b, double start_s);
double tp_engine_share_s(const tp_budget *b, double start_s, double share);
bool tp_engine_is_over(const tp_budget *b, double start_s);
tp_budget tp_engine_sub_budget(const tp_budget *b, double start_s, double share);
void tp_engine_report_phase(const tp_budget *b, const tp_stats *stats, const char *phase);

/* What stood between a search and a verdict: for the advice that users get with an UNKNOWN. */
typedef enum {
  TP_OBSTACLE_OTHER,        // the reason says all that there is to say
  TP_OBSTACLE_LIMIT,        // time, memory or steps came to an end
  TP_OBSTACLE_LOOP,         // runs with more iterations of a loop were not followed
  TP_OBSTACLE_RECURSION,    // the same of calls of a function by itself
  TP_OBSTACLE_CONSTRUCT,    // a construct of the program has no model
  TP_OBSTACLE_POINTER,      // the object behind a pointer is not known
  TP_OBSTACLE_CALLEE,       // a function without body may write memory
  TP_OBSTACLE_ABSTRACTION,  // an error location that the abstraction does not exclude
  TP_OBSTACLE_SOLVER,       // the solver gave up
  TP_OBSTACLE_UNDEFINED,  // a proof holds up to an operation without meaning, which a run performs
  TP_N_OBSTACLES
} tp_obstacle_kind;
typedef struct {
  tp_obstacle_kind kind;
  tp_pos pos;      // or TP_POS_NONE
  uint64_t bound;  // LOOP: iterations, RECURSION: calls, within which no run fails; 0: not known
} tp_obstacle;

/* A graph or a heap that was reached. */
typedef struct {
  const char *place, *caption;  // "loop at a.c:3:4, in main"; what is drawn
  const char *file;  // a name without ending, or NULL: the caption is all that there is to say
  const char *text;  // Graphviz
} tp_drawing;

/* What the runs within a bound come to. Beside the claim of a bounded answer: no certificate speaks
 * of it. */
typedef enum { TP_LOOKED_OPEN, TP_LOOKED_NO, TP_LOOKED_YES } tp_looked;
typedef struct {
  tp_pos pos;
  tp_looked reached;
} tp_looked_check;
typedef struct {
  tp_pos pos;         // of a loop, or of a function that calls itself
  bool is_recursion;  // of a function
} tp_cut_place;
typedef struct {
  TP_VEC(tp_looked_check) checks;  // each position once
  TP_VEC(tp_cut_place) cuts;       // where the bound cuts runs off
  uint64_t larger;    // a bound with which a run comes to a check that none reaches; 0: not known
  uint64_t tried;     // no smaller bound than this one does; equal to `larger`: it is the smallest
  tp_pos larger_pos;  // that check
} tp_bounded_reach;

typedef struct {
  tp_verdict verdict;
  tp_property violated;    // FALSE: which part
  uint64_t bound;          // TRUE: of runs with at most so many iterations of each loop and so many
                           // activations of each function; 0: of all runs
  tp_bounded_reach reach;  // TRUE with a bound
  bool is_tentative;       // TRUE: the engine did not follow all runs, its certificate leaves some
                           // to the checker; if that refuses, reason and obstacle count
  const char *reason;      // UNKNOWN: one line for users; from the arena
  const char *hint;        // UNKNOWN: what to try next, or NULL
  tp_obstacle obstacle;    // UNKNOWN: the kind of the reason
  const char
      *condition;  // UNKNOWN: for which runs the explored part is a proof, or NULL: see `unproved`
  tp_inputs inputs;    // FALSE
  const char *help;    // what of other engines led there: "to a state that kinduction could not
                       // exclude"; NULL: nothing; from the arena
  tp_str certificate;  // TRUE: text (doc/certificates.md)
  TP_VEC(const char *) assumptions;  // TRUE rests on these; from the arena
  struct tp_invariants *invariants;  // what was proved besides, whatever the verdict, or NULL;
                                     // for engines of this process (engine/import.h); owned
  tp_str invariants_text;            // the same for other processes: tp_result_write_invariants
  tp_str precision;                  // cegar: what was refined, whatever the verdict
  tp_str summaries;                  // smash: of functions, for people, whatever the verdict
  TP_VEC(tp_drawing)
  pictures;               // from the arena, if the task asks for them; in the order of the program
  TP_VEC(tp_loc) proved;  // UNKNOWN: error locations that no run reaches
  TP_VEC(tp_loc)
  unproved;  // UNKNOWN: error locations that could not be excluded, in the order they were met
  TP_VEC(tp_claim) claims;   // what became of the task's candidates; texts from the arena
  tp_edge costliest;         // UNKNOWN: the edge that was followed most often, or NONE
  uint64_t costliest_steps;  // how often
  tp_arena arena;
} tp_result;
void tp_result_init(tp_result *r);
void tp_result_clear(tp_result *r);
/* UNKNOWN for this reason; texts from the result's arena, or static. tp_result_give_up_at says of
 * which kind the reason is, and where in the program. */
void tp_result_give_up(tp_result *r, const char *reason, const char *hint);
void tp_result_give_up_at(tp_result *r, tp_obstacle obstacle, const char *reason, const char *hint);
/* Another record of what was proved besides, or NULL; takes it over. */
void tp_result_set_invariants(tp_result *r, struct tp_invariants *invariants);
/* At the pipe to another process: the invariants as text, unless the verdict is TRUE (its
 * certificate says more) or they cannot be written. */
void tp_result_write_invariants(tp_result *r, const tp_program *p);
/* "a.c:3:4" in the arena; "" without sources. */
const char *tp_position_text(const tp_program *p, tp_pos pos, tp_arena *arena);

typedef struct {
  const char *name;  // "bmc", "random"
  const char *help;
  void (*run)(const tp_task *task, const tp_budget *budget, tp_stats *stats, tp_result *out);
} tp_engine;
/* The engine of this name; NULL: there is none. The table lives above all engines (auto/engines.h):
 * an engine that uses another one finds it by name, and includes nothing of it. */
const tp_engine *tp_engine_find(const char *name);
/* Asks another engine, whose counts go into `own`. True: its verdict is `wanted` (UNKNOWN: any that
 * is not), and `out` is its result now; else out stays as it is. */
bool tp_engine_delegate(const tp_engine *engine, const tp_task *task, const tp_budget *budget,
                        tp_verdict wanted, tp_stats *own, tp_result *out);

#endif
