/**
 * The vocabulary of labels. Accusations raise flags and are categories of exposure. Guards prevent flags from any source but
 * authorities. `delisted` revokes imported sanctions.
 */

import { ACCUSATIONS } from '../../../schema/labels.ts'

export { ACCUSATIONS }

/** Minimum confidence of an established label: for flags, as a source of proceeds, and against deployers. */
export const ESTABLISHED_AT = 0.9

/** A label that accuses. `schema/labels.ts` defines each. */
export type Accusation = keyof typeof ACCUSATIONS

/** Whether a label accuses. Lists may use other labels. */
export const isAccusation = (label: string): label is Accusation => Object.hasOwn(ACCUSATIONS, label)

/** Public infrastructure: exchange, router, bridge, pool, mining pool. Tracing stops there. */
export const SERVICE = 'service'
/** Reviewed by a person and found honest. Unlike services, tracing continues through it. */
export const BENIGN = 'benign'
/** Removed from a sanctions list. Overrides every imported `sanctioned`, but not an oracle on chain, whose own state decides. */
export const DELISTED = 'delisted'

/** Labels that prevent flags from any source but authorities. */
export const GUARDS: readonly string[] = [SERVICE, BENIGN]
/** Minimum confidence of a guard. Low, because wrongly calling an address honest costs less than wrongly accusing it. */
export const GUARD_CONFIDENCE = 0.5

/** Accusations that count as fraud for counterparties: all but mixing, which is not fraud by itself. */
export const FRAUD_LABELS: readonly string[] = Object.keys(ACCUSATIONS).filter((label) => label !== 'mixer')

/** Every label that may be imported. */
export const LABELS: readonly string[] = [...Object.keys(ACCUSATIONS), SERVICE, BENIGN, DELISTED]
