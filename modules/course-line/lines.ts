import type { Resource } from '../../core/resource/define.ts'
import { defineCourseLine, lineResources, type CourseLine } from '../offer/module.ts'
import { screenId, screenPath } from '../screens.ts'
import { PLAIN_LINES } from './module.ts'

/** The lines with everything that follows from their rows. */
export const courseLines: readonly CourseLine[] = PLAIN_LINES.map((line) => defineCourseLine(line, (path) => screenId(screenPath(path))))

/** Their kinds of records. @public tables are made from what files export */
export const courseResources: readonly Resource[] = courseLines.flatMap(lineResources)
