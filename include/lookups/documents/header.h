/* This header replaces another one. */
#define NOTHING 0
