import { expect, test } from 'vitest'
import { failedFilesOf, failuresOf, retriedFilesOf } from './failures.ts'

const report = JSON.stringify({
  testResults: [
    { name: 'a.test.ts', status: 'failed', message: '', assertionResults: [{ fullName: 'adds', status: 'passed', failureMessages: [] }, { fullName: 'takes away', status: 'failed', failureMessages: [`expected 1 to be 2\n${'at line\n'.repeat(40)}`] }] },
    { name: 'b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    { name: 'c.test.ts', status: 'passed', message: '', assertionResults: [{ fullName: 'opens', status: 'passed', failureMessages: ['timeout'] }] },
  ],
})

test('what failed is told with its file, its name and the first lines of the reason', () => {
  const failures = failuresOf(report)
  expect(failures).toHaveLength(2)
  expect(failures[0]).toMatch(/^a\.test\.ts > takes away\n    expected 1 to be 2/)
  expect(failures[0]?.split('\n').length).toBeLessThan(15)
  expect(failures[1]).toBe('b.test.ts\n    Cannot find module')
})

test('the files in which something failed are named', () => {
  expect(failedFilesOf(report)).toEqual(['a.test.ts', 'b.test.ts'])
})

test('the files in which something passed only when it was tried again are named', () => {
  expect(retriedFilesOf(report)).toEqual(['c.test.ts'])
})
