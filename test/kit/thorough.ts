/** Whether tests run that take too long for every change: `npm run test:nightly` sets ASSAY_TEST_THOROUGH=1. */
export const THOROUGH = process.env.ASSAY_TEST_THOROUGH === '1'

/** A size of which every run tries a slice, and the night all. What makes the slice large enough is said where it is used. */
export const sized = (slice: number, all: number): number => (THOROUGH ? all : slice)
