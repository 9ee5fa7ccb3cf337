-- Newest record of every wallet.
SELECT network, address, toString(version) AS version, body FROM wallet_records FINAL
