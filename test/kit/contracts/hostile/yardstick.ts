/**
 * Measures the machine's speed at work like reading code, so that limits can be stated in milliseconds of one machine and hold on any.
 * The work resembles the interpreter's (small objects in lists with shared tails, 256-bit numbers, texts in maps) but shares no code
 * with it: a slower interpreter does not change the yardstick.
 */

type Cell = { value: { t: string; v: bigint }; below: Cell | undefined; height: number }

const STEPS = 60_000
const MASK = (1n << 256n) - 1n
const FIRST = BigInt(`0x${'fe'.repeat(32)}`)

/** One unit of work, always the same. The number keeps engines from optimising any of it away. */
const piece = (): number => {
  const met = new Map<string, number>()
  let stack: Cell | undefined
  let word = FIRST
  for (let i = 0; i < STEPS; i++) {
    switch (i % 4) {
      case 0:
        word = (word * word + BigInt(i)) & MASK
        stack = { value: { t: 'const', v: word }, below: stack, height: (stack?.height ?? 0) + 1 }
        break
      case 1: {
        const taken = [stack, stack?.below].flatMap((cell) => (cell ? [cell.value] : []))
        const v = taken.reduce((sum, { v }) => sum ^ v, 0n)
        stack = { value: { t: 'mixed', v }, below: stack?.below, height: stack?.height ?? 1 }
        break
      }
      case 2: {
        const key = `${stack?.value.t}:0x${(word >> 246n).toString(16).padStart(64, '0')}`
        met.set(key, (met.get(key) ?? 0) + 1)
        break
      }
      default: {
        let at = stack
        for (let depth = 0; depth < 16 && at?.below; depth++) at = at.below
        stack = { value: at?.value ?? { t: 'other', v: 0n }, below: stack, height: (stack?.height ?? 0) + 1 }
      }
    }
  }
  return met.size + (stack?.height ?? 0)
}

/** Processor milliseconds for it on the machine on which the limits of tests were set. */
const STATED_MS = 20

/** Processor milliseconds that `work` takes, independent of other processes. */
export const cpuMsOf = (work: () => unknown): number => {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}

/** How many times slower this machine is now than that of the limits. It changes within minutes: call it next to the measurement. */
export const slowness = (): number => cpuMsOf(piece) / STATED_MS
