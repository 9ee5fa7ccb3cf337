-- First covered block of a network.
SELECT block_number AS first FROM first_covered_blocks WHERE network = {network:String}
