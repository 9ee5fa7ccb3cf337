DELETE FROM webhook_deliveries WHERE endpoint = {endpoint:String}
