DELETE FROM alert_entries WHERE account = {account:String}
