/* Engines side by side on one program whose exact verdict is known.
 *
 * What       every engine of the table, some of them with other solvers and configurations, and
 *            random compositions for the engine `cpa`, in one list of contenders; what each says is
 *            held against all runs of the program.
 * Law        TRUE only if no input reaches an error; FALSE only with inputs that replay; error
 *            locations called unreachable are not reached; what certificates and facts claim of
 *            places holds in every state of every run; certify accepts a certificate of TRUE or
 *            cannot decide, random runs do not contradict it. UNKNOWN is counted.
 * Exchange   a composition may get what an earlier contender proved, as facts.
 * Ownership  a contest owns its texts. */
#ifndef TP_FUZZ_CONTEST_H
#define TP_FUZZ_CONTEST_H

#include "certify/certify.h"
#include "engine/engine.h"

#include "../certify/sightings.h"
#include "judge.h"

typedef struct {
  const char *name;
  const tp_engine *engine;
  const char *composition;  // NULL: the engine's own
  const char *solver;       // NULL: the engine's own
  tp_search_settings search;
  uint32_t one_in;  // of the programs it takes part in
  uint64_t n, verdicts[3], certified[3], n_facts, n_refused;
  double cpu_s, certify_s;  // of the engine; of the checks of what it proved
} contender;

typedef struct {
  TP_VEC(contender) list;
  exact_limits limits;
  uint32_t certify_one_in;  // of the proofs
  bool faults;              // the solver fails once in each run: UNKNOWN, an error, a wrong model
  const char *only;  // contenders with this in their names, in every program; NULL: all, by turns
  uint64_t n, exact[4], n_states, wrong;
  tp_arena arena;
} contest;
void contest_init(contest *c, exact_limits limits, uint32_t n_compositions, uint64_t seed);
void contest_clear(contest *c);

enum { ALL_CONTENDERS = -1 };
/* What is wrong, "" if nothing; who: the contender to try, or ALL_CONTENDERS; the one that was
 * wrong comes back in it. */
void contest_program(contest *c, const tp_program *p, traits what, uint64_t seed, int *who,
                     char *wrong, size_t size);
void contest_print(const contest *c, double wall_s);

#endif
