#include <assert.h>
#define N 100000

struct point {
    int x;
    int y;
};

static struct point pts[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        pts[i].x = i;
        pts[i].y = -i;
    }
    for (int i = 0; i < N; i++)
        assert(pts[i].x + pts[i].y == 0);
    return 0;
}
