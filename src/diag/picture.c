/* Boxes are HTML tables: a title, then a row for each field with its name, and its value or the
 * port where its arrow starts. */
#include "diag/picture.h"

static const char *const fonts = "Helvetica,Arial,sans-serif";

// Colours that differ in brightness, too: the signs and widths say the same without them.
static const struct {
  const char *sign, *fill, *line;
} marks[] = {
    [TP_MARK_NONE] = {"", "white", "black"},
    [TP_MARK_CHANGED] = {"&#8800;", "#ffe0b2", "#bf360c"},
    [TP_MARK_NEW] = {"+", "#c8e6c9", "#1b5e20"},
    [TP_MARK_GONE] = {"&#215;", "#e0e0e0", "#616161"},
    [TP_MARK_HIDDEN] = {"", "white", "black"},
};

void tp_picture_quote(const char *text, tp_str *out) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') tp_str_add_char(out, '\\');
    if (*text == '\n')
      tp_str_add(out, "\\n");
    else
      tp_str_add_char(out, *text);
  }
}

void tp_picture_escape(const char *text, tp_str *out) {
  for (; *text; text++) {
    if (*text == '<')
      tp_str_add(out, "&lt;");
    else if (*text == '>')
      tp_str_add(out, "&gt;");
    else if (*text == '&')
      tp_str_add(out, "&amp;");
    else if (*text == '"')
      tp_str_add(out, "&quot;");
    else if (((unsigned char)*text < ' ' && *text != '\n' && *text != '\t') || *text == 127)
      tp_str_add_char(out, '?');  // XML has no such characters
    else
      tp_str_add_char(out, *text);
  }
}

void tp_picture_ground(tp_str *out) {
  tp_str_add(out, "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"2\" CELLPADDING=\"0\">");
  for (int width = 15; width > 0; width -= 6)
    tp_str_printf(out,
                  "<TR><TD><TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
                  "CELLPADDING=\"0\"><TR><TD FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"2\" "
                  "BGCOLOR=\"black\"></TD></TR></TABLE></TD></TR>",
                  width);
  tp_str_add(out, "</TABLE>");
}

// --------------------------------------------------------------------- whole pictures

void tp_picture_open(const char *title, const char *footer, tp_str *out) {
  tp_str_printf(out,
                "digraph heap {\n  rankdir=LR;\n  graph [fontname=\"%s\", fontsize=13, "
                "labeljust=l, ranksep=0.6, nodesep=0.3];\n",
                fonts);
  tp_str_printf(out,
                "  node [fontname=\"%s\", fontsize=12];\n  edge [fontname=\"%s\", fontsize=11, "
                "arrowsize=0.7];\n",
                fonts, fonts);
  if (footer) tp_str_printf(out, "  label=<%s>;\n", footer);
  if (!title) return;
  tp_str_add(out, "  subgraph cluster_whole {\n  color=white; labeljust=l; label=\"");
  tp_picture_quote(title, out);
  tp_str_add(out, "\";\n");
}

void tp_picture_close(const char *title, tp_str *out) {
  tp_str_add(out, title ? "  }\n}\n" : "}\n");
}

void tp_picture_panel_open(const char *id, const char *title, tp_str *out) {
  tp_str_printf(
      out, "  subgraph cluster_%s {\n  style=rounded; color=\"#9e9e9e\"; margin=14; label=\"", id);
  tp_picture_quote(title, out);
  tp_str_add(out, "\";\n");
}

void tp_picture_panel_close(tp_str *out) { tp_str_add(out, "  }\n"); }

// ----------------------------------------------------------------------- boxes

static void put_sign(tp_picture_mark mark, tp_str *out) {
  TP_REQUIRE(mark <= TP_MARK_HIDDEN);
  if (marks[mark].sign[0]) tp_str_printf(out, "<B>%s</B>&#160;&#160;", marks[mark].sign);
}

static void put_value(const tp_picture_field *f, size_t row, tp_str *out) {
  TP_REQUIRE(f->mark <= TP_MARK_HIDDEN && (f->kind == TP_PICTURE_TEXT) <= (f->text != NULL));
  tp_str_printf(out, "<TD PORT=\"f%zu\" BGCOLOR=\"%s\">", row, marks[f->mark].fill);
  switch (f->kind) {
    case TP_PICTURE_TEXT: tp_picture_escape(f->text, out); break;
    case TP_PICTURE_NULL: tp_picture_ground(out); break;
    case TP_PICTURE_LINK:
    case TP_PICTURE_NAME: break;
  }
  tp_str_add(out, "</TD>");
}

