-- When a list or detector last stated anything, in ms since the epoch; 0 for never. What was taken back is no statement of it.
SELECT toString(max(version)) AS newest FROM address_labels WHERE detector = {detector:String} AND revoked = 0
