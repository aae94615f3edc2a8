-- A row is changed in place, and no index with it, if no index has a column that a move changes.
DROP INDEX tables_by_phase;
DROP INDEX tables_thinking;
CREATE INDEX tables_by_phase ON tables (phase, public);
ALTER TABLE tables SET (fillfactor = 70);
