SELECT
    table,
    max(parts_of_partition) AS parts,
    sum(rows_of_partition) AS rows,
    sum(bytes_of_partition) AS bytes
FROM
(
    SELECT
        table,
        partition,
        count() AS parts_of_partition,
        sum(rows) AS rows_of_partition,
        sum(bytes_on_disk) AS bytes_of_partition
    FROM system.parts
    WHERE active AND database = currentDatabase()
    GROUP BY table, partition
)
GROUP BY table
