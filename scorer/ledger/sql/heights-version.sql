-- Whether the tiers of a network are unchanged since `heights.sql`.
SELECT version, state FROM watermarks WHERE network = {network:String} ORDER BY version DESC LIMIT 1
