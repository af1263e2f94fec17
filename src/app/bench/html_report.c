/* Times are on logarithmic axes from a hundredth of a second on, as in the competition's plots. */
#include "app/bench/html_report.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  const char *task, *property, *verdict, *expected, *grade, *reason;
  double cpu_s, memory_mb;
} entry;
typedef TP_VEC(entry) entry_list;
typedef struct {
  tp_arena arena;
  entry_list list;
  const char *label;
} side;

static const int WIDTH = 580, HEIGHT = 360, MARGIN = 48, RIGHT = 28;
static const double LEAST_S = 0.01, MOST_S = 1000;

static void add_entry(void *ctx, const tp_bench_row *row) {
  side *s = ctx;
  tp_arena *a = &s->arena;
  tp_vec_push(&s->list, ((entry){.task = tp_arena_strdup(a, row->task),
                                 .property = tp_arena_strdup(a, row->property),
                                 .verdict = tp_arena_strdup(a, row->verdict),
                                 .expected = tp_arena_strdup(a, row->expected),
                                 .grade = tp_arena_strdup(a, row->grade),
                                 .reason = tp_arena_strdup(a, row->reason),
                                 .cpu_s = row->cpu_s,
                                 .memory_mb = row->memory_mb}));
}

static void add_escaped(const char *text, tp_str *out) {
  for (; *text; text++) switch (*text) {
      case '<': tp_str_add(out, "&lt;"); break;
      case '>': tp_str_add(out, "&gt;"); break;
      case '&': tp_str_add(out, "&amp;"); break;
      case '"': tp_str_add(out, "&quot;"); break;
      default: tp_str_add_char(out, *text);
    }
}

static bool is_decided(const entry *e) { return strcmp(e->grade, "unknown") != 0; }

// ----------------------------------------------------------------------- plots

/* Of a time, on an axis of this length in pixels. */
static double along(double seconds, double length) {
  TP_REQUIRE(length > 0);
  const double s = seconds < LEAST_S ? LEAST_S : seconds > MOST_S ? MOST_S : seconds;
  return length * log10(s / LEAST_S) / log10(MOST_S / LEAST_S);
}

static void begin_plot(const char *title, const char *below, tp_str *out) {
  tp_str_printf(out,
                "<figure><figcaption>%s</figcaption><svg viewBox=\"0 0 %d %d\" width=\"%d\" "
                "height=\"%d\" role=\"img\"><rect x=\"%d\" y=\"10\" width=\"%d\" height=\"%d\" "
                "class=\"frame\"/><text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                title, WIDTH, HEIGHT, WIDTH, HEIGHT, MARGIN, WIDTH - MARGIN - RIGHT,
                HEIGHT - MARGIN - 10, (WIDTH + MARGIN) / 2, HEIGHT - 6, below);
}

/* Ticks at powers of ten, on the vertical or the horizontal axis. */
static void add_ticks(bool is_vertical, tp_str *out) {
  const double x1 = WIDTH - RIGHT, y1 = HEIGHT - MARGIN;
  for (double s = LEAST_S; s <= MOST_S * 1.001; s *= 10) {
    const double at = is_vertical ? y1 - along(s, y1 - 10) : MARGIN + along(s, x1 - MARGIN);
    if (is_vertical)
      tp_str_printf(out,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/><text "
                    "x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g s</text>\n",
                    MARGIN, at, x1, at, MARGIN - 4, at + 4, s);
    else
      tp_str_printf(out,
                    "<line x1=\"%.1f\" y1=\"10\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/><text "
                    "x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g s</text>\n",
                    at, at, y1, at, y1 + 16, s);
  }
}

