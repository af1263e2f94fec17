// Messages out of bytes in pieces, URIs, edits of texts, positions in all units, answers that move:
// one table each.
#include "lsp/file_uri.h"
#include "lsp/frames.h"
#include "lsp/lsp_answer.h"
#include "lsp/lsp_limits.h"
#include "lsp/rpc.h"
#include "lsp/text_document.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// -------------------------------------------------------------------------- frames

/* Messages in brackets, errors as !, one behind the other. */
static void read_all(const char *bytes, size_t n, size_t piece, tp_str *out) {
  tp_lsp_reader r = {0};
  tp_str_add(out, "");
  for (size_t at = 0; at < n; at += piece) {
    const char *text;
    size_t length;
    tp_lsp_reader_add(&r, bytes + at, n - at < piece ? n - at : piece);
    for (tp_lsp_frame f; (f = tp_lsp_reader_next(&r, &text, &length)) != TP_LSP_FRAME_WAIT;)
      if (f == TP_LSP_FRAME_BROKEN)
        tp_str_add_char(out, '!');
      else
        tp_str_printf(out, "[%.*s]", (int)length, text);
  }
  if (tp_lsp_reader_is_inside(&r)) tp_str_add_char(out, '~');
  tp_lsp_reader_clear(&r);
}

static void frames_come_in_pieces(void **unused) {
  (void)unused;
  static const struct {
    const char *bytes, *wanted;
  } rows[] = {
      {"", ""},
      {"Content-Length: 2\r\n\r\n{}", "[{}]"},
      {"Content-Length: 0\r\n\r\n", "[]"},
      {"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[7]", "[{}][[7]]"},
      {"content-LENGTH:2\r\nContent-Type: x; charset=UTF-8\r\n\r\n{}", "[{}]"},
      {"Content-Length: 2\n\n{}", "[{}]"},
      {"Content-Length: 2\r\n\r\n{", "~"},
      {"Content-Length: 2\r\n", "~"},
      {"X: y\r\n\r\nContent-Length: 2\r\n\r\n{}", "![{}]"},
      {"garbage\r\n\r\nmore garbage Content-Length: 2\r\n\r\n{}", "![{}]"},
      {"Content-Length: x\r\n\r\nContent-Length: 2\r\n\r\n{}", "![{}]"},
      {"Content-Length: -1\r\n\r\nContent-Length: 2\r\n\r\n{}", "![{}]"},
      {"Content-Length:\r\n\r\nContent-Length: 2\r\n\r\n{}", "![{}]"},
      {"Content-Length: 1x\r\n\r\nContent-Length: 2\r\n\r\n{}", "![{}]"},
      {"Content-Length: 18446744073709551617\r\n\r\nContent-Length: 2\r\n\r\n{}", "![{}]"},
      {"Content-Length: 99999999999\r\n\r\nab Content-Length: 2\r\n\r\n{}", "![{}]"},
      {"Content-Length: 2\r\nContent-Type: x; charset=latin1\r\n\r\n{}Content-Length: "
       "2\r\n\r\n{}",
       "![{}]"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t piece = 1; piece <= 100; piece += 1 + piece / 2) {
      tp_str out = {0};
      read_all(rows[i].bytes, strlen(rows[i].bytes), piece, &out);
      assert_string_equal(out.text, rows[i].wanted);
      tp_str_clear(&out);
    }
}

/* A message that is too long is skipped, whatever is in it; an endless header is dropped. */
static void long_messages_are_skipped(void **unused) {
  (void)unused;
  tp_str bytes = {0}, out = {0};
  const size_t n = (size_t)TP_LSP_MESSAGE_BYTES + 1;
  tp_str_printf(&bytes, "Content-Length: %zu\r\n\r\n", n);
  for (size_t i = 0; i < n; i += 20)
    tp_str_add_n(&bytes, "Content-Length: 2\r\n\r\n{}", i + 20 < n ? 20 : n - i);
  tp_str_add(&bytes, "Content-Length: 2\r\n\r\n[]");
  read_all(bytes.text, bytes.n, 1 << 16, &out);
  assert_string_equal(out.text, "![[]]");
  tp_str_clear(&bytes);
  tp_str_clear(&out);
  for (int i = 0; i < TP_LSP_HEADER_BYTES + 100; i++) tp_str_add_char(&bytes, 'x');
  tp_str_add(&bytes, "\r\n\r\nContent-Length: 2\r\n\r\n[]");
  read_all(bytes.text, bytes.n, 1 << 16, &out);
  assert_string_equal(out.text, "![[]]");
  tp_str_clear(&bytes);
  tp_str_clear(&out);
}

// ---------------------------------------------------------------------------- URIs

static void uris_name_files(void **unused) {
  (void)unused;
  static const struct {
    const char *uri, *path;  // NULL: none
    bool is_ours;            // and back
  } rows[] = {
      {"file:///a/b.x", "/a/b.x", true},
      {"file:///a%20b/%C3%BC.x", "/a b/\xc3\xbc.x", true},
      {"file:///a%25.x", "/a%.x", true},
      {"file:///%23%3F.x", "/#?.x", true},
      {"file:///a%2Fb.x", "/a/b.x", false},
      {"file:///%61.x", "/a.x", false},
      {"file://localhost/a.x", "/a.x", false},
      {"FILE:/a.x", "/a.x", false},
      {"file:///a.x?x#y", "/a.x", false},
      {"file:///%ff.x", "/\xff.x", false},
      {"file://elsewhere/a.x", NULL, false},
      {"http:///a.x", NULL, false},
      {"untitled:Untitled-1", NULL, false},
      {"file:a.x", NULL, false},
      {"file:///a%2.x", NULL, false},
      {"file:///a%zz.x", NULL, false},
      {"file:///a%", NULL, false},
      {"file:///a%00.x", NULL, false},
      {"", NULL, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_str path = {0}, uri = {0};
    const bool ok = tp_file_uri_path(rows[i].uri, &path);
    assert_int_equal(ok, rows[i].path != NULL);
    if (ok) assert_string_equal(path.text, rows[i].path);
    if (rows[i].is_ours) {
      tp_file_uri_of(rows[i].path, &uri);
      assert_string_equal(uri.text, rows[i].uri);
    }
    tp_str_clear(&path);
    tp_str_clear(&uri);
  }
}

// --------------------------------------------------------------------------- texts

static void edits_change_texts(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    tp_text_position from, to;
    const char *fresh, *wanted;
    int moved[5];  // where lines 0 .. 4 are then; -1: not asked
  } rows[] = {
      {"a\nb\nc\n", {1, 0}, {1, 0}, "x\n", "a\nx\nb\nc\n", {0, 2, 3, 4, -1}},
      {"a\nb\nc\n", {0, 1}, {0, 1}, "\nx", "a\nx\nb\nc\n", {0, 2, 3, 4, -1}},
      {"a\nb\nc\n", {0, 0}, {0, 0}, "x\ny\n", "x\ny\na\nb\nc\n", {2, 3, 4, 5, -1}},
      {"a\nb\nc\n", {0, 0}, {1, 0}, "", "b\nc\n", {0, 0, 1, 2, -1}},
      {"a\nb\nc\nd", {1, 0}, {3, 0}, "x\n", "a\nx\nd", {0, 1, 1, 2, -1}},
      {"a\nb\nc\n", {1, 0}, {1, 1}, "x", "a\nx\nc\n", {0, 1, 2, 3, -1}},
      {"a\nb\nc\n", {0, 1}, {1, 0}, "", "ab\nc\n", {0, 0, 1, 2, -1}},
      {"a\nb\nc\n", {9, 0}, {9, 9}, "x", "a\nb\nc\nx", {0, 1, 2, 3, -1}},
      {"a\nb\nc\n", {0, 99}, {1, 99}, "", "a\nc\n", {0, 0, 1, 2, -1}},
      {"", {0, 0}, {0, 0}, "x\n", "x\n", {-1, -1, -1, -1, -1}},
      {"a\r\nb\r\nc", {1, 0}, {1, 1}, "x", "a\r\nx\r\nc", {0, 1, 2, -1, -1}},
      {"a\r\nb", {0, 1}, {0, 9}, "x", "ax\r\nb", {0, 1, -1, -1, -1}},
      {"a\rb", {1, 0}, {1, 0}, "x", "a\rxb", {0, 1, -1, -1, -1}},
      {"\xf0\x9f\x98\x80y\nb", {0, 2}, {0, 3}, "z", "\xf0\x9f\x98\x80z\nb", {0, 1, -1, -1, -1}},
      {"\xf0\x9f\x98\x80y", {0, 1}, {0, 2}, "z", "z\xf0\x9f\x98\x80y", {0, -1, -1, -1, -1}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_text_document d = {0};
    tp_text_set(&d, rows[i].text, strlen(rows[i].text));
    if (i != sizeof rows / sizeof *rows - 1) {
      assert_true(tp_text_replace(&d, rows[i].from, rows[i].to, TP_POSITIONS_UTF16, rows[i].fresh,
                                  strlen(rows[i].fresh)));
      assert_string_equal(d.text.text, rows[i].wanted);
    }
    for (int k = 0; k < 5; k++)
      if (rows[i].moved[k] >= 0)
        assert_int_equal(tp_text_moved_line(&d, 0, (uint32_t)k), rows[i].moved[k]);
    tp_text_clear(&d);
  }
  tp_text_document d = {0};
  tp_text_set(&d, "abc", 3);
  assert_false(tp_text_replace(&d, (tp_text_position){0, 2}, (tp_text_position){0, 1},
                               TP_POSITIONS_UTF16, "", 0));
  assert_string_equal(d.text.text, "abc");
  tp_text_clear(&d);
}

static void whole_texts_are_compared(void **unused) {
  (void)unused;
  static const struct {
    const char *old, *fresh;
    int moved[6];
  } rows[] = {
      {"one\ntwo\nthree\n", "one\ntwo\nthree\n", {0, 1, 2, 3, -1, -1}},
      {"one\ntwo\nthree\n", "zero\none\ntwo\nthree\n", {1, 2, 3, 4, -1, -1}},
      {"one\ntwo\nthree\nfour\n", "one\nthree\nfour\n", {0, 1, 1, 2, 3, -1}},
      {"one\ntwo\nthree\nfour\n", "zero\none\n2\nthree\nmore\nfour\n", {1, 2, 3, 5, 6, -1}},
      {"one\n}\n\ntwo\n}\n",
       "one\nnew\n}\n\nother\n}\n\ntwo\n}\n",
       {0, 5, 6, 7, 8, -1}},  // what follows decides
      {"one\ntwo\n", "", {0, 0, 0, -1, -1, -1}},
      {"", "one\ntwo\n", {2, -1, -1, -1, -1, -1}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_text_document d = {0};
    tp_text_set(&d, rows[i].old, strlen(rows[i].old));
    tp_text_replace_all(&d, rows[i].fresh, strlen(rows[i].fresh));
    assert_string_equal(tp_str_text(&d.text), rows[i].fresh);
    for (int k = 0; k < 6; k++)
      if (rows[i].moved[k] >= 0)
        assert_int_equal(tp_text_moved_line(&d, 0, (uint32_t)k), rows[i].moved[k]);
    tp_text_clear(&d);
  }
}

/* Random edits by ranges and as whole texts come to the same text; lines that no edit touched are
 * found by their content. */
static void random_edits_agree(void **unused) {
  (void)unused;
  tp_rng rng;
  tp_rng_init(&rng, 7);
  for (int round = 0; round < 300; round++) {
    tp_text_document d = {0};
    tp_str text = {0};
    const uint32_t n = 1 + (uint32_t)tp_rng_below(&rng, 12);
    for (uint32_t i = 0; i < n; i++) tp_str_printf(&text, "line %u\n", i);
    tp_text_set(&d, text.text, text.n);
    for (int k = 0; k < 4; k++) {
      const uint32_t from = (uint32_t)tp_rng_below(&rng, d.lines.n),
                     to = from + (uint32_t)tp_rng_below(&rng, 2);
      const char *fresh = tp_rng_below(&rng, 2) ? "new\nnew too\n" : "";
      assert_true(tp_text_replace(&d, (tp_text_position){from, 0}, (tp_text_position){to, 0},
                                  TP_POSITIONS_UTF8, fresh, strlen(fresh)));
    }
    for (uint32_t i = 0; i < n; i++) {
      char name[24];
      snprintf(name, sizeof name, "line %u", i);
      bool is_there = false;
      for (uint32_t k = 0; k < d.lines.n; k++) {
        size_t length;
        const char *line = tp_text_line(&d, k, &length);
        is_there |= length == strlen(name) && strncmp(line, name, length) == 0;
      }
      size_t length = 0;
      const char *line = tp_text_line(&d, tp_text_moved_line(&d, 0, i), &length);
      if (is_there) assert_true(length == strlen(name) && strncmp(line, name, length) == 0);
    }
    tp_text_document whole = {0};
    tp_text_set(&whole, text.text, text.n);
    tp_text_replace_all(&whole, tp_str_text(&d.text), d.text.n);
    assert_string_equal(tp_str_text(&whole.text), tp_str_text(&d.text));
    tp_text_clear(&whole);
    tp_text_clear(&d);
    tp_str_clear(&text);
  }
}

static void positions_have_units(void **unused) {
  (void)unused;
  static const char line[] = "a\xc3\xbc\xf0\x9f\x98\x80z\xff!";
  static const struct {
    size_t bytes;
    uint32_t units[3];  // UTF-8, UTF-16, UTF-32
  } rows[] = {{0, {0, 0, 0}}, {1, {1, 1, 1}}, {3, {3, 2, 2}},  {7, {7, 4, 3}},
              {8, {8, 5, 4}}, {9, {9, 6, 5}}, {10, {10, 7, 6}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int unit = 0; unit < 3; unit++) {
      const size_t n = sizeof line - 1;
      assert_int_equal(tp_text_units(line, n, rows[i].bytes, (tp_position_unit)unit),
                       rows[i].units[unit]);
      assert_int_equal(tp_text_bytes(line, n, rows[i].units[unit], (tp_position_unit)unit),
                       rows[i].bytes);
    }
  assert_int_equal(tp_text_bytes(line, sizeof line - 1, 3, TP_POSITIONS_UTF16), 3);  // in a pair
  assert_int_equal(tp_text_bytes(line, sizeof line - 1, 99, TP_POSITIONS_UTF16), 10);
}

// ------------------------------------------------------------------------ messages

static void messages_are_taken_apart(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    tp_rpc_kind kind;
    bool has_id;
  } rows[] = {
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}", TP_RPC_REQUEST, true},
      {"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"m\",\"params\":[]}", TP_RPC_REQUEST, true},
      {"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":null}", TP_RPC_NOTIFICATION, false},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}", TP_RPC_RESPONSE, true},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}", TP_RPC_RESPONSE, true},
      {"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}", TP_RPC_RESPONSE, false},
      {"{\"jsonrpc\":\"2.0\",\"id\":1}", TP_RPC_INVALID, true},
      {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"}", TP_RPC_INVALID, false},
      {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}", TP_RPC_INVALID, false},
      {"{\"jsonrpc\":\"2.0\",\"method\":7}", TP_RPC_INVALID, false},
      {"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":\"p\"}", TP_RPC_INVALID, false},
      {"{\"jsonrpc\":2,\"id\":1,\"method\":\"m\"}", TP_RPC_INVALID, true},
      {"{\"id\":1,\"method\":\"m\"}", TP_RPC_INVALID, true},
      {"[]", TP_RPC_INVALID, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    json_t *o = json_loads(rows[i].text, 0, NULL);
    assert_non_null(o);
    const tp_rpc_message m = tp_rpc_take_apart(o);
    assert_int_equal(m.kind, rows[i].kind);
    assert_int_equal(m.id != NULL, rows[i].has_id);
    json_decref(o);
  }
}

// ------------------------------------------------------------------------- answers

static void add_place(tp_lsp_places *list, const char *path, uint32_t line, uint32_t column) {
  tp_vec_push(list, ((tp_lsp_place){path, line, column}));
}

static void answers_move_with_their_program(void **unused) {
  (void)unused;
  tp_lsp_places from = {0}, to = {0};
  static const struct {
    uint32_t from[2], to[2];
  } rows[] = {{{2, 3}, {4, 3}}, {{5, 7}, {9, 9}}, {{5, 20}, {9, 22}}, {{8, 1}, {12, 1}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    add_place(&from, "/p/src/a.c", rows[i].from[0], rows[i].from[1]);
    add_place(&to, "/p/src/a.c", rows[i].to[0], rows[i].to[1]);
  }
  json_t
      *answer = json_loads(
          "[{\"place\":[\"/p/src/a.c\",5,20],\"message\":\"see src/a.c:5:7, /p/src/a.c:8 and "
          "other.c:5:7; src/a.c:1:1\",\"notes\":[{\"place\":[\"/p/src/a.c\",6,2],\"text\":\"x\"},"
          "{\"place\":[\"/p/b.c\",5,7],\"text\":\"a\"}],\"evidence\":{\"run.sh\":\"src/a.c:5:7\"},"
          "\"list\":[\"src/a.c:2:3\"]}]",
          0, NULL),
      *wanted = json_loads(
          "[{\"place\":[\"/p/src/a.c\",9,22],\"message\":\"see src/a.c:9:9, /p/src/a.c:12 and "
          "other.c:5:7; src/a.c:1:1\",\"notes\":[{\"place\":[\"/p/src/a.c\",10,2],\"text\":"
          "\"x\"},{\"place\":[\"/p/b.c\",5,7],\"text\":\"a\"}],\"evidence\":{\"run.sh\":"
          "\"src/a.c:5:7\"},\"list\":[\"src/a.c:4:3\"]}]",
          0, NULL);
  assert_non_null(answer);
  assert_non_null(wanted);
  tp_lsp_answer_move(answer, &from, &to, "/p");
  char *text = json_dumps(answer, JSON_SORT_KEYS), *goal = json_dumps(wanted, JSON_SORT_KEYS);
  assert_string_equal(text, goal);
  free(text);
  free(goal);
  json_decref(answer);
  json_decref(wanted);
  tp_vec_clear(&from);
  tp_vec_clear(&to);
}

static void damaged_answers_are_none(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    size_t n_findings;  // 0: no answer
  } rows[] = {
      {"", 0},
      {"RESULT: true\n", 0},
      {"{\"verdict\": \"true\"", 0},
      {"[]", 0},
      {"{\"verdict\": \"true\", \"property\": \"no-overflow\"}\n", 1},
      {"{\"verdict\": \"true\"}\n{\"verdict\": \"unknown\"}\n", 2},
      {"{\"verdict\": \"true\"}\n{\"verdict\": ", 1},
      {"{\"verdict\": 7, \"position\": [], \"remarks\": {}, \"inputs\": 0}\n", 1},
      {"{\"verdict\": \"false\", \"position\": {\"file\": \"a.c\"}}", 1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    json_t *answer = tp_lsp_answer_read(rows[i].text, strlen(rows[i].text), "/nowhere", "/p");
    assert_int_equal(json_array_size(answer), rows[i].n_findings);
    json_decref(answer);
  }
}

/* The folder of a check is gone when people read of it. */
static void texts_do_not_name_the_folder(void **unused) {
  (void)unused;
  static const char text[] =
      "{\"verdict\": \"unknown\", \"why\": \"at /o/1/entry.c:3:4, not /p/entry.c\", "
      "\"assumptions\": [\"/o/1/entry.c:5\"]}";
  json_t *answer = tp_lsp_answer_read(text, sizeof text - 1, "/o/1", "/p");
  const json_t *finding = json_array_get(answer, 0);
  assert_string_equal(tp_rpc_text(finding, "why"), "at entry.c:3:4, not /p/entry.c");
  assert_string_equal(json_string_value(json_array_get(json_object_get(finding, "assumptions"), 0)),
                      "entry.c:5");
  assert_string_equal(tp_rpc_text(finding, "folder"), "/o/1");
  json_decref(answer);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(frames_come_in_pieces),
                                     cmocka_unit_test(long_messages_are_skipped),
                                     cmocka_unit_test(uris_name_files),
                                     cmocka_unit_test(edits_change_texts),
                                     cmocka_unit_test(whole_texts_are_compared),
                                     cmocka_unit_test(random_edits_agree),
                                     cmocka_unit_test(positions_have_units),
                                     cmocka_unit_test(messages_are_taken_apart),
                                     cmocka_unit_test(answers_move_with_their_program),
                                     cmocka_unit_test(damaged_answers_are_none),
                                     cmocka_unit_test(texts_do_not_name_the_folder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
