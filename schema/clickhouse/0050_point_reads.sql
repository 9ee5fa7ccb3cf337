-- Tables that are read a whole row at a time keep their parts in one file each (compact) up to this size: fifty columns of
-- one wallet are then one file to open instead of a hundred. A scan of one column reads more of it.

ALTER TABLE wallet_features ${on_cluster} MODIFY SETTING min_bytes_for_wide_part = 1073741824;
ALTER TABLE wallet_records ${on_cluster} MODIFY SETTING min_bytes_for_wide_part = 1073741824;
ALTER TABLE profile_records ${on_cluster} MODIFY SETTING min_bytes_for_wide_part = 1073741824;
