import { call } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import type { FoundRecord } from '../../core/module/find.ts'
import { codeEndpoints } from './calls.ts'
import { codeProblem } from './code-text.ts'
import type { CodeFamily } from './family.ts'

/**
 * Finds a code by the whole of it, as it was printed, for the command palette. The server is asked only when the check
 * digit is right.
 * @param screen path of the list of codes
 */
export async function findCode(family: CodeFamily, screen: string, words: string, signal: AbortSignal): Promise<FoundRecord[]> {
  if (codeProblem(words)) return []
  try {
    const { id } = await call(codeEndpoints(family).find, { code: words }, { signal, quiet: true })
    return [{ id, title: words.toUpperCase(), to: `${screen}?open=${id}` }]
  } catch (error) {
    // Somebody else's code, or none at all: there is nothing to show either way.
    if (error instanceof CallError && error.status === 404) return []
    throw error
  }
}
