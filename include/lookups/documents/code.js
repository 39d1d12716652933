// This script replaces another one.
