/** Pauses between checks, ms: short at first, as most conditions hold at once; then longer, as every check slows the awaited work. */
const PAUSES = { first: 10, longest: 250, growth: 1.5 }

/** Maximum wait, ms: ten times what anything takes on an idle machine, since it only costs time if something is wrong. */
const MAX_WAIT_MS = 180_000

/** Waits until `check` returns something other than undefined or false. @throws Error naming `what` after the deadline */
export const until = async <T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  ms = MAX_WAIT_MS,
): Promise<T> => {
  const deadline = Date.now() + ms
  for (let pause = PAUSES.first; ; pause = Math.min(PAUSES.longest, pause * PAUSES.growth)) {
    const found = await check()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
