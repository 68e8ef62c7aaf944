import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Limits are for what hangs, not for what is slow.
    // Each file opens a database of its own; two processors carry two of them.
    maxWorkers: 2,
    pool: 'forks',
    projects: [
      { test: { name: 'server', include: ['{core,modules,scripts}/**/*.test.ts'], globalSetup: './core/testing/setup.server.ts', testTimeout: 240_000, hookTimeout: 240_000 } },
      // A journey that fails is walked once more, and told as one that needed it: a busy machine can delay a browser in ways that no user meets.
      { test: { name: 'browser', retry: 1, include: ['e2e/**/*.test.ts'], globalSetup: './e2e/setup.ts', testTimeout: 240_000, hookTimeout: 240_000 } },
    ],
  },
})
