import { test, type TestAPI } from 'vitest'

const none = Object.assign(() => {}, { each: () => () => {} }) as unknown as TestAPI

/** `test` where a case applies. Where it does not there is no test: a skipped one would look like work that is left. */
export const when = (applies: unknown): TestAPI => (applies ? test : none)
