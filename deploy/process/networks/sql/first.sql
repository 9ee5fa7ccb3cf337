-- First covered block of each network.
SELECT network, block_number FROM first_covered_blocks
