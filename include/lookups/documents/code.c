/* This file replaces another one. */
int main(void) { return 0; }
