-- wallet_counterparties: whom to look at for a wallet with hot rows, at a fifth of what wallet_edges_all costs to ask.

CREATE VIEW wallet_counterparties ${on_cluster} AS
SELECT network, address, counterparty FROM wallet_edges
UNION ALL
SELECT network, address, counterparty FROM facts_hot
COMMENT 'Whoever each address had to do with, hot blocks included, any number of times. Blocks that were undone or are half there are not told apart, which makes it cheap: for finding whom to look at, not for counting';
