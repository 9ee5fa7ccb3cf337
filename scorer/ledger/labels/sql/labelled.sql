-- Which of the addresses have a label or are on a list: few have, and reading what it is costs much more. Rows may come twice.
SELECT network, address, listed
FROM labelled_addresses
WHERE network IN {networks:Array(String)} AND address IN {addresses:Array(String)}
