-- A table as it was after some event, so that a long one is read quickly. Can be thrown away at any time.
CREATE TABLE snapshots (
    table_id TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Is it a computer player's turn?
ALTER TABLE tables ADD COLUMN computer INTEGER NOT NULL DEFAULT 0;
UPDATE tables SET computer = 1
WHERE phase = 'playing' AND json_extract(summary, '$.players[' || json_extract(summary, '$.turn') || ']') <> '';
CREATE INDEX tables_thinking ON tables (changed) WHERE computer;
