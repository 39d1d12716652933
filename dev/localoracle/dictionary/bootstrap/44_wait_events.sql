-- Wait events that are known here (Database Reference, "Oracle Wait Events"), and which waits inside PostgreSQL they stand for.
CREATE TABLE localoracle.wait_classes (name text PRIMARY KEY, number integer NOT NULL, id bigint NOT NULL);
INSERT INTO localoracle.wait_classes VALUES
  ('Application', 1, 4217450380), ('Configuration', 2, 3290255840), ('Concurrency', 4, 3875070507), ('Commit', 5, 3386400367), ('Idle', 6, 2723168908),
  ('Network', 7, 2000153315), ('User I/O', 8, 1740759767), ('System I/O', 9, 4108307767);

CREATE TABLE localoracle.wait_events (name text PRIMARY KEY, class text NOT NULL REFERENCES localoracle.wait_classes, number integer GENERATED ALWAYS AS IDENTITY);
INSERT INTO localoracle.wait_events (name, class) VALUES
  ('buffer busy waits', 'Concurrency'), ('db file parallel write', 'System I/O'), ('db file scattered read', 'User I/O'), ('db file sequential read', 'User I/O'),
  ('direct path read temp', 'User I/O'), ('direct path write temp', 'User I/O'), ('enq: HW - contention', 'Configuration'), ('enq: TM - contention', 'Application'),
  ('enq: TX - row lock contention', 'Application'), ('log buffer space', 'Configuration'), ('log file parallel write', 'System I/O'),
  ('log file switch (checkpoint incomplete)', 'Configuration'), ('log file sync', 'Commit'), ('PX Deq: Execute Reply', 'Idle'), ('read by other session', 'User I/O'),
  ('SQL*Net message from client', 'Idle'), ('SQL*Net more data to client', 'Network');

-- Waits inside PostgreSQL, sampled by the server.
CREATE TABLE localoracle.sampled_waits (wait_event_type text, wait_event text, event text NOT NULL REFERENCES localoracle.wait_events, PRIMARY KEY (wait_event_type, wait_event));
INSERT INTO localoracle.sampled_waits VALUES
  ('Lock', 'transactionid', 'enq: TX - row lock contention'), ('Lock', 'tuple', 'enq: TX - row lock contention'), ('Lock', 'relation', 'enq: TM - contention'),
  ('Lock', 'extend', 'enq: HW - contention'), ('IO', 'BufFileRead', 'direct path read temp'), ('IO', 'BufFileWrite', 'direct path write temp'),
  ('LWLock', 'BufferContent', 'buffer busy waits'), ('IPC', 'BufferIo', 'read by other session'), ('LWLock', 'WALBufMapping', 'log buffer space'),
  ('Client', 'ClientWrite', 'SQL*Net more data to client'), ('IPC', 'ExecuteGather', 'PX Deq: Execute Reply');
