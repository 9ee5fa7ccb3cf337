-- Owner of a fetch.
SELECT owner FROM label_updates
WHERE source = {source:String} AND generation = {generation:UInt64} AND outcome = 'running'
LIMIT 1
