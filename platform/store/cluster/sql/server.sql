SELECT toString(serverUUID()) AS server
