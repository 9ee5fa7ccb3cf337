/** - `retryable`: something outside failed and may work again. `operator`: a person has to change something.
 *  - `bug`: an invariant of our own is broken. */
export type ErrorFamily = 'retryable' | 'operator' | 'bug'

/** Entry of a code in `docs/use/errors.md`. Both texts are Markdown of one line without `|`. */
export type ErrorEntry = {
  family: ErrorFamily
  /** What happened, and what was or was not done. */
  meaning: string
  /** What to do about it. */
  action: string
}

/** Codes of a room. The first word after `ASSAY_` is the area, a section of `docs/use/errors.md`. */
export type ErrorTable = Readonly<Record<`ASSAY_${string}_${string}`, ErrorEntry>>
