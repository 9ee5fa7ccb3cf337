import { describeCrashes } from './crash.suite.ts'

describeCrashes([1])
