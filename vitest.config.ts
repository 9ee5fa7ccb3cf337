import { defineConfig } from 'vitest/config'

/** `alone`: one file after the other, when the others are through. Otherwise as many at a time as there are cores. */
const project = (
  name: string,
  include: string[],
  testTimeout: number,
  { alone = false, exclude = [] }: { alone?: boolean; exclude?: string[] } = {},
) => ({
  test: {
    name,
    include,
    exclude: ['**/node_modules/**', ...exclude],
    testTimeout,
    hookTimeout: 120_000,
    fileParallelism: !alone,
    maxWorkers: alone ? 1 : '100%',
    sequence: { groupOrder: alone ? 1 : 0 },
    pool: 'forks' as const,
    setupFiles: ['test/kit/property-seed.ts'],
  },
})

/** Tests beside the detectors: they need a store, as contract tests do. */
const DETECTORS = 'scorer/detection/**/*.test.ts'

/** They measure waiting times of people, or fill the machine with processes and a broker. */
const ALONE = ['processes', 'up'].map((name) => `test/e2e/${name}.test.ts`)

export default defineConfig({
  test: {
    projects: [
      project('unit', ['{schema,platform,indexer,scorer,api,deploy,test/kit,test/lab}/**/*.test.ts'], 20_000, {
        exclude: [DETECTORS],
      }),
      project('contract', ['test/contract/**/*.test.ts', DETECTORS], 120_000),
      project('simulation', ['test/simulation/**/*.test.ts'], 240_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 240_000, { exclude: ALONE }),
      project('alone', ALONE, 240_000, { alone: true }),
    ],
  },
})
