DELETE FROM webhook_health WHERE endpoint = {endpoint:String}
