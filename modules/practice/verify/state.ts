import { actionId } from '../../../core/grant/grant.ts'
import { screenId } from '../../screens.ts'

export const VERIFY_SCREEN = screenId('/practice/practiceVerify')

/** Actions of the screen on which questions are checked, by their n. */
export const VERIFY_ACTIONS = { first: 11, second: 12, final: 13, settings: 14 } as const

/** Ids of the three rounds. */
export const VERIFY_GRANTS: readonly number[] = [actionId(VERIFY_SCREEN, VERIFY_ACTIONS.first), actionId(VERIFY_SCREEN, VERIFY_ACTIONS.second), actionId(VERIFY_SCREEN, VERIFY_ACTIONS.final)]
