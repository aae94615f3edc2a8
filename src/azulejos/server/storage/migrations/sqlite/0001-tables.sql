-- A table is its events; the rest is there to be looked up.
CREATE TABLE events (
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    at REAL NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    phase TEXT NOT NULL,
    public INTEGER NOT NULL,
    changed REAL NOT NULL,
    summary TEXT NOT NULL
) STRICT;
CREATE INDEX tables_by_phase ON tables (phase, public, changed);

CREATE TABLE seats (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    visitor TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_by_visitor ON seats (visitor);

CREATE TABLE visitors (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

CREATE TABLE records (
    id TEXT PRIMARY KEY,
    at REAL NOT NULL,
    text TEXT NOT NULL
) STRICT;
