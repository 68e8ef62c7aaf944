import type { ScopeKind } from '../../core/grant/grant.ts'
import type { Fields } from '../../core/field/field.ts'
import type { Api, Named } from '../../core/resource/define.ts'
import { screenId, type ScreenPath } from '../screens.ts'
import type { Stage } from './stage.ts'

/** A screen that lists papers of a kind: those of one school stage, or those of all stages where none is named. */
export interface PaperScreen {
  readonly screen: ScreenPath
  /** Screen of one paper with its editor. */
  readonly detail: ScreenPath
  /** Screen on which questions are chosen for a paper. */
  readonly add: ScreenPath
  readonly api: Pick<Api, 'list' | 'item'>
  readonly stage?: Stage
}

/** A kind of papers; all of them stand in one table. A module that has papers of its own hands over such a row. */
export interface PaperKind {
  /** Value of the column `kind`. */
  readonly value: string
  readonly label: string
  /** What a paper of it is called. */
  readonly noun: string
  readonly screens: readonly PaperScreen[]
  /** Columns that only papers of this kind have. */
  readonly fields?: (screen: PaperScreen) => Fields
  /** Which fields its lists and forms show beside those of every paper. */
  readonly shown?: readonly string[]
  /** Which of them only the form shows. */
  readonly typed?: readonly string[]
  /** Which of them a sheet has, behind its first column. */
  readonly imported?: readonly string[]
  /** Kinds of data scope that its own references lead to and that do not narrow it all the same, each with a sentence why. */
  readonly unscoped?: Readonly<Partial<Record<ScopeKind, string>>>
  /** What calls of its module do with them, by the names under which they log it. */
  readonly logged?: readonly Named[]
}

/** Where a paper is edited, as routes with `:id`. */
export interface PaperPlaces {
  readonly detail: ScreenPath
  readonly add: ScreenPath
}

/** Addresses of one paper. */
export function placesOf({ detail, add }: PaperPlaces, id: number): { detail: string; add: string } {
  return { detail: detail.replace(':id', String(id)), add: add.replace(':id', String(id)) }
}

/** Ids of the screens on which a paper is read: its list, its editor and the choice of questions. */
export function readGrants({ screen, detail, add }: PaperScreen): number[] {
  return [screen, detail, add].map(screenId)
}