static int by_time(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The n-th fastest decided task stands at n. */
static void add_quantiles(const side *s, size_t most, const char *class, tp_str *out) {
  double *times = TP_NEW_ARRAY(double, s->list.n + 1);
  size_t n = 0;
  for (size_t i = 0; i < s->list.n; i++)
    if (is_decided(&s->list.at[i])) times[n++] = s->list.at[i].cpu_s;
  if (n) qsort(times, n, sizeof *times, by_time);
  tp_str_printf(out, "<polyline class=\"%s\" points=\"", class);
  for (size_t i = 0; i < n; i++)
    tp_str_printf(
        out, "%.1f,%.1f ",
        MARGIN + (double)(WIDTH - MARGIN - RIGHT) * (double)(i + 1) / (double)(most ? most : 1),
        HEIGHT - MARGIN - along(times[i], HEIGHT - MARGIN - 10));
  tp_str_add(out, "\"/>\n");
  tp_free(times);
}

static void plot_quantiles(const side *a, const side *b, tp_str *out) {
  const size_t most = a->list.n > b->list.n ? a->list.n : b->list.n;
  tp_str below = {0};
  tp_str_printf(&below, "tasks, the fastest first (%zu in all)", most);
  begin_plot("CPU time of decided tasks", below.text, out);
  add_ticks(true, out);
  add_quantiles(a, most, "a", out);
  if (b->label) add_quantiles(b, most, "b", out);
  tp_str_add(out, "</svg></figure>\n");
  tp_str_clear(&below);
}

static int order(const entry *a, const entry *b) {
  const int by_task = strcmp(a->task, b->task);
  return by_task ? by_task : strcmp(a->property, b->property);
}

static void plot_scatter(const side *a, const side *b, tp_str *out) {
  begin_plot("CPU time of each task: first run across, second run up", "first run", out);
  add_ticks(true, out);
  add_ticks(false, out);
  const double x1 = WIDTH - RIGHT, y1 = HEIGHT - MARGIN;
  tp_str_printf(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"10\" class=\"grid\"/>\n", MARGIN,
                y1, x1);
  for (size_t i = 0, k = 0; i < a->list.n && k < b->list.n;) {
    const entry *x = &a->list.at[i], *y = &b->list.at[k];
    const int which = order(x, y);
    if (which == 0) {
      tp_str_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"%s\"><title>",
                    MARGIN + along(x->cpu_s, x1 - MARGIN), y1 - along(y->cpu_s, y1 - 10),
                    is_decided(x) && is_decided(y) ? "both"
                    : is_decided(x)                ? "lost"
                    : is_decided(y)                ? "gained"
                                                   : "none");
      add_escaped(x->task, out);
      tp_str_printf(out, ": %.2f s, %.2f s</title></circle>\n", x->cpu_s, y->cpu_s);
    }
    i += which <= 0;
    k += which >= 0;
  }
  tp_str_add(out, "</svg></figure>\n");
}

// ---------------------------------------------------------------------- tables

typedef struct {
  const char *name;
  size_t n_name, n, n_right, n_wrong, n_unknown;
  double cpu_s;
} class_sum;

static void add_classes(const side *s, tp_str *out) {
  TP_VEC(class_sum) classes = {0};
  for (size_t i = 0; i < s->list.n; i++) {
    const entry *e = &s->list.at[i];
    const char *end = strrchr(e->task, '/');
    const size_t n = end ? (size_t)(end - e->task) : 0;
    if (!classes.n || tp_vec_last(&classes).n_name != n ||
        strncmp(tp_vec_last(&classes).name, e->task, n) != 0)
      tp_vec_push(&classes, ((class_sum){.name = e->task, .n_name = n}));
    class_sum *c = &classes.at[classes.n - 1];
    c->n++;
    c->n_right += strcmp(e->grade, "right") == 0;
    c->n_wrong += strcmp(e->grade, "wrong") == 0;
    c->n_unknown += strcmp(e->grade, "unknown") == 0;
    c->cpu_s += e->cpu_s;
  }
  tp_str_add(out,
             "<h2>By class</h2><table><tr><th>class<th>tasks<th>right<th>wrong<th>unknown<th>CPU "
             "s</tr>\n");
  for (size_t i = 0; i < classes.n; i++) {
    const class_sum *c = &classes.at[i];
    tp_str name = {0};
    tp_str_add_n(&name, c->name, c->n_name);
    tp_str_add(out, "<tr><td>");
    add_escaped(c->n_name ? name.text : ".", out);
    tp_str_printf(out, "<td>%zu<td>%zu<td%s>%zu<td>%zu<td>%.2f</tr>\n", c->n, c->n_right,
                  c->n_wrong ? " class=\"wrong\"" : "", c->n_wrong, c->n_unknown, c->cpu_s);
    tp_str_clear(&name);
  }
  tp_str_add(out, "</table>\n");
  tp_vec_clear(&classes);
}

