/* Inside lsp: the state of the server, and what its parts do with it.
 *
 * Ownership  the server owns everything below it. */
#ifndef TP_LSP_LSP_PRIV_H
#define TP_LSP_LSP_PRIV_H

#include "base/process.h"
#include "lsp/lsp_answer.h"
#include "lsp/lsp_server.h"
#include "lsp/rpc.h"
#include "lsp/sources.h"
#include "lsp/text_document.h"

// -------------------------------------------------------------------------- state

/* One thing to verify of a file, as the survey found it. Texts live in the survey's arena. */
typedef struct {
  const char *name, *identity;
  const char *obstacle;     // why it cannot be verified, or NULL
  tp_lsp_place place;       // of the function
  const json_t *arguments;  // of `check`, beside the usual; of the survey's object
  tp_lsp_places places;
  json_t *answer;   // or NULL; its places are those of the document before its edits
  bool is_stale;    // the answer is of another identity
  bool is_unmoved;  // the survey before had the same, at the same places
  bool needs_check;
  bool is_cancelled;  // by the user: it waits for the next save
  char *trouble;      // the check ended without an answer: why; or NULL
} tp_lsp_target;

typedef struct {
  tp_arena arena;
  json_t *object;  // as it came
  TP_VEC(tp_lsp_target) targets;
} tp_lsp_survey;

typedef enum { TP_PROGRESS_NONE, TP_PROGRESS_ASKED, TP_PROGRESS_SHOWN } tp_lsp_progress;

/* A round: from a save until all targets have their answers. */
typedef struct {
  bool is_on;
  double started_s, reported_s;
  size_t n_done, n_kept;
  tp_lsp_progress progress;
  int64_t request;       // that created the token
  json_t *token;         // or NULL
  TP_VEC(json_t *) ids;  // of requests that are answered at its end
} tp_lsp_round;

/* A document; it stays known after it was closed, with its answers. */
typedef struct {
  char *uri, *path;       // the editor's words; the path as realpath gives it
  char *root;             // the folder that checks run in
  bool is_open, is_unit;  // unit: C that is compiled by itself
  int64_t version;
  tp_text_document document;
  tp_lsp_survey survey;
  size_t edits_before;  // edits that came before the survey that runs
  bool needs_survey, is_surveying;
  bool was_cancelled;       // the last round was: what is shown may be old
  double survey_started_s;  // on the clock of files
  uint64_t signature;       // of the files on disk, after the last survey
  size_t problems_before;   // edits that came before the problems were found
  json_t *problems;         // of the front end: [{"place", "text", "severity", "notes"}], or NULL
  tp_lsp_round round;
} tp_lsp_file;

typedef enum { TP_LSP_SURVEY, TP_LSP_CHECK, TP_N_LSP_JOBS } tp_lsp_job_kind;

/* One worker of each kind. */
typedef struct {
  tp_lsp_job_kind kind;
  bool is_active, is_dropped;  // dropped: nobody wants its answer
  tp_lsp_file *file;
  tp_arena arena;  // of the arguments
  const char *target, *identity;
  const tp_lsp_services *services;
  int argc;
  char **argv;
  const char *folder;  // of its output
  int n_asked;         // how often it was asked to end
  double asked_s;
  tp_process process;
} tp_lsp_job;

typedef struct {
  char *entry, *property, *compile_commands;
  double timelimit_s;
  json_t *arguments;  // of strings
  bool checks_on_open, checks_on_save, all_functions;
} tp_lsp_settings;

typedef struct {
  bool has_progress, has_configuration, has_create, has_literals, has_registration;
  bool has_document_changes, has_related, has_watching;
} tp_lsp_client;

typedef struct {
  const tp_lsp_services *services;
  tp_rpc rpc;
  tp_lsp_client client;
  tp_lsp_settings settings;
  tp_position_unit unit;
  bool is_initialized, is_shut_down, is_over;
  int64_t parent;  // process of the editor, 0: not told
  double settings_asked_s;
  int64_t settings_request;  // that is waited for, 0: none
  TP_VEC(char *) folders;    // of the workspace
  TP_VEC(tp_lsp_file *) files;
  tp_lsp_job jobs[TP_N_LSP_JOBS];
  json_t *published;   // uri -> diagnostics
  tp_sources sources;  // of files that are not open, while diagnostics are made
  uint64_t n_tokens, n_folders;
  char *temporary;  // folder of outputs
} tp_lsp_server;

// -------------------------------------------------------------------------- parts

