// Arrays of several dimensions lie row by row; missing initialisers are zero.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int grid[3][4] = {{1, 2}, {3}, {4, 5, 6, 7}};
static int sum(int m[][4], int rows) {
  int s = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 4; j++) s += m[i][j];
  return s;
}
int main(void) {
  int local[2][3][2] = {{{1, 2}, {3, 4}, {5, 6}}, {{7}}};
  CHECK(sum(grid, 3) == 28 && grid[0][2] == 0);
  CHECK(*(*(grid + 2) + 1) == 5 && sizeof grid[0] == 16);
  CHECK(((int *)local)[6] == 7 && local[1][0][1] == 0 && local[0][2][1] == 6);
  int (*row)[4] = grid;
  row++;
  CHECK((*row)[0] == 3 && (*row)[-1] == 0 && row[1][3] == 7);
  return 0;
}
