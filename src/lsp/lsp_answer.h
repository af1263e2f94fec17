/* What `twoproof check` answered about one target, as the server keeps it.
 *
 * What       findings, one for each property, read from the object on standard output and from the
 *            files of --output: findings.sarif (steps of a failing run, weaknesses), proof.json
 *            (invariants, contracts), harness.c and run.sh (the test).
 * Represents a JSON array of objects with the members "property", "verdict", "message", "place",
 *            "cwe", "notes", "steps", "why", "where", "next", "assumptions", "remarks", "proof",
 *            "evidence" (name of a file: its text), "folder" (where that was). A place is
 *            [PATH, LINE, COLUMN]: an absolute path, a line and a byte from 1.
 * Ownership  a new reference for the caller. */
#ifndef TP_LSP_LSP_ANSWER_H
#define TP_LSP_LSP_ANSWER_H

#include "base/base.h"

#include <jansson.h>

/* The places of a target, in the order in which the survey lists them. */
typedef struct {
  const char *path;  // absolute
  uint32_t line, column;
} tp_lsp_place;
typedef TP_VEC(tp_lsp_place) tp_lsp_places;

/* text: standard output; folder: of --output; root: what relative paths are relative to. NULL: the
 * text has no answer. */
json_t *tp_lsp_answer_read(const char *text, size_t n, const char *folder, const char *root);
/* Moves places, and positions that texts name, from those of one reading of the program to those of
 * another with the same identity. root: what the
 * texts name files from. */
void tp_lsp_answer_move(json_t *answer, const tp_lsp_places *from, const tp_lsp_places *to,
                        const char *root);
/* root/path, unless it is absolute already; in the caller's string. */
void tp_lsp_absolute(const char *root, const char *path, tp_str *out);

#endif
