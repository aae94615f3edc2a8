-- When a visitor's name was given last; names that are old are deleted.
ALTER TABLE visitors ADD COLUMN at REAL NOT NULL DEFAULT 0;
UPDATE visitors SET at = unixepoch();

-- One row, written to see whether writing works.
CREATE TABLE health (
    id INTEGER PRIMARY KEY,
    at REAL NOT NULL
) STRICT;
