-- What an analysis knows of a token beside its verdict.

ALTER TABLE contract_records ${on_cluster}
  ADD COLUMN facts String COMMENT 'JSON of what is known of the token beside the verdict: holders, sales of holders, launchpad; empty in rows of earlier versions' CODEC(ZSTD(3)) AFTER unknowns;
