-- Number of tokens by a deployer on one network.
SELECT toUInt32(uniqExact(token)) AS tokens
FROM tokens_all
WHERE network = {network:String} AND token IN (
  SELECT contract FROM deployer_contracts_all WHERE network = {network:String} AND root_creator = {creator:String}
)
