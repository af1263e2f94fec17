/* Graphviz is asked once for all files: it starts slowly and draws quickly. */
#include "app/pictures.h"

#include "base/process.h"
#include "diag/picture.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

bool tp_is_writable_directory(const char *path) {
  struct stat st;
  if (mkdir(path, 0777) != 0 && errno != EEXIST) return false;
  if (stat(path, &st) != 0) return false;
  errno = ENOTDIR;
  return S_ISDIR(st.st_mode) && access(path, W_OK | X_OK) == 0;
}

// -------------------------------------------------------------------- Graphviz

static bool explain(const tp_process *p) {
  tp_str end = {0};
  tp_process_print_end(p, &end);
  if (p->end == TP_PROCESS_EXITED && p->code == 127)
    fprintf(stderr,
            "twoproof: pictures are written for Graphviz only (.dot): its program 'dot' is not "
            "installed (package graphviz)\n");
  else
    fprintf(stderr, "twoproof: Graphviz could not draw the pictures: %s\n%s", tp_str_text(&end),
            tp_str_text(&p->err));
  tp_str_clear(&end);
  return false;
}

bool tp_pictures_render(const char *directory, const char *const *names, size_t n) {
  static const char *const words[] = {"dot", "-Tsvg", "-O"};
  enum { N_WORDS = sizeof words / sizeof *words };
  tp_arena arena;
  tp_arena_init(&arena);
  const char **argv = tp_arena_array(&arena, const char *, N_WORDS + n + 1);
  memcpy(argv, words, sizeof words);
  for (size_t i = 0; i < n; i++) argv[N_WORDS + i] = tp_arena_printf(&arena, "%s.dot", names[i]);
  tp_process p;
  tp_process_spec spec = {.argv = argv,
                          .directory = directory,
                          .out = TP_STDIO_DISCARD,
                          .err = TP_STDIO_CAPTURE,
                          .limits = {.cpu_s = 60, .wall_s = 120}};
  bool ok = tp_process_run(&p, spec) == TP_OK && p.end == TP_PROCESS_EXITED && p.code == 0;
  if (!ok) explain(&p);
  for (size_t i = 0; i < n && ok; i++) {  // -O names them NAME.dot.svg
    const char *from = tp_arena_printf(&arena, "%s/%s.dot.svg", directory, names[i]),
               *to = tp_arena_printf(&arena, "%s/%s.svg", directory, names[i]);
    ok = rename(from, to) == 0;
  }
  tp_process_clear(&p);
  tp_arena_clear(&arena);
  return ok;
}

/* Into a folder of their own, by number. Returns how many were written; names[k] is the k-th. */
static size_t write_texts(const char *directory, const char *const *texts, size_t n,
                          tp_arena *arena, const char **names) {
  size_t n_names = 0;
  for (size_t i = 0; i < n; i++) {
    if (!texts[i]) continue;
    const char *name = tp_arena_printf(arena, "%zu", i),
               *path = tp_arena_printf(arena, "%s/%s.dot", directory, name);
    if (tp_write_file(path, texts[i], strlen(texts[i])) != TP_OK) return 0;
    names[n_names++] = name;
  }
  return n_names;
}

void tp_pictures_as_svg(const char *const *texts, size_t n, tp_arena *arena, const char **svgs) {
  TP_REQUIRE((texts && svgs) || n == 0);
  tp_str directory = {0};
  if (tp_temp_dir(&directory) != TP_OK) return;
  const char **names = tp_arena_array(arena, const char *, n + 1);
  const size_t n_names = write_texts(tp_str_text(&directory), texts, n, arena, names);
  if (n_names && tp_pictures_render(tp_str_text(&directory), names, n_names))
    for (size_t i = 0; i < n; i++) {
      tp_str svg = {0};
      const char *path = tp_arena_printf(arena, "%s/%zu.svg", tp_str_text(&directory), i);
      if (texts[i] && tp_read_file(path, &svg) == TP_OK)
        svgs[i] = tp_arena_strdup(arena, tp_str_text(&svg));
      tp_str_clear(&svg);
    }
  tp_remove_tree(tp_str_text(&directory));
  tp_str_clear(&directory);
}

