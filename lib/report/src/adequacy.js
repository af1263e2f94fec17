// Are the tests enough: which abstract states each test was in, and which none was in.
export function adequacy() {
  return null;
}
