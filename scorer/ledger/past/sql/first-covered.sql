-- First covered block of a network.
SELECT min(b.block_number) AS first FROM first_blocks AS b WHERE network = {network:String} GROUP BY network
