DELETE FROM audit_log WHERE chain = {chain:String} AND seq <= {last:UInt64}
