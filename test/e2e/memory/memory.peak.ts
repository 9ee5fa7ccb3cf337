/** What the children of `memory.test.ts` measure in themselves and tell their parent as one line of JSON. */

export type Peak = {
  /** Highest `heapUsed` seen, bytes. Sampled at every message of work and by a timer, so between collections too. */
  heapUsed: number
  /** Highest resident size seen, bytes. */
  rss: number
}

const SAMPLE_MS = 20

/** Watches the process's own memory until stopped. */
export const watchMemory = () => {
  const peak: Peak = { heapUsed: 0, rss: 0 }
  const look = () => {
    const { heapUsed, rss } = process.memoryUsage()
    peak.heapUsed = Math.max(peak.heapUsed, heapUsed)
    peak.rss = Math.max(peak.rss, rss)
  }
  const timer = setInterval(look, SAMPLE_MS)
  return {
    look,
    stop: (): Peak => {
      look()
      clearInterval(timer)
      return peak
    },
  }
}

/** Ends the child with its findings. */
export const tell = (findings: object) => process.stdout.write(`${JSON.stringify(findings)}\n`)
