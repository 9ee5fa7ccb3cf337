-- Which of the addresses have a label or listing. Few have, and reading labels costs much more. Rows may repeat.
SELECT network, address, listed
FROM labelled_addresses
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
