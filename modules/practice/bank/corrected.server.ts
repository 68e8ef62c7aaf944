import type { Queryable } from '../../../core/database/database.server.ts'
import type { QuestionContent } from '../content/question.ts'

/** An official question that says something else from now on. */
export interface Correction {
  readonly id: number
  readonly no: string
  readonly staffId: number | null
  readonly before: QuestionContent
  readonly after: QuestionContent
}

/** Hears, in the same transaction, that an official question was written anew. */
type CorrectionListener = (tx: Queryable, correction: Correction) => Promise<void>

const listeners: CorrectionListener[] = []

/** Tells a module of official questions that were changed: what it has printed of them is wrong by now. Called once by its server half. */
export function onPracticeCorrected(listener: CorrectionListener): void {
  listeners.push(listener)
}

/** Tells whoever has to know. */
export async function tellCorrected(tx: Queryable, correction: Correction): Promise<void> {
  for (const listener of listeners) await listener(tx, correction)
}
