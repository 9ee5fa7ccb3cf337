-- The last row of an upload that is done. Rows are answered in order, a whole insert at a time.
SELECT max(row) AS done FROM screen_results WHERE upload = {upload:String}
