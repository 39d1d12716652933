-- This query replaces another one.
SELECT 1 FROM DUAL
