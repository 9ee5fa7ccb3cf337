/** Called after every step of a commit. Tests throw from it to prove that a crash at any step loses and duplicates nothing. */
export type OnStep = (name: string) => void | Promise<void>

/** The default, for production. */
export const noStep: OnStep = () => undefined
