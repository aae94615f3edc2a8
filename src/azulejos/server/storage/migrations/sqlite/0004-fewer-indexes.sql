-- Nobody looks for turns of computer players any more: they think where somebody is.
DROP INDEX tables_thinking;
