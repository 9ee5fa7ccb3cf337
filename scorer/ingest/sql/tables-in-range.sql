-- Which hot tables hold anything of blocks first..last, withdrawn rows included.
SELECT DISTINCT _table AS hot
FROM merge(currentDatabase(), {tables:String})
WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
