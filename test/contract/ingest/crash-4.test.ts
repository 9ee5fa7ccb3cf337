import { describeCrashes } from './crash.suite.ts'

/* More seeds where asked for: ASSAY_TEST_CRASH_SEEDS=2,3,5 npx vitest run --project contract test/contract/ingest/crash-4.test.ts */
const more = (process.env.ASSAY_TEST_CRASH_SEEDS ?? '').split(',').filter(Boolean).map(Number)

describeCrashes([4, ...more])
