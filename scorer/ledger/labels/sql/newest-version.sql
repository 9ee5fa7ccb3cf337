-- Time of the newest statement of a list or detector that is not revoked, ms since the epoch; 0 for none.
SELECT toString(max(version)) AS newest FROM address_labels WHERE detector = {detector:String} AND revoked = 0
