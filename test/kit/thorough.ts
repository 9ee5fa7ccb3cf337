/** Whether tests run that take too long for every change: `npm run test:nightly` sets ASSAY_TEST_THOROUGH=1. */
export const THOROUGH = process.env.ASSAY_TEST_THOROUGH === '1'
