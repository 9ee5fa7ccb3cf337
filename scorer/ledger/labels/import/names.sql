-- Named addresses, written before their labels. Verdicts look only at named addresses, so a failure in between must not leave a label
-- without a name. Rows may repeat.
INSERT INTO labelled_addresses (network, address, listed)
SELECT network, address, 0 FROM label_imports WHERE import = {import:String}
