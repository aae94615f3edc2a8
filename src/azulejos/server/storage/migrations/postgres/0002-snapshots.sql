-- A table as it was after some event, so that a long one is read quickly. Can be thrown away at any time.
CREATE TABLE snapshots (
    table_id text PRIMARY KEY,
    number integer NOT NULL,
    data bytea NOT NULL
);
