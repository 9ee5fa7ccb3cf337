/** How long before now the demonstration's chain begins, in days. */
export const HISTORY_DAYS = 400
