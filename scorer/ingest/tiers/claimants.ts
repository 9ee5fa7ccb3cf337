/**
 * Names under which a chunk or a move claims blocks. The name records how its facts are inserted and stays with the claim, so that every
 * repetition, by any version, inserts them in the same way (ADR 41).
 */
const APART = ', facts apart'

/** Both names of a chunk or move; a new claim gets the first. Older versions know only the plain one. */
export const claimants = (name: string, apart: boolean): [string, string] =>
  apart ? [`${name}${APART}`, name] : [name, `${name}${APART}`]

/** Whether the facts of a claim are inserted separately instead of by views of its tables. */
export const isApart = (claimant: string): boolean => claimant.endsWith(APART)
