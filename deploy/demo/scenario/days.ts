/** Age of block 0 of the demonstration's chain, in days. */
export const HISTORY_DAYS = 400
