DELETE FROM watch_list WHERE account = {account:String}
