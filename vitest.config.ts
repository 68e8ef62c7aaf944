import { defineConfig } from 'vitest/config'

// Patience with what comes by itself: a busy machine needs more than the second that is usual.
const expect = { poll: { timeout: 30_000 } }

export default defineConfig({
  test: {
    // Limits are for what hangs, not for what is slow.
    // Each file opens a database of its own; two processors carry two of them.
    maxWorkers: 2,
    pool: 'forks',
    projects: [
      { test: { name: 'server', expect, include: ['{core,modules,scripts}/**/*.test.ts'], globalSetup: './core/testing/setup.server.ts', testTimeout: 240_000, hookTimeout: 240_000 } },
      // A journey that fails is walked once more, and told as one that needed it: a busy machine can delay a browser in ways that no user meets.
      { test: { name: 'browser', expect, retry: 1, include: ['e2e/**/*.test.ts'], globalSetup: './e2e/setup.ts', testTimeout: 240_000, hookTimeout: 240_000 } },
    ],
  },
})
