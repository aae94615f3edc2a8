-- A table is its events; the rest is there to be looked up.
CREATE TABLE events (
    table_id text NOT NULL,
    number integer NOT NULL,
    at double precision NOT NULL,
    data json NOT NULL,
    PRIMARY KEY (table_id, number)
);

CREATE TABLE tables (
    id text PRIMARY KEY,
    phase text NOT NULL,
    public boolean NOT NULL,
    changed double precision NOT NULL,
    owners text[] NOT NULL,
    computer boolean NOT NULL, -- is it a computer player's turn?
    summary json NOT NULL
);
CREATE INDEX tables_by_phase ON tables (phase, changed);
CREATE INDEX tables_thinking ON tables (changed) WHERE computer;
CREATE INDEX tables_by_owner ON tables USING gin (owners);

CREATE TABLE visitors (
    id text PRIMARY KEY,
    name text NOT NULL
);

CREATE TABLE records (
    id text PRIMARY KEY,
    at double precision NOT NULL,
    text text NOT NULL
);
