/* A yardstick: random two-player Azul on the coloured wall as a bit-packed loop in C, all legal actions listed each
   move. Nothing here is used by the project; bench/ceiling.py runs it beside the compiled rules. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define EACH 0x1041041u /* one in each of five six-bit fields */
typedef struct {
    uint32_t source[6], bag, lid, open[2], wall[2], floor[2];
    int32_t score[2];
    uint8_t line_colour[2][5], line_count[2][5], floor_count[2];
    uint8_t seat, start, marker, left, over;
} State;

static const int PENALTY[8] = {0, 1, 2, 4, 6, 8, 11, 14};
static uint64_t key;
static int16_t line_list[64][8];
static int line_list_length[64], run_length[32][5];

static inline uint32_t below(uint32_t n) {
    uint64_t z = (key += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return (uint32_t)(((z >> 32) * n) >> 32);
}

static void deal(State *s) {
    s->left = 0;
    s->marker = 1;
    s->seat = s->start;
    for (int k = 0; k < 20; k++) {
        if (!s->bag) s->bag = s->lid, s->lid = 0;
        if (!s->bag) break;
        uint32_t total = 0, c = 0;
        for (int i = 0; i < 5; i++) total += s->bag >> 6 * i & 63;
        uint32_t r = below(total);
        while (r >= (s->bag >> 6 * c & 63)) r -= s->bag >> 6 * c++ & 63;
        s->bag -= 1u << 6 * c;
        s->source[1 + k / 4] += 1u << 6 * c;
        s->left++;
    }
    if (!s->left) s->over = 1;
}

static void begin(State *s) {
    *s = (State){.bag = 20 * EACH, .open = {63 * EACH, 63 * EACH}, .start = below(2)};
    deal(s);
}

static int list(const State *s, int16_t *out) {
    int n = 0;
    uint32_t open = s->open[s->seat];
    for (int source = 0; source < 6; source++) {
        uint32_t tiles = s->source[source];
        if (tiles)
            for (int c = 0; c < 5; c++)
                if (tiles >> 6 * c & 63) {
                    int lines = open >> 6 * c & 63;
                    for (int k = 0; k < 8; k++) out[n + k] = (source * 5 + c) * 6 + line_list[lines][k];
                    n += line_list_length[lines];
                }
    }
    return n;
}

static void tile(State *s) {
    int ended = 0;
    for (int p = 0; p < 2; p++) {
        for (int r = 0; r < 5; r++)
            if (s->line_count[p][r] == r + 1) {
                int c = s->line_colour[p][r], column = (r + c) % 5, down = 0;
                s->wall[p] |= 1u << (5 * r + column);
                int across = s->wall[p] >> 5 * r & 31;
                for (int q = 0; q < 5; q++) down |= (s->wall[p] >> (5 * q + column) & 1) << q;
                int h = run_length[across][column], v = run_length[down][r];
                s->score[p] += h > 1 && v > 1 ? h + v : h > v ? h : v;
                ended |= across == 31;
                s->lid += (uint32_t)r << 6 * c;
                s->line_count[p][r] = 0;
                for (int k = 0; k < 5; k++)
                    if (!(s->wall[p] >> (5 * r + (r + k) % 5) & 1)) s->open[p] |= 2u << (6 * k + r);
            }
        s->score[p] -= PENALTY[s->floor_count[p]];
        if (s->score[p] < 0) s->score[p] = 0;
        for (uint32_t f = s->floor[p]; f; f >>= 3)
            if ((f & 7) != 6) s->lid += 1u << 6 * ((f & 7) - 1);
        s->floor[p] = s->floor_count[p] = 0;
    }
    if (ended)
        s->over = 1;
    else
        deal(s);
}

static void play(State *s, int action) {
    int line = action % 6, c = action / 6 % 5, source = action / 30, p = s->seat;
    int count = s->source[source] >> 6 * c & 63;
    uint32_t rest = s->source[source] - ((uint32_t)count << 6 * c);
    s->source[source] = 0;
    if (source == 0) {
        s->source[0] = rest;
        if (s->marker) {
            s->marker = 0;
            s->start = p;
            if (s->floor_count[p] < 7) s->floor[p] |= 6u << 3 * s->floor_count[p]++;
        }
    } else
        s->source[0] += rest;
    int spilled = count;
    if (line) {
        int have = s->line_count[p][line - 1], fits = line - have < count ? line - have : count;
        spilled -= fits;
        s->line_count[p][line - 1] = have + fits;
        s->line_colour[p][line - 1] = c;
        s->open[p] &= ~(EACH << line);
        if (have + fits < line) s->open[p] |= 1u << (6 * c + line);
    }
    for (; spilled; spilled--)
        if (s->floor_count[p] < 7)
            s->floor[p] |= (uint32_t)(c + 1) << 3 * s->floor_count[p]++;
        else
            s->lid += 1u << 6 * c;
    s->left -= count;
    if (s->left)
        s->seat ^= 1;
    else
        tile(s);
}

int main(int argc, char **argv) {
    long moves = argc > 1 ? atol(argv[1]) : 1000000, games = 0;
    key = argc > 2 ? strtoull(argv[2], 0, 10) : 1;
    for (int m = 0; m < 64; m++)
        for (int k = 0; k < 6; k++)
            if (m >> k & 1) line_list[m][line_list_length[m]++] = k;
    for (int m = 0; m < 32; m++)
        for (int p = 0; p < 5; p++)
            if (m >> p & 1) {
                int a = p, b = p;
                while (a > 0 && m >> (a - 1) & 1) a--;
                while (b < 4 && m >> (b + 1) & 1) b++;
                run_length[m][p] = b - a + 1;
            }
    int16_t out[256];
    State s;
    begin(&s);
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    for (long k = 0; k < moves; k++) {
        if (s.over) games++, begin(&s);
        int n = list(&s, out);
        play(&s, out[below(n)]);
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double seconds = (t1.tv_sec - t0.tv_sec) + 1e-9 * (t1.tv_nsec - t0.tv_nsec);
    printf("%.0f %.2f\n", moves / seconds, (double)moves / (games ? games : 1));
    return 0;
}
