const POLL_MS = 20

/** Waits until `check` gives something other than undefined or false. @throws Error naming `what` after the deadline. */
export const until = async <T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  ms = 30_000,
): Promise<T> => {
  const deadline = Date.now() + ms
  for (;;) {
    const found = await check()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
