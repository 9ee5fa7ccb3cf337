-- When a list or detector last stated anything, in ms since the epoch; 0 for never.
SELECT toString(max(version)) AS newest FROM address_labels WHERE detector = {detector:String}