// ----------------------------------------------------------------------- index

static const char style[] =
    "<style>body{font-family:Helvetica,Arial,sans-serif;margin:2em;color:#222}h2{font-size:1.05em;"
    "border-top:1px solid #bbb;padding-top:.8em}"
    "figure{display:inline-block;vertical-align:top;margin:.4em;padding:.6em;border:1px solid "
    "#ddd;border-radius:6px}"
    "figcaption{font-size:.8em;color:#555;margin-top:.4em}p{max-width:50em;line-height:1.4}</"
    "style>\n";
static const char legend[] =
    "<p>Shape graphs: an ellipse is one cell of the heap; with a double border it is one or more. "
    "Inside stands what holds of the cell, with 1/2 what is not "
    "known. An arrow is a pointer: solid, it leads there; dotted, it may. Each place has all "
    "graphs that may be the heap there: every heap of every run fits one of "
    "them. Explicit heaps: a box is one object with its fields. Three bars are null, as the sign "
    "for ground.</p>\n";

static void index_open(const char *program, tp_str *out) {
  tp_str_add(out,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Heaps of ");
  tp_picture_escape(program, out);
  tp_str_printf(out, "</title>\n%s</head><body>\n<h1>Heaps of ", style);
  tp_picture_escape(program, out);
  tp_str_printf(out, "</h1>\n%s", legend);
}

static void index_add(const tp_drawing *d, bool is_drawn, tp_str *out) {
  tp_str_add(out, "<figure>");
  if (d->file && is_drawn) tp_str_printf(out, "<img src=\"%s.svg\" alt=\"%s\">", d->file, d->file);
  tp_str_add(out, "<figcaption>");
  if (d->file) tp_str_printf(out, "<a href=\"%s.dot\">%s</a> ", d->file, d->file);
  tp_picture_escape(d->caption, out);
  tp_str_add(out, "</figcaption></figure>\n");
}

static bool write_index(const char *directory, const char *program, const tp_drawing *pictures,
                        size_t n, bool is_drawn) {
  tp_str text = {0}, path = {0};
  index_open(program, &text);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || strcmp(pictures[i].place, pictures[i - 1].place) != 0) {
      tp_str_add(&text, "<h2>");
      tp_picture_escape(pictures[i].place, &text);
      tp_str_add(&text, "</h2>\n");
    }
    index_add(&pictures[i], is_drawn, &text);
  }
  tp_str_add(&text, "</body></html>\n");
  tp_str_printf(&path, "%s/index.html", directory);
  const bool ok = tp_write_file(tp_str_text(&path), text.text, text.n) == TP_OK;
  tp_str_clear(&text);
  tp_str_clear(&path);
  return ok;
}

bool tp_pictures_write(const char *directory, const char *program, const tp_drawing *pictures,
                       size_t n) {
  TP_VEC(const char *) names = {0};
  bool ok = true, is_drawn = false;
  for (size_t i = 0; i < n && ok; i++) {
    if (!pictures[i].file) continue;
    tp_str path = {0};
    tp_str_printf(&path, "%s/%s.dot", directory, pictures[i].file);
    ok = tp_write_file(tp_str_text(&path), pictures[i].text, strlen(pictures[i].text)) == TP_OK;
    tp_vec_push(&names, pictures[i].file);
    tp_str_clear(&path);
  }
  if (ok && names.n)
    is_drawn = tp_pictures_render(directory, names.at, names.n);
  else if (ok)
    fprintf(stderr,
            "twoproof: no pictures: whoever answered has no graphs of the heap; --config=shape and "
            "--config=heap have\n");
  ok = ok && (n == 0 || write_index(directory, program, pictures, n, is_drawn));
  tp_vec_clear(&names);
  return ok;
}
