INSERT INTO first_blocks
SELECT network, min(block_number) FROM {from:Identifier}.first_blocks WHERE network = {network:String} GROUP BY network
