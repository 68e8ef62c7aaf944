import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{core,modules,scripts}/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: './core/testing/setup.server.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Each file opens a database of its own; two processors carry two of them.
    maxWorkers: 2,
    pool: 'forks',
  },
})
