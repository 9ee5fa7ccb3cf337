-- What states of payments and ids of pools there are by now: comments alone.

ALTER TABLE payments ${on_cluster} COMMENT COLUMN state 'reserved, settling, pending, released, unknown, settled, confirmed, answered, completed, disputed or refunded; docs/payments.md has their moves';

ALTER TABLE pools ${on_cluster} COMMENT COLUMN pool 'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2';

ALTER TABLE pools_all ${on_cluster} COMMENT COLUMN pool 'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2';

ALTER TABLE pools_hot ${on_cluster} COMMENT COLUMN pool 'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2';

ALTER TABLE pools_past ${on_cluster} COMMENT COLUMN pool 'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2';

ALTER TABLE pools_whole ${on_cluster} COMMENT COLUMN pool 'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2';