// lsp_log.c
void tp_lsp_log(tp_lsp_server *s, const char *fmt, ...) TP_PRINTF(2, 3);
void tp_lsp_warn(tp_lsp_server *s, const char *fmt, ...) TP_PRINTF(2, 3);

// lsp_files.c
char *tp_lsp_copy(const char *text);  // the caller's
/* The path from the file's root on, for people. */
const char *tp_lsp_short(const tp_lsp_file *f, const char *path);

// lsp_settings.c
void tp_lsp_settings_init(tp_lsp_settings *s);
void tp_lsp_settings_clear(tp_lsp_settings *s);
/* An object of settings; what is unknown or of another type is told and left as it was. True:
 * something is another than before. */
bool tp_lsp_settings_read(tp_lsp_server *s, const json_t *object);
/* The command line of the job for its file; words live in its arena. */
void tp_lsp_command_line(tp_lsp_server *s, tp_lsp_job *job, const tp_lsp_target *target);

// lsp_files.c
tp_lsp_file *tp_lsp_file_of_uri(tp_lsp_server *s, const char *uri);    // NULL: never opened
tp_lsp_file *tp_lsp_file_of_path(tp_lsp_server *s, const char *path);  // open ones only
tp_lsp_file *tp_lsp_file_open(tp_lsp_server *s, const char *uri, const char *language,
                              int64_t version, const char *text, size_t n);
void tp_lsp_file_free(tp_lsp_file *f);
tp_lsp_target *tp_lsp_find_target(tp_lsp_file *f, const char *name);
void tp_lsp_survey_clear(tp_lsp_survey *v);
/* The survey as the worker printed it takes the place of the last one: answers of targets with the
 * same identity are kept, others become stale. False: it cannot be read. */
bool tp_lsp_take_survey(tp_lsp_server *s, tp_lsp_file *f, const char *text, size_t n);
/* Errors of the front end out of the compiler's messages. */
void tp_lsp_take_problems(tp_lsp_file *f, const char *messages, const char *otherwise);
/* Of the files that the targets lie in: when they were written, and their sizes. */
uint64_t tp_lsp_signature(const tp_lsp_file *f);
/* Was one of them written after this moment? */
bool tp_lsp_is_newer(const tp_lsp_file *f, double since_s);

// lsp_jobs.c
/* The file is read again, and what changed is verified. */
void tp_lsp_start_round(tp_lsp_server *s, tp_lsp_file *f, const json_t *token);
/* The same, unless a round is on; the request `id` is answered at its end. token: for progress, or
 * NULL. */
void tp_lsp_join_round(tp_lsp_server *s, tp_lsp_file *f, const json_t *id, const json_t *token);
/* Ends the round and its worker, with all processes. */
void tp_lsp_cancel_round(tp_lsp_server *s, tp_lsp_file *f, const char *why);
/* Starts what waits, takes what has ended. */
void tp_lsp_jobs_step(tp_lsp_server *s);
void tp_lsp_jobs_end(tp_lsp_server *s);
/* Milliseconds until something has to be looked at. */
int tp_lsp_jobs_patience(const tp_lsp_server *s);

// lsp_progress.c
void tp_lsp_progress_begin(tp_lsp_server *s, tp_lsp_file *f, const json_t *token);
void tp_lsp_progress_created(tp_lsp_server *s, int64_t request, bool is_granted);
void tp_lsp_progress_report(tp_lsp_server *s, tp_lsp_file *f, const char *what);
void tp_lsp_progress_end(tp_lsp_server *s, tp_lsp_file *f, const char *what);

// lsp_show.c
/* Sends diagnostics of all documents that are others than those that were sent last. */
void tp_lsp_publish(tp_lsp_server *s);
bool tp_lsp_is_stale(const tp_lsp_file *f, const tp_lsp_target *t);
/* Where a place is now: its path, and a range of the protocol over the word that stands there. */
json_t *tp_lsp_range(tp_lsp_server *s, const char *path, int64_t line, int64_t column);
json_t *tp_lsp_uri(tp_lsp_server *s, const char *path);
int64_t tp_lsp_shown_line(tp_lsp_server *s, const char *path, int64_t line);  // from 1

// lsp_hover.c
json_t *tp_lsp_hover(tp_lsp_server *s, const tp_lsp_file *f, tp_text_position at);

// lsp_actions.c
json_t *tp_lsp_actions(tp_lsp_server *s, tp_lsp_file *f, uint32_t from, uint32_t to);
/* Writes the test to disk. NULL with `why`: that failed. */
json_t *tp_lsp_write_test(tp_lsp_server *s, tp_lsp_file *f, const char *target,
                          const char *property, tp_str *why);

#endif
