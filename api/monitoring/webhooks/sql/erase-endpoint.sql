DELETE FROM webhook_endpoints WHERE id = {endpoint:String} AND state != 'deleted'
