DELETE FROM watchers WHERE account = {account:String} AND watched = 1
SETTINGS lightweight_deletes_sync = 0
