/* Heaps as pictures, in the way text books draw them: Graphviz text.
 *
 * What       boxes with a row for each field, names with arrows, panels side by side; marks of what
 *            differs between two heaps.
 * Represents null is the sign for ground, in the row of its field or behind its variable; a link is
 *            an arrow that starts at a dot in the row of its field. A mark is a colour and a sign:
 *            "≠" changed, "+" new, "×" gone; arrows that are marked are thicker. What is hidden
 *            takes its room but is not seen: two panels with the same boxes and arrows are laid out
 *            alike.
 * Law        the same calls give the same bytes. Texts may hold anything: they are quoted here.
 * Order      of two panels the later one is above the earlier one when Graphviz draws them. */
#ifndef TP_DIAG_PICTURE_H
#define TP_DIAG_PICTURE_H

#include "base/base.h"

typedef enum {
  TP_MARK_NONE,
  TP_MARK_CHANGED,
  TP_MARK_NEW,
  TP_MARK_GONE,
  TP_MARK_HIDDEN
} tp_picture_mark;
typedef enum {
  TP_PICTURE_TEXT,
  TP_PICTURE_NULL,
  TP_PICTURE_LINK,
  TP_PICTURE_NAME
} tp_picture_kind;  // NAME: without a value
typedef struct {
  const char *name;
  tp_picture_kind kind;
  const char *text;    // TEXT; LINK: the box's id
  const char *at;      // LINK: where inside of it, as "+8"; NULL: its start
  const char *unseen;  // room is left for an arrow to this box, too; NULL: none
  tp_picture_mark mark;
} tp_picture_field;

/* title: above everything, text; footer: below it, in Graphviz's HTML (tp_picture_escape); NULL:
 * none. */
void tp_picture_open(const char *title, const char *footer, tp_str *out);
void tp_picture_close(const char *title, tp_str *out);  // the same title
/* ids: letters, digits, underscores. */
void tp_picture_panel_open(const char *id, const char *title, tp_str *out);
void tp_picture_panel_close(tp_str *out);

/* title: "" for none; note: behind it, as "freed"; NULL: none. */
void tp_picture_box(const char *id, const char *title, const char *note, tp_picture_mark mark,
                    const tp_picture_field *fields, size_t n, tp_str *out);
/* A name outside of all boxes. */
void tp_picture_variable(const char *id, const tp_picture_field *f, tp_str *out);

/* Text for double quotes; for HTML. */
void tp_picture_quote(const char *text, tp_str *out);
void tp_picture_escape(const char *text, tp_str *out);
/* The sign for ground, as an HTML table. */
void tp_picture_ground(tp_str *out);

#endif
