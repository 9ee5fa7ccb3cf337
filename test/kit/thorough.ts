/** Whether to run tests that take too long for every change: `npm run test:nightly` sets ASSAY_TEST_THOROUGH=1. */
export const THOROUGH = process.env.ASSAY_TEST_THOROUGH === '1'

/** A size: every run uses `slice`, nightly runs use `all`. The caller states why the slice is large enough. */
export const sized = (slice: number, all: number): number => (THOROUGH ? all : slice)
