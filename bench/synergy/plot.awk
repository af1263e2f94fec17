# Curves over sizes as SVG, both axes logarithmic: a row of two plots (turns, CPU seconds) for each family.
# Input: lines "family size engine answer turns seconds", tab-separated, # in front of a comment. Only answers are drawn. -v counted="...": what stands in
# place of turns.
function log10(x) { return log(x < 0.01 ? 0.01 : x) / log(10) }
function low(x) { return x == int(x) ? x : x < 0 ? int(x) - 1 : int(x) }
function high(x) { return -low(-x) }
function text(x, y, anchor, what) { printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, what }
function power(k) { return k < 0 ? sprintf("%." (-k) "f", 10 ^ k) : k <= 3 ? 10 ^ k : "10<tspan dy=\"-4\" font-size=\"8\">" k "</tspan>" }

# One plot with its origin at (left, top).
function plot(family, column, left, top,   i, e, x, y, y0, y1, x1, k, points) {
  y0 = column == 1 ? 0 : -2; y1 = y0 + 1; x1 = 1
  for (i = 1; i <= n; i++) if (fam[i] == family) {
    if (high(log10(size[i])) > x1) x1 = high(log10(size[i]))
    if (high(log10(value[i, column])) > y1) y1 = high(log10(value[i, column]))
  }
  printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n", left, top, W, H
  for (k = 0; k <= x1; k++) {
    x = left + W * k / x1
    if (k && k < x1) printf "<path d=\"M%.1f %dv%d\" stroke=\"#eee\"/>\n", x, top, H
    text(x, top + H + 14, "middle", power(k))
  }
  for (k = y0; k <= y1; k++) {
    y = top + H - H * (k - y0) / (y1 - y0)
    if (k > y0 && k < y1) printf "<path d=\"M%d %.1fh%d\" stroke=\"#eee\"/>\n", left, y, W
    text(left - 5, y + 4, "end", power(k))
  }
  text(left + W / 2, top - 8, "middle", (column == 1 ? counted : "CPU seconds") " over " title[family])
  for (e = 1; e <= n_engines; e++) {
    points = ""
    for (i = 1; i <= n; i++) if (fam[i] == family && who[i] == names[e] && answered[i]) {
      x = left + W * log10(size[i]) / x1
      y = top + H - H * (log10(value[i, column]) - y0) / (y1 - y0)
      points = points sprintf("%s%.1f %.1f", points == "" ? "M" : "L", x, y)
      printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", x, y, colour[e]
    }
    if (points != "") printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", points, colour[e]
  }
}

BEGIN {
  FS = "\t"; W = 300; H = 170
  split("#c2185b #1565c0 #2e7d32 #ef6c00 #6a1b9a #455a64", colour, " ")
  if (counted == "") counted = "turns"
  title["ex3"] = "rounds of the server (ex3_n)"
  title["turns"] = "turns of a loop before the error (Figure 1)"
  title["flag"] = "turns of a loop that the flag outlives"
  title["diamonds"] = "diamonds (Figure 8)"
}
/^#/ { next }
{
  n++; fam[n] = $1; size[n] = $2; who[n] = $3; answered[n] = $4 == "true" || $4 == "false"
  value[n, 1] = answered[n] ? $5 : 0; value[n, 2] = answered[n] ? $6 : 0
  if (!($1 in row)) { row[$1] = n_rows++; order[n_rows] = $1 }
  if (!($3 in known)) { known[$3] = 1; names[++n_engines] = $3 }
}
END {
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n", 2 * W + 160, n_rows * (H + 70) + 40
  print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
  for (e = 1; e <= n_engines; e++) {
    printf "<rect x=\"%d\" y=\"10\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", 60 + 130 * (e - 1), colour[e]
    text(75 + 130 * (e - 1), 19, "start", names[e])
  }
  for (r = 1; r <= n_rows; r++) { plot(order[r], 1, 60, 60 + (r - 1) * (H + 70)); plot(order[r], 2, W + 130, 60 + (r - 1) * (H + 70)) }
  print "</svg>"
}
