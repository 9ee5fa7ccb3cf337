/**
 * Names under which a chunk or a move claims blocks. The name says how its facts are stated, and stays with the claim: whoever
 * repeats what was left half done, of whatever version, does it the same way (ADR 41).
 */
const APART = ', facts apart'

/** Both names of a chunk or move, the one for a new claim first. Versions before this one know only the plain one. */
export const claimants = (name: string, apart: boolean): [string, string] =>
  apart ? [`${name}${APART}`, name] : [name, `${name}${APART}`]

/** Whether the facts of such a claim are one insert of their own, and not stated by the views of its tables. */
export const isApart = (claimant: string): boolean => claimant.endsWith(APART)
