-- Different addresses of an upload. Hexadecimal ones may be spelt in any case.
SELECT uniqExact(network, if(startsWith(address, '0x'), lower(address), address)) AS distinct
FROM screen_rows
WHERE upload = {upload:String} AND problem = ''
