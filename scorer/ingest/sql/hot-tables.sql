-- Hot tables that hold rows of blocks first..last. The pattern finds views too, which are named after what feeds them.
SELECT DISTINCT _table AS name
FROM merge(currentDatabase(), '_hot$')
WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32} AND position(_table, '_from_') = 0
ORDER BY name
