-- A rebuild may take everything from the bus, beside scorers at work.

ALTER TABLE rebuilds ${on_cluster} COMMENT COLUMN what 'What it makes again: aggregates, base (some blocks and the aggregates) or bus (everything)';

ALTER TABLE rebuilds ${on_cluster} COMMENT COLUMN state 'filling (new tables are filled from the bus, scorers go on), building (new tables are filled, scorers wait), paused (interrupted, scorers go on), exchanging (new tables take the place of the old) or done';
