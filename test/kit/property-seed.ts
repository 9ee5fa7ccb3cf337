import fc from 'fast-check'

/*
 * Property tests try new cases in every run. On CI, where a change is judged, ASSAY_TEST_SEED makes them the same cases
 * each time; a case that fails anywhere is printed with its seed and belongs into the `examples` of its test.
 */
const seed = process.env.ASSAY_TEST_SEED
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })
