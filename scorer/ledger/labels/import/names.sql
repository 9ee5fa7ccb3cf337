-- Who is named, before anything is said of them: a verdict looks only at addresses that are named, and a view that failed between
-- the two would leave a label nobody sees. Names may come again.
INSERT INTO labelled_addresses (network, address, listed)
SELECT network, address, 0 FROM label_imports WHERE import = {import:String}
