/** What vitest's json reporter writes, as far as it is read here. */
interface Report {
  testResults: { name: string; status: string; message: string; assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}

/** Lines of a failure that are kept: what was expected and where, not the whole stack. */
const LINES = 12

/**
 * Every failure of one run of vitest, from the text of its json report: the file, the test, the first lines of the reason.
 * A file that failed outside its tests (an import, a hook) is told as a whole.
 */
export function failuresOf(report: string): string[] {
  const { testResults } = JSON.parse(report) as Report
  const shorten = (text: string) => text.split('\n').slice(0, LINES).map((line) => `    ${line}`).join('\n')
  return testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message ? [`${name}\n${shorten(message)}`] : []),
    ...assertionResults.filter(({ status }) => status === 'failed').map((test) => `${name} > ${test.fullName}\n${shorten(test.failureMessages.join('\n'))}`),
  ])
}

/** The files of a run in which something failed, from the text of its json report. */
export function failedFilesOf(report: string): string[] {
  return (JSON.parse(report) as Report).testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
}

/** The files of a run in which a test failed and passed when it was walked once more, from the text of its json report. */
export function retriedFilesOf(report: string): string[] {
  return (JSON.parse(report) as Report).testResults.filter(({ assertionResults }) => assertionResults.some(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)).map(({ name }) => name)
}
