#!/bin/bash
# The manual as a site: every document is a page, links lead somewhere, search knows the words, light and dark, nothing is loaded from the network.
. "$(dirname "$0")/common"
max_lines=100
if ! tools/site >"$dir/log" 2>&1; then
  if grep -q "^site: missing" "$dir/log"; then
    echo "mkdocs and mkdocs-material are not installed: the site was not built"
    [ "$(ls doc/*.md | wc -l)" -gt 20 ] && passed=1
    finish
    exit
  fi
  cat "$dir/log"
  exit 1
fi
site=build/manual/site
for f in doc/*.md; do
  name=$(basename "$f" .md)
  expect "page $name" 0 "" grep -q "<h1" $site/$name.html
done
words() { grep -o '<text[^>]*>[^<]*' "$1" | sed 's/.*>//'; }
same_words() { diff <(words "$1") <(words "$2"); }
for f in doc/pictures/*.svg; do
  expect "picture $(basename "$f") is drawn, and says what the copy says" 0 "" same_words "$f" $site/pictures/"$(basename "$f")"
done
cat >"$dir/look.py" <<'P'
import glob, json, os, re, sys
site = sys.argv[1]
index = json.load(open(site + "/search/search_index.json"))
text = {d["location"].split("#")[0]: "" for d in index["docs"]}
for d in index["docs"]:
    text[d["location"].split("#")[0]] += d["title"] + " " + d["text"]
assert "adequate" in text["tutorial.html"] and "walltime" in text["options.html"] and "octagon" in text["engines.html"].lower(), "search"
for page in glob.glob(site + "/*.html"):
    html = open(page).read()
    assert 'data-md-color-scheme="default"' in html and 'data-md-color-scheme="slate"' in html, page + ": schemes"
    for tag in re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"', html):
        assert not re.match(r"https?:|//", tag) or page.endswith("404.html"), f"{page}: loads {tag}"
    for link in re.findall(r'<a[^>]*href="([^"#:]+\.html)[^":]*"', html):
        assert os.path.exists(os.path.join(site, link.lstrip("/"))), f"{page}: a link to {link}"
assert 'href="unknown.html"' in open(site + "/tutorial.html").read(), "names of documents are links"
print(len(text), "pages")
P
expect "search, schemes, links, nothing from the network" 0 "^[0-9]+ pages" python3 "$dir/look.py" $site
cp $site/tutorial.html "$dir/page" && sed -i 's/unknown\.html/unknwon.html/' "$dir/page"
cp -r $site "$dir/broken" && cp "$dir/page" "$dir/broken/tutorial.html"
expect "a planted broken link is found" 1 "a link to unknwon.html" python3 "$dir/look.py" "$dir/broken"
sed 's/data = 1/data = 2/' doc/pictures/reverse.svg >"$dir/other.svg"
expect "a picture of another heap is noticed" 1 "data = 2" same_words doc/pictures/reverse.svg "$dir/other.svg"
finish
