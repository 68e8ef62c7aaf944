import type { Resource } from '../../core/resource/define.ts'
import { companionResources, defineCompanion } from '../companion/module.ts'
import { TOP_TRAINING } from './row.ts'

export const topTraining = defineCompanion(TOP_TRAINING)

/** Its kinds of records. @public tables are made from what files export */
export const topTrainingResources: readonly Resource[] = companionResources(topTraining)
