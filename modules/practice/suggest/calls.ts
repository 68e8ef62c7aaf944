import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { bodyId } from '../bank/calls.ts'
import { BANK_SCREENS, type Pool } from '../bank/practice.ts'

/** A knowledge point that questions about the same have. */
export interface SuggestedLabel {
  id: number
  /** Names from the root, its own last. */
  path: string[]
  /** Share of the neighbours' votes, 0 to 1. */
  share: number
  /** Questions that have it and are nearest. */
  neighbours: { id: number; no: string; pool: Pool }[]
}

export interface Suggestion {
  labels: SuggestedLabel[]
  /** 1 hard to 5 easy. */
  difficulty: number | null
  /** Whether the first label is likely enough to be accepted with others at once. */
  sure: boolean
}

/** What the nearest questions of the bank say about a question that is being written. */
export const suggestFacts = defineEndpoint<Suggestion>()({
  method: 'POST', path: '/daoyuan/api/end/practice_suggestions', summary: '建议知识点和难度', grant: BANK_SCREENS, input: z.object({ content: z.unknown(), cat_id: bodyId, except_id: z.optional(bodyId) }),
})
