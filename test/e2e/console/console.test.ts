/** The console in a real browser: what people see is what the API answers, and nothing else happens. */
import { describe } from 'vitest'
import { chromiumPath } from '../../kit/browser/browser.ts'
import { standsAgainst } from './cases/against.ts'
import { alertsHold } from './cases/alerts.ts'
import { everyPageHolds } from './cases/every-page.ts'
import { searchHolds } from './cases/search.ts'
import { tokenHolds } from './cases/token.ts'
import { walletHolds } from './cases/wallet.ts'
import { workHolds } from './cases/work.ts'
import { createConsoleKit } from './kit.ts'

const name = chromiumPath ? 'the console in Chromium' : 'the console in Chromium (skipped: no Chromium here)'

describe.skipIf(!chromiumPath)(name, () => {
  // One world for all: it takes longer to start than most of the tests take.
  const kit = createConsoleKit()
  searchHolds(kit)
  walletHolds(kit)
  tokenHolds(kit)
  workHolds(kit)
  alertsHold(kit)
  everyPageHolds(kit)
  standsAgainst(kit)
})
