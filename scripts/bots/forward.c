/* A bot in C without a library: it drives forward as far as its hand allows.
 *
 *     cc -O2 -o forward scripts/bots/forward.c
 *     roborally evaluate --agents exec:./forward greedy random
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGISTERS 5
#define SLOTS 64

static const char *at; /* what is still to be read of the line */

static void blanks(void) {
    while (*at == ' ' || *at == ',' || *at == ':') at++;
}

/* Read a text into `found`, cut to its size. */
static void text(char *found, size_t size) {
    size_t n = 0;
    for (at++; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1]) at++;
        if (n + 1 < size) found[n++] = *at;
    }
    found[n] = 0;
    if (*at) at++;
}

/* Skip one value of any kind. */
static void skip(void) {
    int depth = 0;
    char ignored[2];
    do {
        blanks();
        if (*at == '"') text(ignored, sizeof ignored);
        else if (*at == '{' || *at == '[') depth++, at++;
        else if (*at == '}' || *at == ']') depth--, at++;
        else while (*at && !strchr(",:]} ", *at)) at++;
    } while (depth > 0 && *at);
}

/* How much a card is wanted; in 2005 a name has a number after it, as move_1:490. */
static int worth(char *card) {
    card[strcspn(card, ":")] = 0;
    if (!strcmp(card, "move_3")) return 5;
    if (!strcmp(card, "move_2")) return 4;
    if (!strcmp(card, "move_1")) return 3;
    return strcmp(card, "turn_left") && strcmp(card, "turn_right") ? 1 : 2;
}

/* Read the names of the hand; returns nothing, as slots that are not legal are never looked at. */
static void read_hand(int hand[SLOTS]) {
    char card[32];
    int slot = 0;
    at++;
    for (blanks(); *at && *at != ']'; blanks()) {
        if (*at == '"') text(card, sizeof card);
        else card[0] = 0, skip();
        if (slot < SLOTS) hand[slot++] = worth(card);
    }
    if (*at) at++;
}

/* Read the legal slots of each register: bits. */
static void read_legal(unsigned long long legal[REGISTERS]) {
    at++;
    for (int k = 0; k < REGISTERS; k++) {
        blanks();
        legal[k] = 0;
        for (at++, blanks(); *at && *at != ']'; blanks()) {
            char *end;
            long slot = strtol(at, &end, 10);
            if (end == at) return;
            if (slot >= 0 && slot < SLOTS) legal[k] |= 1ULL << slot;
            at = end;
        }
        if (*at) at++;
    }
    blanks();
    if (*at) at++;
}

/* Read a row and print its answer. */
static void row(void) {
    char key[32], decision[32] = "";
    int hand[SLOTS] = {0}, fallback = 0;
    unsigned long long legal[REGISTERS] = {0}, used = 0;
    at++;
    for (blanks(); *at && *at != '}'; blanks()) {
        text(key, sizeof key);
        blanks();
        if (!strcmp(key, "decision")) text(decision, sizeof decision);
        else if (!strcmp(key, "hand")) read_hand(hand);
        else if (!strcmp(key, "legal")) read_legal(legal);
        else if (!strcmp(key, "default")) fallback = atoi(at), skip();
        else skip();
    }
    if (*at) at++;
    if (strcmp(decision, "program")) {
        printf("%d", fallback);
        return;
    }
    for (int k = 0; k < REGISTERS; k++) {
        int best = -1;
        for (int slot = 0; slot < SLOTS; slot++)
            if (legal[k] >> slot & 1 && !(used >> slot & 1) && (best < 0 || hand[slot] > hand[best])) best = slot;
        if (best >= 0) used |= 1ULL << best;
        printf("%s%d", k ? "," : "[", best < 0 ? 0 : best);
    }
    printf("]");
}

int main(void) {
    char *line = NULL, key[32];
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        const char *id = strstr(line, "\"id\":");
        printf("{\"id\":%ld,\"answers\":[", id ? atol(id + 5) : 0);
        at = line;
        for (at++, blanks(); *at && *at != '}' && *at != '\n'; blanks()) {
            text(key, sizeof key);
            blanks();
            if (strcmp(key, "rows")) {
                skip();
                continue;
            }
            at++;
            blanks();
            for (int first = 1; *at == '{'; blanks(), first = 0) {
                if (!first) printf(",");
                row();
            }
            if (*at) at++;
        }
        printf("]}\n");
        fflush(stdout);
    }
    free(line);
    return 0;
}
