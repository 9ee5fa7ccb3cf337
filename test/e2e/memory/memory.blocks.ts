/** Recorded blocks the long history repeats: 7 to 95 transactions, about 220 rows on average. */
export const REPEATED: readonly number[] = [4_369_999, 4_404_763, 7_280_016, 13_998_626]
