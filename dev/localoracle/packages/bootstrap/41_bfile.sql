-- BFILE: a file name in a directory object. The value carries what a read needs: directory, file and the path
-- behind them, or the ORA number of what is wrong with the directory, parted by unit separators. Oracle looks at neither
-- before the first read (DBMS_LOB chapter, "BFILENAME").
CREATE TYPE ora.bfile;
CREATE FUNCTION ora.bfile_in(cstring) RETURNS ora.bfile LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textin';
CREATE FUNCTION ora.bfile_out(ora.bfile) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textout';
CREATE FUNCTION ora.bfile_recv(internal) RETURNS ora.bfile LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textrecv';
CREATE FUNCTION ora.bfile_send(ora.bfile) RETURNS bytea LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textsend';
CREATE TYPE ora.bfile (INPUT = ora.bfile_in, OUTPUT = ora.bfile_out, RECEIVE = ora.bfile_recv, SEND = ora.bfile_send, LIKE = text);

CREATE FUNCTION ora.bfilename(directory text, file_name text) RETURNS ora.bfile LANGUAGE plpgsql STABLE AS $$
DECLARE
  path text := localoracle.directory_path(current_user::text, directory, 'READ');
BEGIN
  IF path IS NULL THEN
    path := CASE WHEN localoracle.directory_exists(directory) THEN '22286' ELSE '22285' END;
  END IF;
  RETURN ora.bfile_in(textout(concat_ws(chr(31), directory, file_name, path)));
END $$;

CREATE FUNCTION localoracle.directory_exists(directory text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT EXISTS (SELECT FROM localoracle.directories d WHERE d.name = $1)
$$;
