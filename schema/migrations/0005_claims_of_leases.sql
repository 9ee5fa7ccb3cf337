-- Of several claims that follow the same one only the first counts.

ALTER TABLE monitor_leases ${on_cluster} MODIFY SETTING ${deduplication_window:1000};
