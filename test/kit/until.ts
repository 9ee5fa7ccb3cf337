/** Pauses between looks, ms: short at first, as most things happen at once; then longer, as every look takes time from what is waited for. */
const PAUSES = { first: 10, longest: 250, growth: 1.5 }

/** Patience, ms: ten times what anything takes on a machine at rest, as it only costs where something is wrong. */
const MOST_MS = 180_000

/** Waits until `check` gives something other than undefined or false. @throws Error naming `what` after the deadline. */
export const until = async <T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  ms = MOST_MS,
): Promise<T> => {
  const deadline = Date.now() + ms
  for (let pause = PAUSES.first; ; pause = Math.min(PAUSES.longest, pause * PAUSES.growth)) {
    const found = await check()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
