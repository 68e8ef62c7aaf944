import type { Queryable } from '../../core/database/database.server.ts'

/** What a learner is about to say. */
export interface Speech {
  readonly userId: number
  /** What it is about, as the table calls it. */
  readonly target: string
  readonly targetId: number
  readonly text: string
}

/**
 * Looks at what a learner is about to say, before the transaction that would keep it: what is refused leaves a trace.
 * @returns the text as it may be kept
 * @throws AppError when it may not be said
 */
type SpeechCheck = (db: Queryable, speech: Speech) => Promise<string>

const checks: SpeechCheck[] = []

/** Adds a rule for whatever learners say: who may not speak, which words are not let through. */
export function addSpeechCheck(check: SpeechCheck): void {
  checks.push(check)
}

/** Asks every rule before something is kept. @returns the text as it may be kept @throws AppError of the first that refuses */
export async function checkSpeech(db: Queryable, speech: Speech): Promise<string> {
  let { text } = speech
  for (const check of checks) text = await check(db, { ...speech, text })
  return text
}
