/* Facts that help a proof, in the source of the program; compilers see nothing of them.
 *
 *   while (i < n) {
 *     __twoproof_invariant(s == 2 * i && i <= n);   // whenever the condition of the loop is evaluated
 *     ...
 *     __twoproof_assume(s % 2 == 0);                // where the next statement starts
 *
 * Nothing of it is believed: each fact is proved, or left out. An expression has no side effects;
 * it may call functions of the program without loops, calls and side effects, and lemmas: such
 * functions named __twoproof_lemma_NAME, which the program itself need not call. Twoproof reads
 * this header by itself; a compiler needs it on its path of includes, or these two lines in the
 * program.
 * What becomes of facts: doc/hints.md. */
#ifndef TWOPROOF_H
#define TWOPROOF_H
#define __twoproof_invariant(e) ((void)0)
#define __twoproof_assume(e) ((void)0)
#endif
