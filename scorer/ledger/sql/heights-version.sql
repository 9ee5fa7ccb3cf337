-- Whether the tiers of a network are still as `heights.sql` found them.
SELECT version, state FROM watermarks WHERE network = {network:String} ORDER BY version DESC LIMIT 1