static void add_tasks(const side *s, tp_str *out) {
  tp_str_add(out,
             "<h2>Tasks</h2><table><tr><th>task<th>property<th>expected<th>answer<th>grade<th>CPU "
             "s<th>MB</tr>\n");
  for (size_t i = 0; i < s->list.n; i++) {
    const entry *e = &s->list.at[i];
    tp_str_printf(out, "<tr class=\"%s\"><td><a href=\"", e->grade);
    add_escaped(e->task, out);
    tp_str_add(out, "\">");
    add_escaped(e->task, out);
    tp_str_add(out, "</a><td>");
    add_escaped(e->property, out);
    tp_str_add(out, "<td>");
    add_escaped(e->expected, out);
    tp_str_add(out, "<td>");
    add_escaped(e->verdict, out);
    if (e->reason[0]) tp_str_add(out, ": ");
    add_escaped(e->reason, out);
    tp_str_printf(out, "<td>%s<td>%.2f<td>%.0f</tr>\n", e->grade, e->cpu_s, e->memory_mb);
  }
  tp_str_add(out, "</table>\n");
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Twoproof bench</title>"
    "<style>body{font:15px/1.4 system-ui,sans-serif;margin:2em auto;max-width:1200px;padding:0 1em;"
    "color:#222;background:#fff}figure{display:inline-block;margin:0 1em 1em 0}figcaption{font-"
    "weight:600}svg{font-size:11px}.frame{fill:none;stroke:#888}.grid{stroke:#ddd}polyline{fill:"
    "none;stroke-width:2}.a{stroke:#0060a8}.b{stroke:#d06000}circle.both{fill:#0060a8;opacity:.6}"
    "circle.lost{fill:#c00000}circle.gained{fill:#008040}circle.none{fill:#bbb}table{border-"
    "collapse:collapse}td,th{padding:.15em .6em;text-align:left;border-bottom:1px solid "
    "#ddd;overflow-wrap:anywhere}tr.wrong td,td.wrong{background:#ffd6d6}tr.unknown td{color:#777}"
    "</style></head><body>\n";

static void load(tp_bench_store *s, const char *label, side *out) {
  out->label = label;
  tp_bench_store_each(s, label, add_entry, out);
}

void tp_bench_html(tp_bench_store *a, const char *label_a, tp_bench_store *b, const char *label_b,
                   tp_str *out) {
  TP_REQUIRE(a && label_a && out && !b == !label_b);
  side x = {0}, y = {0};
  load(a, label_a, &x);
  if (b) load(b, label_b, &y);
  tp_str_add(out, head);
  tp_str_add(out, "<h1>");
  add_escaped(label_a, out);
  tp_str_add(out, "</h1>\n");
  if (b) {
    tp_str_add(out, "<p>In blue; in orange and up: ");
    add_escaped(label_b, out);
    tp_str_add(out, "</p>\n");
  }
  plot_quantiles(&x, &y, out);
  if (b) plot_scatter(&x, &y, out);
  add_classes(&x, out);
  add_tasks(&x, out);
  tp_str_add(out, "</body></html>\n");
  tp_vec_clear(&x.list);
  tp_vec_clear(&y.list);
  tp_arena_clear(&x.arena);
  tp_arena_clear(&y.arena);
}
