-- Marks all addresses of an account as no longer watched.
INSERT INTO watch_list (account, network, address, watched)
SELECT account, network, address, 0
FROM watch_list FINAL
WHERE account = {account:String} AND watched = 1
