/**
 * Called after every step of a commit. Production passes nothing; tests throw from it to prove that a crash at that
 * very step loses and doubles nothing.
 */
export type OnStep = (name: string) => void | Promise<void>

/** For production, where nobody watches the steps. */
export const noStep: OnStep = () => undefined
