"""This script replaces another one."""

print("nothing to do")
