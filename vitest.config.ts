import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'

const everywhere = {
  // Patience with what comes by itself: a busy machine needs more than the second that is usual.
  expect: { poll: { timeout: 30_000 } },
  // Limits are for what hangs, not for what is slow.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // What files import is read once per worker: half of the time went there. No file leaves anything behind in a module.
  isolate: false,
}

/** What takes longest begins first, so that no worker waits for the other at the end: a fresh checkout knows nothing of times. */
const LONG = /e2e\/routes|resource\/(conformance|idor)|endpoint\/(fuzz|permission)|scripts\/start|crash\.test/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(({ moduleId }) => LONG.test(moduleId)), ...sorted.filter(({ moduleId }) => !LONG.test(moduleId))]
  }
}

export default defineConfig({
  test: {
    // Each file opens a database of its own; two processors carry two of them.
    maxWorkers: 2,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...everywhere, name: 'server', include: ['{core,modules,scripts}/**/*.test.ts'], globalSetup: './core/testing/setup.server.ts' } },
      // A journey that fails is walked once more, and told as one that needed it: a busy machine can delay a browser in ways that no user meets.
      { test: { ...everywhere, name: 'browser', retry: 1, include: ['e2e/**/*.test.ts'], globalSetup: './e2e/setup.ts' } },
    ],
  },
})
