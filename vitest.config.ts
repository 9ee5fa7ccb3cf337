import { defineConfig } from 'vitest/config'

type Ways = {
  /** One file after the other, when the other projects are through. */
  alone?: boolean
  /** Files share the processes they run in, so that each module is loaded once per process and not once per file. */
  shared?: boolean
  exclude?: string[]
}

/** Files run as many at a time as there are cores, unless they run alone. */
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
    hookTimeout: 120_000,
    maxWorkers: alone ? 1 : '100%',
    isolate: !shared,
    sequence: { groupOrder: alone ? 1 : 0 },
    pool: 'forks' as const,
    setupFiles: ['test/kit/property-seed.ts'],
  },
})

/** Tests beside the detectors: they need a store, as contract tests do. */
const DETECTORS = 'scorer/detection/**/*.test.ts'

/** They fill the machine with processes and a broker, and would make tests beside them wait. */
const PROCESSES = ['processes', 'up'].map((name) => `test/e2e/${name}.test.ts`)

export default defineConfig({
  test: {
    projects: [
      project('unit', ['{schema,platform,indexer,scorer,api,deploy,test/kit,test/lab}/**/*.test.ts'], 20_000, {
        shared: true,
        exclude: [DETECTORS],
      }),
      project('contract', ['test/contract/**/*.test.ts', DETECTORS], 120_000, { shared: true }),
      project('simulation', ['test/simulation/**/*.test.ts'], 240_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 240_000, { exclude: PROCESSES }),
      project('processes', PROCESSES, 240_000, { alone: true }),
    ],
  },
})
