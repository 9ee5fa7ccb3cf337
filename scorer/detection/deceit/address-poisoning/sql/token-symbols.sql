-- Names and symbols of tokens.
SELECT token AS contract, argMin(symbol, position) AS symbol, argMin(name, position) AS name
FROM {tokens_table:Identifier}
WHERE network = {network:String} AND token IN {tokens:Array(String)} AND standard = 'erc20'
GROUP BY token
