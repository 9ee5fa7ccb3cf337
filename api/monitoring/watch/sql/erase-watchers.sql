DELETE FROM watchers WHERE account = {account:String}
