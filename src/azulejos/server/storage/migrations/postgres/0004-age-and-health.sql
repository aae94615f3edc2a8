-- When a visitor's name was given last; names that are old are deleted.
ALTER TABLE visitors ADD COLUMN at double precision NOT NULL DEFAULT extract(epoch FROM now());

-- One row, written to see whether writing works.
CREATE TABLE health (
    id integer PRIMARY KEY,
    at double precision NOT NULL
);
