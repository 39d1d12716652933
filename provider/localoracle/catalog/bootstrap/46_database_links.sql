-- Database links, and statements that wait for space. `secret` is the sealed password of a link; only the server opens it.
CREATE TABLE localoracle.database_links (
  owner    text NOT NULL, -- PUBLIC for a public link
  name     text NOT NULL,
  username text NOT NULL,
  host     text NOT NULL,
  secret   bytea NOT NULL,
  created  timestamp(0) NOT NULL DEFAULT localoracle.now(),
  PRIMARY KEY (owner, name)
);

CREATE VIEW dictionary.db_links AS
SELECT l.owner, l.name AS db_link, l.username, l.host, l.created, 'NO' AS hidden, 'NO' AS shard_internal, 'YES' AS valid, 'NO' AS intra_cdb,
  l.owner IN (current_user, 'PUBLIC') AS visible
FROM localoracle.database_links l;
