import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Of whole processes and simulations, ms. A machine three times as slow as usual fails none: what counts is that it ends. */
const PATIENCE_MS = 600_000

type Ways = {
  /** All files at once, when the other projects are through. */
  alone?: boolean
  /** Files share the processes they run in, so that each module is loaded once per process and not once per file. */
  shared?: boolean
  exclude?: string[]
}

const MEMORY = '/dev/shm'
const MEMORY_BYTES = 6e9
/** Bytes that a file system in memory still takes, where there is one. */
const freeMemory = () => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize
  } catch {
    return 0
  }
}
/** Stores and logs of tests write thousands of small files. In memory that takes a seventh of their time away. */
if (process.env.TMPDIR === undefined && freeMemory() >= MEMORY_BYTES) {
  const folder = mkdtempSync(join(MEMORY, 'assay-tests-'))
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

/** Files at a time. Many of them wait for brokers and nodes half of their time, so there are two more than cores. */
const WORKERS = availableParallelism() + 2

const project = (
  name: string,
  include: string[],
  testTimeout: number,
  { alone = false, shared = false, exclude = [] }: Ways = {},
) => ({
  test: {
    name,
    include,
    exclude: ['**/node_modules/**', ...exclude],
    testTimeout,
    hookTimeout: 300_000,
    maxWorkers: alone ? include.length : WORKERS,
    isolate: !shared,
    sequence: { groupOrder: alone ? 1 : 0 },
    pool: 'forks' as const,
    setupFiles: ['test/kit/property-seed.ts'],
  },
})

/** Tests beside the detectors: they need a store, as contract tests do. */
const DETECTORS = 'scorer/detection/**/*.test.ts'

/** They fill the machine with processes, a broker and a build, and would make tests beside them wait. Each waits for itself half of its time. */
const PROCESSES = ['processes/processes', 'processes/up', 'image/image'].map((name) => `test/e2e/${name}.test.ts`)

/**
 * They need a process of their own: one adds a network to the registry, one weighs a process, and one ends threads, which give back a
 * store of their process when they like.
 */
const APART = ['e2e/networks/new-network', 'e2e/memory/memory', 'contract/store/role-threads'].map(
  (name) => `test/${name}.test.ts`,
)

export default defineConfig({
  test: {
    projects: [
      project('unit', ['{schema,platform,indexer,scorer,api,deploy,test/kit,test/lab}/**/*.test.ts'], 60_000, {
        shared: true,
        exclude: [DETECTORS],
      }),
      project('contract', ['test/contract/**/*.test.ts', DETECTORS], 300_000, {
        shared: true,
        exclude: APART,
      }),
      project('simulation', ['test/simulation/**/*.test.ts'], PATIENCE_MS),
      project('e2e', ['test/e2e/**/*.test.ts'], PATIENCE_MS, { shared: true, exclude: [...PROCESSES, ...APART] }),
      project('apart', APART, PATIENCE_MS),
      project('processes', PROCESSES, PATIENCE_MS, { alone: true }),
    ],
  },
})
