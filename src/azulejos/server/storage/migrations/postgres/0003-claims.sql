-- Which of several processes lets a computer player think at a table, and until when nobody else does.
CREATE UNLOGGED TABLE claims (
    table_id text PRIMARY KEY,
    process text NOT NULL,
    until timestamptz NOT NULL
);
