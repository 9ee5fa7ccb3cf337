import { describeCrashes } from './ingest.crash.suite.ts'

describeCrashes([1])
