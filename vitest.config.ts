import { defineConfig } from 'vitest/config'

const project = (name: string, include: string[], testTimeout: number, fileParallelism = true) => ({
  test: {
    name,
    include,
    testTimeout,
    hookTimeout: 120_000,
    fileParallelism,
    pool: 'forks' as const,
    setupFiles: ['test/kit/property-seed.ts'],
  },
})

export default defineConfig({
  test: {
    projects: [
      project('unit', ['{schema,platform,indexer,scorer,api,deploy}/**/*.test.ts'], 20_000),
      project('contract', ['test/contract/**/*.test.ts'], 120_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 240_000, false),
      project('simulation', ['test/simulation/**/*.test.ts'], 240_000, false),
    ],
  },
})
