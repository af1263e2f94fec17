#include <assert.h>

#define ROWS 250
#define COLS 400

static int grid[ROWS][COLS];

int main(void)
{
    int i, j;
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < ROWS; j++)
            grid[i][j] = i + j;

    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLS; j++)
            assert(grid[i][j] == i + j);
    return 0;
}
