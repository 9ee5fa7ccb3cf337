/** Who is in the world of the tests of the console. */
import { newAlert } from '../../contract/api/monitoring/webhooks.kit.ts'
import { named } from '../../kit/world/transactions.ts'

/** A name made to break pages: markup, a right-to-left override, an invisible character. */
export const HOSTILE_NAME = '<img src=x onerror=alert(1)>\u202eexchange\u200b'

export const TRADER = named('trader')
export const LISTED = named('listed')
export const EXCHANGE = named('exchange')
/** Is sanctioned while a test looks on. */
export const CHANGING = named('changing')
/** Is paid by a sanctioned wallet in a block that is undone. */
export const UNDONE = named('undone')
/** Is judged by what is published only. */
export const WATCHED = named('watched')
/** Begins and ends as the exchange does. */
export const LOOK_ALIKE = `${EXCHANGE.slice(0, 8)}${'77'.repeat(15)}${EXCHANGE.slice(-4)}`

/** Created the token, and another contract of the same code. */
export const CREATOR = named('creator')
export const SIBLING = named('sibling')
/** A token with a hostile name, whose verdict is explained; of any other token only the record is known. */
export const TOKEN = named('token')

/** An alert that is there from the beginning, about the sanctioned wallet. */
export const ALERT = newAlert(1).alert

export const TIME = '2026-11-22T12:00:00.000Z'
