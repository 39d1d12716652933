-- Undo: what the server has seen of transactions and queries, in periods of ten minutes (instance/activity.py).

CREATE FUNCTION localoracle.undo_periods() RETURNS TABLE (begin_time timestamp, end_time timestamp, transactions numeric, longest_query numeric, most_transactions numeric, too_old numeric)
LANGUAGE sql STABLE AS $$
  SELECT to_timestamp((p ->> 0)::float8) AT TIME ZONE 'UTC', to_timestamp((p ->> 1)::float8) AT TIME ZONE 'UTC', (p ->> 2)::numeric, (p ->> 3)::numeric, (p ->> 4)::numeric, (p ->> 5)::numeric
  FROM jsonb_array_elements(localoracle.activity() -> 'undo') p
$$;

CREATE VIEW dictionary.v$undostat AS
SELECT p.begin_time, p.end_time, t.number AS undotsn, p.transactions AS txncount, p.longest_query AS maxquerylen, p.most_transactions AS maxconcurrency, p.too_old AS ssolderrcnt,
  localoracle.setting('undo_retention')::numeric AS tuned_undoretention, 0 AS con_id
FROM localoracle.undo_periods() p, localoracle.tablespaces t WHERE t.name = localoracle.setting('undo_tablespace');
