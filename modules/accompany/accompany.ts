import type { Resource } from '../../core/resource/define.ts'
import { companionResources, defineCompanion } from '../companion/module.ts'
import { ACCOMPANY } from './row.ts'

export const accompany = defineCompanion(ACCOMPANY)

/** Its kinds of records. @public tables are made from what files export */
export const accompanyResources: readonly Resource[] = companionResources(accompany)
