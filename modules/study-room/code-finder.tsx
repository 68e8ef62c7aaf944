import type { FoundRecord } from '../../core/module/find.ts'
import { findCode } from '../code/door.tsx'
import { authorizationCodes } from './authorization-code.ts'

/** The authorization code that was typed or scanned whole. */
export default function findAuthorizationCode(screen: string, words: string, signal: AbortSignal): Promise<FoundRecord[]> {
  return findCode(authorizationCodes, screen, words, signal)
}