static void put_row(const tp_picture_field *f, size_t row, tp_str *out) {
  tp_str_printf(out, "<HR/><TR><TD ALIGN=\"LEFT\" BGCOLOR=\"%s\">", marks[f->mark].fill);
  put_sign(f->mark, out);
  tp_picture_escape(f->name, out);
  tp_str_add(out, "</TD><VR/>");
  put_value(f, row, out);
  tp_str_add(out, "</TR>");
}

static void put_arrow(const tp_picture_field *f, tp_str *out) {
  if (f->mark != TP_MARK_NONE && f->mark != TP_MARK_HIDDEN)
    tp_str_printf(out, ", color=\"%s\", penwidth=2.4", marks[f->mark].line);
  if (f->at) {
    tp_str_add(out, ", headlabel=\" ");
    tp_picture_quote(f->at, out);
    tp_str_add(out, " \"");
  }
  tp_str_add(out, "];\n");
}

/* from: box or port. */
static void put_arrows(const char *from, const char *style, tp_picture_mark mark,
                       const tp_picture_field *f, tp_str *out) {
  if (f->kind == TP_PICTURE_LINK) {
    tp_str_printf(out, "  %s -> %s [%s%s", from, f->text, style,
                  mark == TP_MARK_HIDDEN ? ", style=invis" : "");
    put_arrow(f, out);
  }
  if (f->unseen) tp_str_printf(out, "  %s -> %s [%s, style=invis];\n", from, f->unseen, style);
}

void tp_picture_box(const char *id, const char *title, const char *note, tp_picture_mark mark,
                    const tp_picture_field *fields, size_t n, tp_str *out) {
  tp_str_printf(out,
                "  %s [shape=plain%s, label=<<TABLE BORDER=\"%d\" COLOR=\"%s\" STYLE=\"ROUNDED\" "
                "CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"4\">",
                id, mark == TP_MARK_HIDDEN ? ", style=invis" : "",
                mark == TP_MARK_NONE || mark == TP_MARK_HIDDEN ? 1 : 2, marks[mark].line);
  tp_str_add(out, "<TR><TD COLSPAN=\"2\">");
  put_sign(mark, out);
  tp_str_add(out, "<B>");
  tp_picture_escape(title[0] ? title : " ", out);
  tp_str_add(out, "</B>");
  if (note) {
    tp_str_add(out, " <I>");
    tp_picture_escape(note, out);
    tp_str_add(out, "</I>");
  }
  tp_str_add(out, "</TD></TR>");
  for (size_t i = 0; i < n; i++) put_row(&fields[i], i, out);
  tp_str_add(out, "</TABLE>>];\n");
  for (size_t i = 0; i < n; i++) {
    tp_str port = {0};
    tp_str_printf(&port, "%s:f%zu:e", id, i);
    put_arrows(tp_str_text(&port), "dir=both, arrowtail=dot", mark, &fields[i], out);
    tp_str_clear(&port);
  }
}

void tp_picture_variable(const char *id, const tp_picture_field *f, tp_str *out) {
  tp_str_printf(out,
                "  %s [shape=plain%s, label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" "
                "CELLSPACING=\"0\" CELLPADDING=\"3\"><TR><TD BGCOLOR=\"%s\">",
                id, f->mark == TP_MARK_HIDDEN ? ", style=invis" : "", marks[f->mark].fill);
  put_sign(f->mark, out);
  tp_picture_escape(f->name, out);
  if (f->kind == TP_PICTURE_TEXT) {
    tp_str_add(out, " = ");
    tp_picture_escape(f->text, out);
  }
  tp_str_add(out, "</TD>");
  if (f->kind == TP_PICTURE_NULL) {
    tp_str_add(out, "<TD>");
    tp_picture_ground(out);
    tp_str_add(out, "</TD>");
  }
  tp_str_add(out, "</TR></TABLE>>];\n");
  put_arrows(id, "weight=2", f->mark, f, out);
}
