# Growth as SVG: for each family graphs and CPU seconds over the size, which is linear, in powers of ten. Input: scaling.tsv. Each structure has a colour, a
# shape of its points.
function log10(x) { return log(x < 1e-5 ? 1e-5 : x) / log(10) }
function low(x) { return x == int(x) ? x : x < 0 ? int(x) - 1 : int(x) }
function high(x) { return -low(-x) }
function text(x, y, anchor, what) { printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, what }
function power(k) { return k >= 0 && k <= 3 ? 10 ^ k : "10<tspan dy=\"-4\" font-size=\"8\">" k "</tspan>" }
function mark(kind, x, y, c) {
  if (kind == 1) printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x, y, c
  else if (kind == 2) printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"6\" height=\"6\" fill=\"%s\"/>\n", x - 3, y - 3, c
  else printf "<path d=\"M%.1f %.1fl4 7h-8z\" fill=\"%s\"/>\n", x, y - 4.5, c
}

# One plot with its origin at (left, top). column 1: graphs, 2: seconds.
function plot(family, column, left, top,   i, e, x, y, y0, y1, x0, x1, k, points) {
  x0 = 99; x1 = 0; y0 = 99; y1 = -99
  for (i = 1; i <= n; i++) if (fam[i] == family) {
    if (size[i] < x0) x0 = size[i]
    if (size[i] > x1) x1 = size[i]
    if (low(log10(value[i, column])) < y0) y0 = low(log10(value[i, column]))
    if (high(log10(value[i, column])) > y1) y1 = high(log10(value[i, column]))
  }
  printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n", left, top, W, H
  for (k = x0; k <= x1; k++) text(left + 15 + (W - 30) * (k - x0) / (x1 - x0), top + H + 14, "middle", k)
  for (k = y0; k <= y1; k++) {
    y = top + H - H * (k - y0) / (y1 - y0)
    if (k > y0 && k < y1) printf "<path d=\"M%d %.1fh%d\" stroke=\"#eee\"/>\n", left, y, W
    text(left - 5, y + 4, "end", power(k))
  }
  text(left + W / 2, top - 8, "middle", (column == 1 ? "graphs" : "CPU seconds") " over " title[family])
  for (e = 1; e <= n_names; e++) {
    points = ""
    for (i = 1; i <= n; i++) if (fam[i] == family && who[i] == names[e]) {
      x = left + 15 + (W - 30) * (size[i] - x0) / (x1 - x0)
      y = top + H - H * (log10(value[i, column]) - y0) / (y1 - y0)
      points = points sprintf("%s%.1f %.1f", points == "" ? "M" : "L", x, y)
      mark(e, x, y, colour[e])
    }
    if (points == "") continue
    printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", points, colour[e]
  }
}

BEGIN {
  FS = "\t"; W = 300; H = 190
  split("#c2185b #1565c0 #2e7d32 #ef6c00", colour, " ")
  title["pointers"] = "pointers that walk along a list"
  title["data"] = "facts about data, 3 pointers"
}
/^#/ { next }
{
  n++; fam[n] = $1; size[n] = $2; who[n] = $3; value[n, 1] = $5; value[n, 2] = $8
  if (!($1 in row)) { row[$1] = n_rows++; order[n_rows] = $1 }
  if (!($3 in known)) { known[$3] = 1; names[++n_names] = $3 }
}
END {
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n", 2 * W + 160, n_rows * (H + 60) + 40
  print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
  for (e = 1; e <= n_names; e++) {
    mark(e, 65 + 70 * (e - 1), 18, colour[e])
    text(75 + 70 * (e - 1), 22, "start", names[e])
  }
  for (r = 1; r <= n_rows; r++) { plot(order[r], 1, 60, 60 + (r - 1) * (H + 60)); plot(order[r], 2, W + 130, 60 + (r - 1) * (H + 60)) }
  print "</svg>"
}
