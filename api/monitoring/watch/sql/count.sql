-- How many addresses an account watches.
SELECT count() AS addresses
FROM watch_list FINAL
WHERE account = {account:String} AND watched = 1
