/**
 * The words labels are written in. An accusation raises the flag that lists it and is a category of exposure; a guard
 * keeps every finding but an authority's from raising flags; `delisted` takes imported sanctions back.
 */

import { ACCUSATIONS } from '../../../schema/labels.ts'

export { ACCUSATIONS }

/** Confidence from which a label counts as established: for flags, as a source of proceeds, and against makers of contracts. */
export const ESTABLISHED_AT = 0.9

/** A word that accuses. `schema/labels.ts` states what each means. */
export type Accusation = keyof typeof ACCUSATIONS

/** Whether a word accuses; words of lists may be any. */
export const isAccusation = (label: string): label is Accusation => Object.hasOwn(ACCUSATIONS, label)

/** Public infrastructure: exchange, router, bridge, pool, mining pool. Taint stops there. */
export const SERVICE = 'service'
/** Looked at by a person and found honest. Unlike at a service, value that passes through is followed on. */
export const BENIGN = 'benign'
/** Taken off a sanctions list. Outweighs every imported `sanctioned`, never an oracle on chain, which says so itself. */
export const DELISTED = 'delisted'

/** Labels that keep others than authorities from flagging an address. */
export const GUARDS: readonly string[] = [SERVICE, BENIGN]
/** A guard counts from this confidence on: calling somebody honest by mistake costs less than the opposite. */
export const GUARD_CONFIDENCE = 0.5

/** Labels that make dealing with an address a dealing with fraud: all accusations but mixing, which is no fraud by itself. */
export const FRAUD_LABELS: readonly string[] = Object.keys(ACCUSATIONS).filter((label) => label !== 'mixer')

/** Every label that may be imported. */
export const LABELS: readonly string[] = [...Object.keys(ACCUSATIONS), SERVICE, BENIGN, DELISTED]
