/**
 * How fast a machine is at what reading code takes, so that limits can be stated in milliseconds of one machine and hold on any. The work
 * is of the same kind as the interpreter's (small objects in lists that share their ends, numbers of 256 bits, texts in maps), and shares
 * no code with it: an interpreter that becomes slower does not move the yardstick.
 */

type Cell = { value: { t: string; v: bigint }; below: Cell | undefined; height: number }

const STEPS = 60_000
const MASK = (1n << 256n) - 1n
const FIRST = BigInt(`0x${'fe'.repeat(32)}`)

/** One piece of it, always the same. The number keeps engines from leaving any of it out. */
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

/** Milliseconds of a processor that the machine takes for it, on which the limits of tests were stated. */
const STATED_MS = 20

/** Milliseconds of the processor that `work` takes, whatever else the machine does. */
export const cpuMsOf = (work: () => unknown): number => {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}

/** How many times as long as the machine of the limits this one takes now. It changes from minute to minute: ask beside what is measured. */
export const slowness = (): number => cpuMsOf(piece) / STATED_MS
